import type { GameClient } from '../../app/game.ts'
import { t, words } from '../../app/language.ts'
import { isAsked } from '../../app/table/asked.ts'
import { trading } from '../../app/table/dealing.svelte.ts'
import Board from './Board.svelte'
import type { Name } from './coins.ts'
import { deals } from './deals.ts'
import { formatArguments, formatCoin, formatCoins, formatTerm, sentenceOf } from './format.ts'
import { shape } from '../../app/shape.svelte.ts'
import { endsBy, sectionsOf, standing } from './selectors.ts'
import { selectionOf } from './selection.svelte.ts'
import { owedIn } from './owed.ts'
import Tray from './Tray.svelte'
import { say, texts } from './words.ts'

/** With more seats than this, or in one low line, there is no room for the word beside the number. */
const MANY = 4

const trades = trading(deals)
/** The phrases that answer an offer. */
const ANSWERS: ReadonlySet<string> = new Set([
  'takeover.say.tooMuch',
  'takeover.say.deal',
  'takeover.say.noDeal',
])

/** The phrases that still mean something once the game is over. */
const AT_THE_END: ReadonlySet<string> = new Set([
  'takeover.say.hostile',
  'takeover.say.thanks',
  'takeover.say.wellPlayed',
  'takeover.say.oops',
])

export const client: GameClient = {
  texts,
  aid: () => import('./Aid.svelte'),
  wholeBoard: true,
  Board,
  Tray,
  result: () => import('./Result.svelte'),
  own: () => import('./Own.svelte'),
  choosesOnBoard: (view) => ['draft', 'turn'].includes(selectionOf(view).kind ?? ''),
  prompts: { draft: 'turn', flip: 'decision', turn: 'turn', trade: 'aside', offer: 'aside' },
  /** Money is concealed, but the number of coins a seat has is always public. */
  score(view, seat) {
    const count = view.gameSection('takeover', 'reckoning')?.totals[seat]
    if (count !== undefined) return { text: words.value(count), about: say('points', { count }) }
    const coins = view.gameSection('takeover', 'holdings')?.counts[seat]
    return coins === undefined
      ? null
      : {
          text:
            view.seats.length > MANY || shape.current === 'short'
              ? words.value(coins)
              : say('coinCount', { count: coins }),
          about: say('coinCount', { count: coins }),
        }
  },
  done(view, seat) {
    const stage = view.gameSection('takeover', 'stage')
    if (stage?.phase === 'flip') return view.gameSection('takeover', 'readiness')?.done[seat] ?? null
    return stage !== undefined && stage.turn === seat ? false : null
  },
  ahead: [
    {
      prompt: 'turn',
      move: 'pass',
      label: () => say('pass'),
      ignores: ['takeover.passed', 'takeover.auto'],
      may: (view) => view.gameSection('takeover', 'stage')?.phase === 'play' && view.about?.lesson == null,
      concerns(view) {
        const passes = view.gameSection('takeover', 'passes')
        return view.seat !== null && passes !== undefined && endsBy(passes, view.seat)
      },
    },
  ],
  sounds: {
    'takeover.picked': 'card',
    'takeover.flipped': 'reveal',
    'takeover.merged': 'capture',
    'takeover.traded': 'reveal',
    'takeover.cashedOut': 'card',
  },
  extensions: (view) =>
    view.seat === null ? null : (view.gameSection('takeover', 'time_control')?.extensions[view.seat] ?? null),
  eyebrow(view) {
    const sections = sectionsOf(view)
    if (sections === null) return ''
    const { phase, number } = sections.stage
    if (phase === 'draft') return say('picking', { number: number + 1, picks: sections.draft.order.length })
    if (phase === 'flip') return say('flipping')
    return phase === 'end'
      ? t('result.over')
      : say('playing', { turn: number + 1, count: standing(sections) })
  },
  keys: () => [
    { keys: ['0', '–', '5'], does: say('keyValue') },
    { keys: ['←', '↑', '↓', '→'], does: say('keyMove') },
    { keys: ['Enter'], does: say('keyEnter') },
    { keys: ['Esc'], does: say('keyEscape') },
  ],
  deals: trades,
  owed: owedIn,
  answers: ANSWERS,
  /** Offers of bots are answered under Deals: a phrase would change nothing. At the end, there is nothing left to ask for. */
  fits(view, phrase) {
    if (view.gameSection('takeover', 'reckoning') !== undefined) return AT_THE_END.has(phrase)
    return (
      !ANSWERS.has(phrase) ||
      isAsked(view) ||
      (trades.of(view)?.waiting ?? []).some(({ deal }) => view.seats[deal.by]?.bot == null)
    )
  },
  choiceName(_view, field, value) {
    if (field === 'value') return words.value(Number(value))
    if (field === 'pair' && typeof value === 'string') {
      const [source = '', onto = ''] = value.split('>').map((name) => formatCoin(name as Name))
      return say('choicePair', { source, onto })
    }
    const isCoins = field === 'coins' && Array.isArray(value) && value.length > 0
    return isCoins ? say('choiceCoins', { coins: formatCoins(value as Name[]) }) : null
  },
  trayState: (view) => (selectionOf(view).cashing === null ? '' : 'cashing out'),
  rules: async () => (await import('virtual:rules/takeover')).default,
  formatArguments: (_line, values) => formatArguments(values),
  formatTerm,
  sentence: sentenceOf,
}
