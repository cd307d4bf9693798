/** The options of a table. */
import type { GameTexts } from '../../../app/game.ts'

export const options = {
  groups: { game: 'The game', variants: 'Variants', scoring: 'Scoring', chance: 'Chance', pace: 'Pace' },
  options: {
    rounds: {
      title: 'Rounds',
      about: 'Fifteen, or a shorter game.',
      values: { 15: '15', 10: '10', 5: '5' },
      said: 'Rounds: {value}',
    },
    talk: {
      title: 'Talk of shares',
      about:
        'Strict: not of your own. Loose Lips: you may, true or not. The Whole Truth: you may show your tracker, too, and the hub vouches for it.',
      values: { strict: 'Strict', looseLips: 'Loose Lips', wholeTruth: 'The Whole Truth' },
      said: 'Talk of shares: {value}',
    },
    openMarket: {
      title: 'Open Market',
      about: 'For an action and a royal card (J, Q, K, A) you trade shares for 30 seconds.',
      said: 'Open Market: shares may be traded',
    },
    lowball: {
      title: 'Lowball',
      about: 'Who starts a round is not drawn: everybody offers a card, and the highest starts.',
      said: 'Lowball: the highest card starts',
    },
    lowballCard: {
      title: 'Lowball cards',
      about: 'Return: back to the hand. Discard: onto the Discard Pile. Bottom: under the Draw Deck.',
      values: { return: 'Return', discard: 'Discard', bottom: 'Bottom' },
      said: 'Lowball cards: {value}',
    },
    marketLog: {
      title: 'What others see of a trade',
      about: 'Private: that there was one. Public: which shares.',
      values: { private: 'Private', public: 'Public' },
      said: 'Trades are seen: {value}',
    },
    strictChat: {
      title: 'Talk in strict play',
      about:
        'Honour: you may say what you like, and keep your own shares to yourself. Phrases only: nothing but ready-made phrases.',
      values: { honour: 'Honour', phrasesOnly: 'Phrases only' },
      said: 'Talk: {value}',
    },
    companyMetric: {
      title: 'What ranks a company',
      about: 'Floors: how many. Pips: large floors count 3, medium 2, small 1.',
      values: { floors: 'Floors', pips: 'Pips' },
      said: 'Companies rank by: {value}',
    },
    companyTie: {
      title: 'Companies that tie',
      about:
        'Average: they share the prizes of their places. High: each gets the best of these. Low: the worst.',
      values: { average: 'Average', high: 'High', low: 'Low' },
      said: 'Companies that tie: {value}',
    },
    rounding: {
      title: 'The value of a share',
      about:
        'Exact: fractions count. Nearest: rounded to the nearest whole number, halves to even. Floor: rounded down.',
      values: { exact: 'Exact', nearest: 'Nearest', floor: 'Floor' },
      said: 'The value of a share: {value}',
    },
    chance3Source: {
      title: 'Two cards by Chance',
      about: 'Deck: from the Draw Deck. Either: from the Discard Pile, too.',
      values: { deck: 'Deck', either: 'Either' },
      said: 'Two cards by Chance from: {value}',
    },
    chance4Draw: {
      title: 'Drawing up for free',
      about: 'The free action of Chance may be drawing up to five cards.',
      said: 'The free action of Chance may be drawing up',
    },
    timers: {
      title: 'Clocks',
      about: 'How long everybody may think. Without clocks, anybody can call a last minute.',
      values: { normal: 'Normal', relaxed: 'Relaxed', fast: 'Fast', off: 'None' },
      said: 'Clocks: {value}',
    },
  },
} as const satisfies Pick<GameTexts<'shares'>, 'groups' | 'options'>
