/**
 * The board of Share and Share Alike: cards, towers, choices, trackers, peeks, the prize calculator, and
 * fractions.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { LessonTexts } from '../../src/app/lesson/texts.ts'
import { intentOf } from '../../src/app/promises.ts'
import type { TableView } from '../../src/app/tableview.svelte.ts'
import {
  COMPANIES,
  isRed,
  pipsOf,
  rankOf,
  SIZES,
  SUITS,
  suitOf,
  type Card,
} from '../../src/games/shares/cards.ts'
import { estimates, othersHave, unplaced } from '../../src/games/shares/estimates.ts'
import { decimal, exactly, mixed } from '../../src/games/shares/fractions.ts'
import {
  formatArguments,
  formatCard,
  formatCards,
  formatEffect,
  formatLaid,
  formatLot,
  formatPlace,
  formatPlay,
  signed,
  formatTower,
} from '../../src/games/shares/format.ts'
import {
  cardsIn,
  companiesIn,
  heldOf,
  lookedAt,
  numbersIn,
  targetOf,
} from '../../src/games/shares/selectors.ts'
import { lossNews } from '../../src/games/shares/actions.ts'
import { client } from '../../src/games/shares/client.ts'
import { lastAction, outNews, passedNews, rollNews } from '../../src/games/shares/lastaction.ts'
import { fits } from '../../src/games/shares/phrases.ts'
import { repliesIn } from '../../src/games/shares/replies.ts'
import { formatFloors, lastRound, roundNews } from '../../src/games/shares/summary.ts'
import { formatRow, roundsOf, shownBy } from '../../src/games/shares/trackers.ts'
import { drawn, floorHeight } from '../../src/games/shares/tower.ts'
import type {
  AudienceLine,
  Choice,
  SharesPlayers,
  SharesStanding,
  SharesTowers,
  SharesTracker,
  TalkMessage,
} from '../../src/sdk/wire.gen.ts'

const RULES = new URL('../../../games/shares/rules/pieces.py', import.meta.url)
const SAYINGS = new URL('../../../games/shares/bot/sayings.py', import.meta.url)
const TEXTS = new URL('../../../games/shares/texts/en.json', import.meta.url)

function tracker(marks: SharesTracker['marks'], traded: readonly number[] = [0, 0, 0, 0, 0]): SharesTracker {
  return {
    marks,
    traded,
    holdings: COMPANIES.map(
      (company, index) => marks.filter((each) => each === company).length + (traded[index] ?? 0),
    ),
  }
}
function standing(
  prize: number,
  floors: SharesStanding['floors'] = [],
  more: Partial<SharesStanding> = {},
): SharesStanding {
  return { floors, size: floors.length, place: 1, tied: 1, prize, ...more }
}
const players = (shares: number): SharesPlayers => ({ actions: [], out: [], spent: 0, cards: [], shares })
const towers = (...prizes: readonly number[]): SharesTowers => ({
  companies: prizes.map((prize) => standing(prize)),
  supply: [20, 20, 20],
  next: 'L',
})

describe('cards', () => {
  test('have a rank and a suit', () => {
    expect([rankOf('10S'), suitOf('10S'), rankOf('KH'), suitOf('KH')]).toEqual(['10', 'S', 'K', 'H'])
    expect(SUITS.filter(isRed)).toEqual(['H', 'D'])
  })

  test('are those of the rules, and so are companies and sizes', () => {
    const rules = readFileSync(RULES, 'utf8')
    const cards = [...rules.matchAll(/"((?:[2-9]|10|[JQKA])[HSCD])"/g)].map((match) => match[1] as Card)
    expect(new Set(cards).size).toBe(52)
    expect(new Set(cards.map(suitOf))).toEqual(new Set(SUITS))
    expect(rules).toContain(
      `Company: TypeAlias = Literal[${COMPANIES.map((each) => `"${each}"`).join(', ')}]`,
    )
    expect(rules).toContain(`Size: TypeAlias = Literal[${SIZES.map((each) => `"${each}"`).join(', ')}]`)
  })

  test('show as many signs as their rank, half of them upside down, none twice', () => {
    for (let rank = 2; rank <= 10; rank += 1) {
      const pips = pipsOf(String(rank))
      expect(pips).toHaveLength(rank)
      expect(new Set(pips.map(({ x, y }) => `${x} ${y}`)).size).toBe(rank)
      expect(pips.every(({ y, turned }) => turned === y > 0.5)).toBe(true)
    }
    expect(['A', 'J', 'Q', 'K'].flatMap((rank) => pipsOf(rank))).toEqual([])
  })
})

describe('towers', () => {
  test('stand from the ground up, each floor as wide as its size', () => {
    const [large, small] = drawn(['L', 'S'], 10)
    expect(large?.d).toMatch(/^M2 0L62 0L/)
    expect(small?.d).toMatch(/^M18 -10L46 -10L/)
    expect([large?.middle, small?.middle]).toEqual([-4.5, -14.5])
  })

  test('have lower floors when one tower is high, down to a minimum', () => {
    expect([floorHeight(1, 100), floorHeight(10, 100), floorHeight(60, 100)]).toEqual([17, 10, 4])
  })

  test('are described with their place, prize, own shares and preview', () => {
    const own = tracker(['A', 'A', 'B'])
    expect(formatTower('A', standing(800, ['L', 'M'], { place: 2 }), false, own, undefined)).toBe(
      'Anchor: 2 floors, place 2, prize 800, a medium floor on top, 2 shares are yours',
    )
    expect(formatTower('C', standing(600, [], { tied: 5 }), false, own, standing(1000, ['L']))).toBe(
      'Comet: 0 floors, place 1, shared by 5, prize 600, then 1 floor, prize 1,000',
    )
    expect(formatTower('C', standing(600, ['L'], { size: 3 }), true, undefined, undefined)).toContain(
      'Comet: 3 pips',
    )
    expect([formatPlace({ place: 1, tied: 1 }), formatPlace({ place: 3, tied: 2 })]).toEqual([
      '1st',
      '3rd tied',
    ])
  })
})

describe('choices', () => {
  const choices: readonly Choice[] = [
    { move: 'play', fields: { card: { type: 'one_of', of: ['KH', '2S'] } } },
    { move: 'swap', fields: { seats: { type: 'subset', of: [0, 1, 2], least: 2, most: 2 } } },
    { move: 'add', fields: { tower: { type: 'one_of', of: ['A', 'E'] } } },
  ]
  test('name what a field may be', () => {
    expect(cardsIn(choices)).toEqual(['KH', '2S'])
    expect(numbersIn(choices, 'seats')).toEqual([0, 1, 2])
    expect(companiesIn(choices)).toEqual(['A', 'E'])
    expect(companiesIn([])).toEqual([])
  })
})

describe('a lesson', () => {
  const nothing = { company: null, cards: [], discarding: false, by: null }

  test('marks what to choose, and then the button that makes the move', () => {
    expect(targetOf({ move: 'lock', company: 'B' }, nothing)).toBe('company:B')
    expect(targetOf({ move: 'lock', company: 'B' }, { ...nothing, company: 'B' })).toBe('does:lock')
    expect(targetOf({ move: 'remove', tower: 'C' }, { ...nothing, company: 'B' })).toBe('company:C')
    expect(targetOf({ move: 'add', tower: 'C' }, { ...nothing, company: 'C' })).toBe('does:build')
    expect(targetOf({ move: 'play', card: '3H' }, { ...nothing, cards: ['8S'] })).toBe('card:3H')
    expect(targetOf({ move: 'play', card: '3H' }, { ...nothing, cards: ['3H'] })).toBe('does:play')
    expect(targetOf({ move: 'endTurn' }, nothing)).toBe('does:endTurn')
    expect(targetOf({ move: 'adjust', by: 1 }, nothing)).toBe('by:1')
    expect(targetOf({ move: 'adjust', by: 1 }, { ...nothing, by: 0 })).toBe('by:1')
    expect(targetOf({ move: 'adjust', by: 1 }, { ...nothing, by: 1 })).toBe('does:adjust')
    expect(targetOf({ move: 'spy', seat: 1, what: 'hand' }, nothing)).toBeNull()
  })

  test('marks how to choose several cards to discard, and how to stop that', () => {
    const [discard, discarding] = [
      { move: 'discard', cards: ['6C', 'KC'] },
      { ...nothing, discarding: true },
    ]
    expect(targetOf(discard, { ...nothing, cards: ['6C'] })).toBe('does:choose')
    expect(targetOf(discard, { ...discarding, cards: ['6C'] })).toBe('card:KC')
    expect(targetOf(discard, { ...discarding, cards: ['KC', '8S', '6C'] })).toBe('card:8S')
    expect(targetOf(discard, { ...discarding, cards: ['KC', '6C'] })).toBe('does:discard')
    for (const move of [{ move: 'play', card: '3H' }, { move: 'endTurn' }])
      expect(targetOf(move, { ...discarding, cards: ['3H'] })).toBe('does:keep')
  })

  test('marks every move that its learner makes', () => {
    const file = new URL('../../../games/shares/lesson.json', import.meta.url)
    const lesson = JSON.parse(readFileSync(file, 'utf8')) as LessonTexts
    const moves = lesson.steps.flatMap(({ task, move, prompt }) =>
      task === undefined || prompt === 'promise' ? [] : [move ?? {}],
    )
    expect(moves.map((move) => targetOf(move, nothing))).not.toContain(null)
  })
})

describe('trackers', () => {
  const found = tracker(['A', 'C', 'A'], [1, 0, -1, 0, 0])
  test('tell when a company was marked, and how many shares are held after trades', () => {
    expect([roundsOf(found, 'A'), roundsOf(found, 'B')]).toEqual([[1, 3], []])
    expect([heldOf(found, 'A'), heldOf(found, 'C')]).toEqual([3, 0])
  })

  test('are described row by row, with what is noted', () => {
    expect(formatRow(found, 'A', null)).toBe('Anchor: 3 shares, rounds 1, 3, +1 from trades')
    expect(formatRow(found, 'C', 'C')).toBe(
      'Comet: 0 shares, round 2, −1 from trades, selected for this round',
    )
    expect([signed(2), signed(-2), signed(0)]).toEqual(['+2', '−2', '0'])
  })

  test('of others are the latest that one was shown', () => {
    const [one, other] = [
      { round: 2, tracker: found },
      { round: 1, tracker: tracker(['A']) },
    ]
    expect(shownBy({ seen: { shown: [null, one] }, shows: { shown: [null, other] } }, 1)).toEqual({
      shown: one,
      all: false,
    })
    expect(shownBy({ seen: { shown: [null, null] }, shows: { shown: [null, other] } }, 1)).toEqual({
      shown: other,
      all: true,
    })
    expect(shownBy({}, 1)).toBeNull()
  })
})

describe('a look', () => {
  const peek = { window: 'peek:7', seat: 2, other: 0, what: 'hand' }
  const peekContent = { cards: ['KH'], tracker: null }
  /** A view that has these sections, with this many milliseconds left in the window. */
  function view(
    sections: Readonly<Record<string, unknown>>,
    left: number,
    seat: number | null = 2,
    status = 'running',
  ): TableView {
    return {
      seat,
      status,
      gameSection: (_game: string, name: string) => sections[name],
      window: (id: string) => (id === peek.window ? { id, span: 30_000 } : undefined),
      left: () => left,
    } as unknown as TableView
  }

  test('shows what the hub sends, as long as the window runs', () => {
    expect(lookedAt(view({ peek, peek_content: peekContent }, 12_000))).toEqual({
      peekContent,
      other: 0,
      what: 'hand',
      left: 12_000,
      length: 30_000,
    })
  })

  test('shows nothing without the section, after its time, to others, or while the table is paused', () => {
    expect(lookedAt(view({ peek }, 12_000))).toBeNull()
    expect(lookedAt(view({ peek_content: peekContent }, 12_000))).toBeNull()
    expect(lookedAt(view({ peek, peek_content: peekContent }, 0))).toBeNull()
    expect(lookedAt(view({ peek, peek_content: peekContent }, 12_000, 1))).toBeNull()
    expect(lookedAt(view({ peek, peek_content: peekContent }, 12_000, 2, 'paused'))).toBeNull()
    expect(
      lookedAt(view({ peek: { ...peek, window: 'peek:8' }, peek_content: peekContent }, 12_000)),
    ).toBeNull()
  })

  test('is read by one component alone, and stored nowhere', () => {
    const folder = new URL('../../src/games/shares/', import.meta.url)
    const files = readdirSync(folder)
    const of = (file: string): string => readFileSync(new URL(file, folder), 'utf8')
    expect(files.filter((file) => /lookedAt\(|'peek_content'/.test(of(file)))).toEqual([
      'LookOver.svelte',
      'selectors.ts',
    ])
    expect(files.filter((file) => /sessionStorage|localStorage|indexedDB|caches\b/.test(of(file)))).toEqual([
      'guesses.svelte.ts',
    ])
    expect(of('LookOver.svelte')).not.toMatch(/\$state(?!\(\)$)/m)
  })
})

describe('the prize calculator', () => {
  const own = tracker(['A', 'A', 'B', 'C'])
  const sections = { towers: towers(1000, 800, 600, 400, 200), players: players(16) }

  test('spreads what nobody has guessed evenly', () => {
    expect(othersHave(sections, own)).toBe(12)
    const found = estimates(sections, own, [null, null, null, null, null])
    expect(found.map(({ others }) => others)).toEqual([2.4, 2.4, 2.4, 2.4, 2.4])
    expect(found[0]?.value).toBeCloseTo(1000 / 4.4)
  })

  test('takes guesses as they are, and spreads the rest over the others', () => {
    const guesses = [8, 2, null, null, 0]
    const found = estimates(sections, own, guesses)
    expect(unplaced(12, guesses)).toBe(2)
    expect(found.map(({ others, guessed }) => [others, guessed])).toEqual([
      [8, true],
      [2, true],
      [1, false],
      [1, false],
      [0, true],
    ])
    expect(found.map(({ value }) => value)).toEqual([100, 800 / 3, 300, null, null])
  })

  test('never spreads a negative rest', () => {
    const found = estimates(sections, own, [12, 12, null, null, null])
    expect(unplaced(12, [12, 12, null, null, null])).toBe(-12)
    expect(found[2]).toMatchObject({ others: 0, value: 600 })
  })
})

describe('fractions (SSA-T11)', () => {
  test('are whole numbers and a remainder, in lowest terms', () => {
    expect(mixed(5075, 6)).toEqual({ whole: 845, top: 5, bottom: 6 })
    expect(mixed(10_150, 12)).toEqual({ whole: 845, top: 5, bottom: 6 })
    expect(mixed(0, 240)).toEqual({ whole: 0, top: 0, bottom: 1 })
  })

  test('are shown with two decimals, and exactly too if these are rounded', () => {
    expect([decimal(5075, 6), decimal(125, 2), decimal(600, 1), decimal(12_345, 1)]).toEqual([
      '845.83',
      '62.50',
      '600',
      '12,345',
    ])
    expect([exactly(5075, 6), exactly(125, 2), exactly(600, 1), exactly(2, 3)]).toEqual([
      '845 5/6',
      null,
      null,
      '2/3',
    ])
  })
})

describe('words', () => {
  test('name cards, lots and effects', () => {
    expect([formatCard('KH'), formatCard('10S')]).toEqual(['King of hearts', '10 of spades'])
    expect(formatCards([])).toBe('nothing')
    expect(formatLot(['A', 'E', 'A'])).toBe('2 shares of Anchor and 1 share of Ember')
    expect(formatLot([])).toBe('nothing')
    expect(formatEffect(4)).toBe('a free action')
    expect(formatEffect(4, true)).toBe('a free action, which had no effect')
    expect(formatEffect(5, true)).toBe('nothing')
  })

  test('say what a card would do, and when it would do nothing', () => {
    const held = { card: 'KS', uses: 3, adjust: 0, royal: true } as const
    expect(formatPlay(held, false)).toBe('King of spades: take 3 floors off towers')
    expect(formatPlay(held, true)).toContain('no effect now')
    expect(formatPlay({ card: 'QD', uses: 1, adjust: 1, royal: true }, false)).toBe(
      'Queen of diamonds: roll for cards, a look or a swap; adjust by 1',
    )
    expect(formatPlay({ card: 'AD', uses: 3, adjust: 2, royal: true }, false)).toBe(
      'Ace of diamonds: roll for cards, a look or a swap; adjust by 1 or 2',
    )
    expect(formatPlay({ card: '9D', uses: 1, adjust: 0, royal: false }, false)).toBe(
      '9 of diamonds: roll for cards, a look, a swap or nothing',
    )
  })

  test('say what somebody laid down a card for', () => {
    const ANN = { name: 'Ann', you: 0 }
    expect(formatLaid('KS', { name: 'Ann', you: 1 }, null)).toBe('You played the King of spades')
    expect(formatLaid('KS', ANN, true)).toBe('Ann opened a market with the King of spades')
    expect(formatLaid('KS', ANN, null)).toBe('Ann played the King of spades')
    expect((['KS', '2H', '3C', 'AD'] as const).map((card) => formatLaid(card, ANN, false))).toEqual([
      'Ann played the King of spades to lower towers',
      'Ann played the 2 of hearts to raise towers',
      'Ann played the 3 of clubs to look at secrets',
      'Ann played the Ace of diamonds to roll for Chance',
    ])
  })

  test('tell a line with cards, companies, floors, effects and kinds of looks', () => {
    expect(formatArguments('shares.added', { seat: 1, company: 'B', size: 'M' })).toEqual({
      seat: 1,
      company: 'Beacon',
      size: 'a medium floor',
    })
    expect(formatArguments('shares.discarded', { seat: 1, cards: ['2H', 'AS'] })).toMatchObject({
      cards: '2 of hearts and Ace of spades',
    })
    expect(formatArguments('peek.began', { seat: 1, other: 0, what: 'tracker' })).toMatchObject({
      what: 'share tracker',
    })
    expect(formatArguments('shares.auto', { seat: 1, what: 'draw' })).toMatchObject({
      what: 'the rest came from the Draw Deck',
    })
    expect(formatArguments('shares.chance', { seat: 1, number: 6 })).toMatchObject({
      number: 'somebody else rolls',
    })
    expect(formatArguments('shares.exchanged', { seat: 1, other: 2, give: ['A'], back: [] })).toMatchObject({
      give: '1 share of Anchor',
      back: 'nothing',
    })
  })
})

type Line = readonly [
  key: string,
  args?: Readonly<Record<string, number | string | readonly (number | string)[]>>,
]

/** A log: each line is its key without the game, and its arguments. */
function log(...lines: readonly Line[]): readonly AudienceLine[] {
  return lines.map(
    ([key, args = {}], index) =>
      [index, key.includes('.') ? key : `shares.${key}`, args] as unknown as AudienceLine,
  )
}

const ROUND = [
  ['round', { round: 1, rounds: 5 }],
  ['starts', { seat: 1 }],
  ['added', { seat: 1, company: 'A' }],
  ['added', { seat: 2, company: 'A' }],
  ['removed', { seat: 1, company: 'A' }],
  ['removed', { seat: 0, company: 'C' }],
  ['removed', { seat: 0, company: 'D' }],
  ['added', { seat: 1, company: 'D' }],
  ['out', { seat: 1 }],
  ['round', { round: 2, rounds: 5 }],
] as const

describe('what others have done', () => {
  const holding = (cards: readonly string[], ...lines: readonly Line[]): TableView =>
    ({
      state: { lines: log(...lines) },
      status: 'running',
      seat: 0,
      main: { kind: 'turn' },
      nameOf: (seat: number) => ['Ann', 'Bo', 'Cy'][seat],
      gameSection: () => ({ cards }),
    }) as unknown as TableView
  const view = (...lines: readonly Line[]): TableView => holding(['2H'], ...lines)
  const HEART = ['played', { seat: 1, card: '10H' }] as const
  const SWAPPED = ['swapped', { seat: 1, seats: [0, 2] }] as const

  test('is the last card, with what it has done so far', () => {
    const told = (...lines: readonly Line[]): string | null => lastAction(view(...lines))
    const added = ['added', { seat: 1, company: 'C' }] as const
    expect(told(HEART)).toBe('Bo played the 10 of hearts.')
    expect(told(HEART, added, ['added', { seat: 1, company: 'A' }], added)).toBe(
      'Bo played the 10 of hearts: Anchor +1, Comet +2.',
    )
    expect(told(['played', { seat: 1, card: '2S' }], ['removed', { seat: 1, company: 'E' }])).toBe(
      'Bo played the 2 of spades: Ember −1.',
    )
    const diamond = ['played', { seat: 1, card: 'KD' }] as const
    expect(told(diamond, ['inVain', { seat: 1, number: 5 }])).toBe(
      'Bo rolled with the King of diamonds: nothing.',
    )
    const [one, two] = [
      ['chance', { seat: 1, number: 1 }],
      ['chance', { seat: 1, number: 2 }],
    ] as const
    expect(told(diamond, one, ['took', { seat: 1, other: 2 }])).toBe(
      'Bo played the King of diamonds and took a card from Cy.',
    )
    expect(told(diamond, two, ['swapped', { seat: 1, seats: [1, 2] }])).toBe(
      'Bo played the King of diamonds: Bo and Cy have swapped hands.',
    )
    expect([told(diamond, one, ['took', { seat: 1, other: 0 }]), told(diamond, two, SWAPPED)]).toEqual([
      'Bo played the King of diamonds.',
      'Bo played the King of diamonds.',
    ])
    expect(
      told(['played', { seat: 1, card: '5C' }], ['peek.began', { seat: 1, other: 2, what: 'hand' }]),
    ).toBe('Bo played the 5 of clubs and looked at Cy’s hand.')
    const market = ['market', { seat: 2, card: '4C' }] as const
    for (const lines of [[market], [HEART, added, market], [market, ['marketClosed', { seat: 2 }] as const]])
      expect(told(...lines)).toBe('Cy opened a market with the 4 of clubs.')
    expect(told(['discarded', { seat: 2, cards: ['2H', '3H'] }])).toBe(
      'Cy discarded 2 of hearts and 3 of hearts.',
    )
    expect([told(['drawUp', { seat: 2 }]), told(['drawUp', { seat: 2 }], ['drew', { seat: 2 }])]).toEqual([
      'Cy is drawing up to five cards.',
      'Cy has drawn 1 card.',
    ])
  })

  test('is past once the round is, or this person has acted', () => {
    expect(lastAction(view(HEART, ['round', { round: 2 }]))).toBeNull()
    expect(lastAction(view(HEART, ['played', { seat: 0, card: '2H' }]))).toBeNull()
    expect(lastAction(view(HEART, ['ended', { seat: 0 }]))).toBeNull()
    expect(lastAction(view(HEART, ['ended', { seat: 1 }]))).not.toBeNull()
  })

  test('to this person’s hand is told until this person acts, and on the stage until the turn ends', () => {
    const lost = 'Bo swapped your hand with Cy’s: you now have Cy’s cards.'
    const ended = ['ended', { seat: 1 }] as const
    expect(lossNews(view(SWAPPED))).toBe(lost)
    expect(lossNews(view(['swapped', { seat: 1, seats: [1, 0] }]))).toBe(
      'Bo swapped hands with you: you now have Bo’s cards.',
    )
    expect(lossNews(view(['tookCard', { seat: 2, other: 0, card: '4S' }]))).toBe('Cy took your 4 of spades.')
    expect([lossNews(view(SWAPPED, ended)), lossNews(view(SWAPPED, ended), true)]).toEqual([lost, null])
    const played = (seat: number) => ['played', { seat, card: '3D' }] as const
    expect([1, 2].map((seat) => lossNews(view(SWAPPED, played(seat)), true))).toEqual([lost, null])
    expect(lossNews(view(SWAPPED, ['played', { seat: 0, card: '2H' }]))).toBeNull()
    for (const seats of [[1, 2], []]) expect(lossNews(view(['swapped', { seat: 1, seats }]))).toBeNull()
    expect(lossNews(view(['swapped', { seat: 0, seats: [0, 1] }]))).toBeNull()
  })

  test('to this person’s hand by swaps is told of the last one, and whether it leaves any cards', () => {
    const swap = ['swapped', { seat: 1, seats: [1, 0] }] as const
    expect(lossNews(view(swap, swap))).toBe('Bo swapped hands with you: you now have Bo’s cards.')
    expect(lossNews(view(swap, SWAPPED))).toBe('Bo swapped your hand with Cy’s: you now have Cy’s cards.')
    expect(lossNews(holding([], swap, swap))).toBe('Bo swapped hands with you: you have no cards now.')
    expect(lossNews(holding([], SWAPPED))).toBe('Bo swapped your hand with Cy’s: you have no cards now.')
    expect(lossNews(view(['tookCard', { seat: 2, other: 0, card: '4S' }], swap))).toBe(
      'Cy took your 4 of spades. Bo swapped hands with you: you now have Bo’s cards.',
    )
  })
})

describe('what a roll gave', () => {
  const PLAYED = ['played', { seat: 0, card: '7D' }] as const
  const NOTHING = ['inVain', { seat: 0, number: 5 }] as const
  const ROUND = ['round', { round: 2 }] as const
  const told = (kind: string, ...lines: readonly Line[]): string | null =>
    rollNews({ state: { lines: log(...lines) }, seat: 0, main: { kind } } as unknown as TableView)

  test('is told if nothing more is asked', () => {
    expect(told('turn', PLAYED, NOTHING)).toBe('Your roll: nothing.')
    expect(told('turn', PLAYED, ['chance', { seat: 0, number: 3 }])).toBe('Your roll: draw two cards.')
    expect(told('turn', PLAYED, ['inVain', { seat: 0, number: 4 }])).toBe(
      'Your roll: a free action, which had no effect.',
    )
    expect(told('turn', PLAYED, ['chance', { seat: 0, number: 2 }])).toBeNull()
    expect(told('turn', PLAYED, ['inVain', { seat: 1, number: 5 }])).toBeNull()
    expect(told('turn', PLAYED)).toBeNull()
  })

  test('is told until this person acts, or has chosen the next share', () => {
    expect(told('turn', PLAYED, NOTHING, ['played', { seat: 1, card: '2H' }])).not.toBeNull()
    for (const key of ['played', 'ended', 'out'])
      expect(told('turn', PLAYED, NOTHING, [key, { seat: 0 }])).toBeNull()
    expect(told('select', PLAYED, NOTHING, ['stuck', { seat: 0 }], ROUND)).toBe('Your roll: nothing.')
    expect(told('turn', PLAYED, NOTHING, ROUND)).toBeNull()
    expect(told('select', PLAYED, NOTHING, ROUND, ROUND)).toBeNull()
  })
})

describe('a roll that somebody else had to make', () => {
  const PASSED = ['passed', { seat: 2, other: 0 }] as const
  const SWAPS = ['chance', { seat: 0, number: 2 }] as const
  const told = (kind: string, ...lines: readonly Line[]): string | null =>
    passedNews({
      state: { lines: log(['played', { seat: 2, card: '7D' }], ...lines) },
      seat: 0,
      main: { kind },
      nameOf: (seat: number) => ['Al', 'Bo', 'Cy'][seat] ?? '',
    } as unknown as TableView)

  test('is said to whoever has to decide by it', () => {
    expect(told('chance2', PASSED, SWAPS)).toBe('Cy made you roll a 2: two hands are swapped.')
    expect(told('chance2', ['passed', { seat: 0, other: 1 }], PASSED, SWAPS)).toMatch(/^Cy made you/)
    expect(told('chance2', PASSED, ['passed', { seat: 0, other: 1 }], SWAPS)).toBeNull()
    expect(told('chance2', SWAPS)).toBeNull()
    expect(told('turn', PASSED, SWAPS)).toBeNull()
  })
})

describe('the last round', () => {
  test('is summed up by tower, with those whose cards did it', () => {
    expect(lastRound(log(...ROUND))).toEqual({
      round: 1,
      changes: [
        {
          company: 'A',
          floors: 1,
          seats: [
            { seat: 1, floors: 0 },
            { seat: 2, floors: 1 },
          ],
        },
        { company: 'C', floors: -1, seats: [{ seat: 0, floors: -1 }] },
        {
          company: 'D',
          floors: 0,
          seats: [
            { seat: 0, floors: -1 },
            { seat: 1, floors: 1 },
          ],
        },
      ],
    })
    expect([2, -1, 0].map(formatFloors)).toEqual(['+2', '−1', '±0'])
  })

  test('is shown until the first decision of the next, whatever else is told', () => {
    const aside = [
      ['starts', { seat: 0 }],
      ['promise.made', { seat: 0 }],
      ['autoMarks', {}],
    ] as const
    expect(lastRound(log(...ROUND, ...aside))?.round).toBe(1)
    for (const key of ['played', 'discarded', 'drawUp', 'market', 'ended', 'out', 'stuck', 'auto'])
      expect(lastRound(log(...ROUND, ...aside, [key, { seat: 0 }]))).toBeNull()
  })

  test('is not guessed where the log does not reach back to its start', () => {
    expect(lastRound(log(...ROUND.slice(1)))).toBeNull()
    expect(lastRound(log())).toBeNull()
  })

  test('is one line on the stage', () => {
    const view = (lines: readonly AudienceLine[], status = 'running'): TableView =>
      ({ state: { lines }, status }) as unknown as TableView
    expect(roundNews(view(log(...ROUND)))).toBe('Round 1: Anchor +1, Comet −1, Dynamo ±0')
    expect(roundNews(view(log(ROUND[0], ROUND[9])))).toBe('Round 1: no tower changed.')
    expect(roundNews(view(log(...ROUND), 'ended'))).toBeNull()
    expect(roundNews(view(log()))).toBeNull()
  })
})

describe('ready-made phrases', () => {
  /** Seat 0 looks on; Anchor and Comet have floors. */
  function at({
    lines = log(...ROUND),
    talk = [] as readonly Record<string, unknown>[],
    phase = 'select',
    round = 2,
    next = 'L' as string | null,
    due = [1],
  } = {}): (key: string) => boolean {
    const companies = [['L'], [], ['L'], [], []].map((floors) => ({ floors }))
    const sections = {
      ...Object.fromEntries(['scene', 'recent', 'players', 'piles'].map((key) => [key, {}])),
      stage: { phase, round, rounds: 5 },
      towers: { companies, next },
    } as Record<string, unknown>
    const view = {
      seat: 0,
      due,
      state: { lines, talk, sections },
      gameSection: (_: string, name: string) => sections[name],
    } as unknown as TableView
    return (key) => fits(view, `shares.say.${key}`)
  }
  const all = (fitting: (key: string) => boolean, name: string): string =>
    COMPANIES.filter((company) => fitting(name + company)).join('')

  test('name towers that can be raised or lowered', () => {
    expect(all(at(), 'raise')).toBe('ABCDE')
    expect(all(at({ next: null }), 'raise')).toBe('')
    expect(all(at(), 'lower') + all(at(), 'leave')).toBe('ACAC')
    expect(all(at(), 'iTake') + all(at({ phase: 'action' }), 'iTake')).toBe('ABCDE')
    expect(all(at(), 'iHold')).toBe('ABCDE')
  })

  test('answer only where somebody has spoken to this seat, or to all', () => {
    expect(at()('agreed')).toBe(false)
    expect(at({ talk: [{ seat: 1, args: { to: 2 } }] })('no')).toBe(false)
    expect(at({ talk: [{ seat: 1, args: { to: 0 } }] })('agreed')).toBe(true)
    expect(at({ talk: [{ seat: 1 }] })('iHelp')).toBe(true)
    expect(at({ talk: [{ seat: 0 }] })('agreed')).toBe(false)
  })

  test('thank and accuse only after somebody else has done something', () => {
    expect(['thanks', 'traitor'].map(at())).toEqual([true, true])
    expect(['thanks', 'traitor'].map(at({ lines: log(ROUND[0], ROUND[5]) }))).toEqual([false, false])
  })

  test('tell only of secrets that this seat has looked at', () => {
    expect(['spiedA', 'spiedHearts', 'spiedNothing'].map(at())).toEqual([false, false, false])
    const looked = (seat: number, what: string): ReturnType<typeof at> =>
      at({ lines: log(...ROUND, ['peek.began', { seat, other: 1, what }]) })
    expect(['spiedA', 'spiedHearts', 'spiedNothing'].map(looked(0, 'tracker'))).toEqual([true, false, true])
    expect(['spiedA', 'spiedHearts', 'spiedNothing'].map(looked(0, 'hand'))).toEqual([false, true, true])
    expect(looked(2, 'hand')('spiedHearts')).toBe(false)
  })

  test('hurry the others, and praise them at the end', () => {
    expect([at()('hurry'), at({ due: [0] })('hurry')]).toEqual([true, false])
    expect([at()('wellPlayed'), at({ round: 5 })('wellPlayed')]).toEqual([false, true])
    expect([at()('whoHasHearts'), at({ next: null })('whoHasHearts')]).toEqual([true, false])
  })
})

describe('who has sat out', () => {
  const told = (sinceAnybody: boolean, ...lines: readonly Line[]): string | null =>
    outNews(
      {
        state: { lines: log(...lines) },
        seat: 0,
        nameOf: (seat: number) => ['Ann', 'Bo', 'Cy'][seat] ?? '',
      } as unknown as TableView,
      sinceAnybody,
    )
  const BO: Line = ['out', { seat: 1 }]
  const CY: Line = ['out', { seat: 2 }]
  const OWN: Line = ['ended', { seat: 0 }]
  const OTHER: Line = ['played', { seat: 2, card: '2H' }]

  test('is told until this person acts, or only until somebody does', () => {
    expect(told(false, OWN, BO)).toBe('Bo sits out the rest of the round.')
    expect(told(false, OWN, BO, CY)).toBe('Bo and Cy sit out the rest of the round.')
    expect(told(false, OWN, BO, OTHER)).toBe('Bo sits out the rest of the round.')
    expect(told(true, OWN, BO, OTHER)).toBeNull()
    expect(told(true, OTHER, BO)).toBe('Bo sits out the rest of the round.')
  })

  test('is not told of oneself, of earlier turns, or of another round', () => {
    expect(told(true, ['out', { seat: 0 }])).toBeNull()
    expect(told(false, BO, OWN)).toBeNull()
    expect(told(false, BO, ['round', { round: 2 }])).toBeNull()
  })

  const done = (over: {
    readonly phase?: string
    readonly kind?: string
    readonly decides?: number
    readonly out?: readonly boolean[]
    readonly actions?: readonly number[]
    readonly locked?: readonly boolean[]
  }): readonly (boolean | null)[] => {
    const sections: Record<string, unknown> = {
      stage: { phase: over.phase ?? 'action' },
      scene: { kind: over.kind ?? 'turn', seat: over.decides ?? 0 },
      recent: {},
      towers: {},
      piles: {},
      players: { out: over.out ?? [false, true, false], actions: over.actions ?? [3, 2, 0] },
      ...(over.locked ? { readiness: { locked: over.locked } } : {}),
    }
    const view = {
      state: { sections },
      gameSection: (_: string, name: string) => sections[name],
    } as unknown as TableView
    return [0, 1, 2].map((seat) => client.done(view, seat))
  }

  test('is marked on the seat, as is who has no actions left', () => {
    expect(done({})).toEqual([false, true, true])
  })

  test('is not marked while that seat decides, a market is open, or shares are taken', () => {
    expect(done({ kind: 'take', decides: 1 })).toEqual([null, false, true])
    expect(done({ kind: 'market' })).toEqual([null, null, null])
    expect(done({ phase: 'select', kind: 'select', locked: [false, true, false] })).toEqual([
      false,
      true,
      false,
    ])
  })
})

describe('a proposal of a bot', () => {
  const BOTH = ['shares.say.agreed', 'shares.say.no']
  const said = (seat: number, phrase: string, to: number | null, at = 20): TalkMessage =>
    ({ seat, phrase, at, bot: seat !== 0, args: to === null ? {} : { to } }) as unknown as TalkMessage
  const ask = said(1, 'shares.bot.askRaise.c1', 0)
  const replies = (
    message: TalkMessage,
    talk: readonly TalkMessage[],
    { phase = 'action', out = false, actions = 2, began = 10 } = {},
  ): readonly string[] => {
    const sections: Record<string, unknown> = {
      stage: { phase },
      scene: {},
      recent: {},
      towers: {},
      piles: {},
      players: { out: [out, false, false], actions: [actions, 3, 3] },
    }
    return repliesIn(
      {
        seat: 0,
        state: { talk, sections, lines: [[1, 'shares.round', { round: 2 }, began]] },
        gameSection: (_: string, name: string) => sections[name],
      } as unknown as TableView,
      message,
    )
  }

  test('is answered with a yes or a no', () => {
    expect(replies(ask, [ask])).toEqual(BOTH)
    expect(replies(ask, [ask, said(2, 'shares.bot.lead.1', null)])).toEqual(BOTH)
    expect(replies(ask, [ask], { phase: 'select', actions: 0 })).toEqual(BOTH)
  })

  test("is any remark that the bots' own code counts as one, and no other", () => {
    const list = /^PROPOSALS: Final = \(([^)]*)\)$/m.exec(readFileSync(SAYINGS, 'utf8'))?.[1] ?? ''
    const proposals = [...list.matchAll(/"(\w+)"/g)].map((match) => match[1])
    const { remarks } = JSON.parse(readFileSync(TEXTS, 'utf8')) as { remarks: Record<string, string> }
    const answered = Object.keys(remarks)
      .map((key) => said(1, key, 0))
      .filter((remark) => replies(remark, [remark]).length > 0)
    expect(new Set(answered.map(intentOf))).toEqual(new Set(proposals))
  })

  test('is none if it is to another seat, or proposes nothing', () => {
    for (const other of [said(1, 'shares.bot.askRaise.c1', 2), said(1, 'shares.bot.thankRaise.1', 0)])
      expect(replies(other, [other])).toEqual([])
  })

  test('ends with an answer, a later proposal, the round, or the last action of this seat', () => {
    expect(replies(ask, [ask, said(0, 'shares.say.no', null)])).toEqual([])
    const later = said(2, 'shares.bot.deal.1', 0)
    expect([replies(ask, [ask, later]), replies(later, [ask, later])]).toEqual([[], BOTH])
    expect(replies(ask, [ask], { began: 30 })).toEqual([])
    expect(replies(ask, [ask], { out: true })).toEqual([])
    expect(replies(ask, [ask], { actions: 0 })).toEqual([])
    expect(replies(ask, [ask], { phase: 'end' })).toEqual([])
  })
})
