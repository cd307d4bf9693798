/** Takeover's board: the geometry of the grid, coins and their sides, reading choices and sections. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { words } from '../../src/app/language.ts'
import type { TableView } from '../../src/app/tableview.svelte.ts'
import type { Values } from '../../src/app/words.ts'
import {
  isSuit,
  sidesOf,
  stocksOf,
  sumOf,
  suitOf,
  SUITS,
  valueOf,
  VALUES,
  type Lying,
  type Name,
} from '../../src/games/takeover/coins.ts'
import { deals, effectOf, leastOf } from '../../src/games/takeover/deals.ts'
import { arrow, keyed, moved, placeOf, squareOf, topOf, type Stacks } from '../../src/games/takeover/grid.ts'
import {
  formatArguments,
  formatCoin,
  formatCoins,
  formatLastMove,
  formatLessonPair,
  formatLosses,
  formatMerge,
  formatRefusal,
  formatTerm,
  lossesOf,
  sentenceOf,
  formatWishes,
} from '../../src/games/takeover/format.ts'
import { owedBy, turnAfter } from '../../src/games/takeover/owed.ts'
import {
  endsBy,
  nearOf,
  outOf,
  ownersOf,
  passesLeft,
  pairsOf,
  purseOf,
  reach,
  splitOf,
  suitsLeft,
  type Sections,
} from '../../src/games/takeover/selectors.ts'
import type { Preview, TakeoverSelection } from '../../src/games/takeover/selection.svelte.ts'
import { texts } from '../../src/games/takeover/words.ts'
import type {
  TalkMessage,
  Choice,
  AudienceLine,
  TakeoverHolding,
  TakeoverMerger,
  TakeoverStack,
} from '../../src/sdk/wire.gen.ts'

/** A grid with these stacks on these squares, bottom coin first. */
function grid(on: Readonly<Record<number, readonly Name[]>>): Stacks {
  return Array.from({ length: 24 }, (_, square) => {
    const tiles = on[square]
    return tiles === undefined ? null : { tiles, worth: 0 }
  })
}
const coin = (name: Name, stock: boolean, worth = valueOf(name)): TakeoverHolding => ({ name, stock, worth })

describe('coins', () => {
  test('have a suit and a value, and lie with one of them up', () => {
    expect([suitOf('M4'), valueOf('M4')]).toEqual(['M', 4])
    expect(sidesOf('M4', true)).toEqual(['M', '4'])
    expect(sidesOf('M4', false)).toEqual(['4', 'M'])
    expect(['S', 'A', '0', '5'].map(isSuit)).toEqual([true, true, false, false])
  })

  test('are stocks or money', () => {
    const coins: readonly Lying[] = [
      { name: 'S5', stock: true },
      { name: 'C2', stock: false },
    ]
    expect(stocksOf(coins)).toEqual(['S5'])
    expect(sumOf(['S5', 'C2', 'A0'])).toBe(7)
  })

  test('are those of the rules, and no others', () => {
    const rules = readFileSync(new URL('../../../games/takeover/rules/values.py', import.meta.url), 'utf8')
    const names = [...rules.matchAll(/"([SMCA]\d)"/g)].map((match) => match[1])
    expect(new Set(names)).toEqual(new Set(SUITS.flatMap((suit) => VALUES.map((value) => `${suit}${value}`))))
  })
})

describe('the grid', () => {
  test('has six squares to a row', () => {
    expect([0, 5, 6, 23].map(placeOf)).toEqual([
      { x: 0, y: 0 },
      { x: 5, y: 0 },
      { x: 0, y: 1 },
      { x: 5, y: 3 },
    ])
  })

  test('is traversed by arrows, Home and End, no further than its edge', () => {
    expect(
      ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'].map((key) => keyed(8, key)),
    ).toEqual([7, 9, 2, 14, 6, 11])
    expect([
      keyed(0, 'ArrowUp'),
      keyed(0, 'ArrowLeft'),
      keyed(23, 'ArrowDown'),
      keyed(23, 'ArrowRight'),
    ]).toEqual([0, 0, 23, 23])
    expect(keyed(8, 'Enter')).toBeNull()
    expect(keyed(2, 'ArrowDown', 6, 1)).toBe(2)
  })

  test('names a corporation by its top', () => {
    const stacks = grid({ 3: ['S5', 'S3'], 4: ['A1'] })
    expect([topOf(stacks, 3), topOf(stacks, 4), topOf(stacks, 5)]).toEqual(['S3', 'A1', null])
    expect([squareOf(stacks, 'S3'), squareOf(stacks, 'S5'), squareOf(stacks, null)]).toEqual([3, null, null])
  })

  test('shows which stack moved onto which, and from where', () => {
    const before = grid({ 2: ['S3'], 3: ['S5'], 9: ['A1'] })
    expect(moved(before, grid({ 3: ['S5', 'S3'], 9: ['A1'] }))).toEqual({ from: 2, to: 3 })
    expect(moved(before, before)).toBeNull()
    expect(moved(before, grid({ 3: ['A1', 'S5', 'S3'] }))).toBeNull()
    expect(moved(before, grid({ 3: ['S5'], 9: ['A1'] }))).toBeNull()
  })

  test.each([
    [0, 1],
    [1, 0],
    [0, 6],
    [5, 23],
    [6, 11],
  ])('draws an arrow from %i to %i between their middles', (from, to) => {
    const points = arrow(from, to, 100)
      .slice(1, -1)
      .split('L')
      .map((point) => point.split(' ').map(Number) as [number, number])
    const [one, other] = [placeOf(from), placeOf(to)]
    const along = ([x, y]: [number, number]): number =>
      (x / 100 - one.x - 0.5) * Math.sign(other.x - one.x) +
      (y / 100 - one.y - 0.5) * Math.sign(other.y - one.y)
    const far = Math.abs(other.x - one.x) + Math.abs(other.y - one.y)
    expect(points).toHaveLength(7)
    expect(Math.min(...points.map(along))).toBeGreaterThan(0.2)
    expect(Math.max(...points.map(along))).toBeLessThan(far - 0.2)
    expect(points.map(along).indexOf(Math.max(...points.map(along)))).toBe(3)
  })
})

describe('sections', () => {
  const mergers: readonly TakeoverMerger[] = [
    ['S3>S5', 0, 4, true],
    ['S3>M4', 4, 4, false],
    ['S5>S3', 0, 6, true],
  ]

  test('say what a corporation may go onto, and which of these need a null', () => {
    const found = reach(mergers, 'S3')
    expect([...found]).toEqual([
      ['S5', { onto: 'S5', cost: 0, worth: 4, touch: true }],
      ['M4', { onto: 'M4', cost: 4, worth: 4, touch: false }],
    ])
    expect([...nearOf(found, false).keys()]).toEqual(['S5'])
    expect(nearOf(found, true)).toEqual(found)
    expect(reach(mergers, null).size).toBe(0)
  })

  test('choices name the pairs that may be merged', () => {
    const choice = (move: string, pairs: readonly string[]): Choice => ({
      move,
      fields: { pair: { type: 'one_of', of: pairs }, pay: { type: 'subset', of: [], least: 0, most: 0 } },
    })
    expect([...pairsOf([choice('merge', ['S3>S5', 'S5>S3']), choice('merge', ['S3>M4'])])]).toEqual([
      'S3>S5',
      'S5>S3',
      'S3>M4',
    ])
    expect(pairsOf([{ move: 'pass', fields: {} }]).size).toBe(0)
  })

  test('a purse holds cash that pays, and nulls that leap; stocks are neither', () => {
    const coins: readonly Lying[] = [
      { name: 'S0', stock: true },
      { name: 'S5', stock: true },
      { name: 'M0', stock: false },
      { name: 'C2', stock: false },
    ]
    expect(purseOf(coins)).toEqual({ cash: ['C2'], nulls: ['M0'] })
  })

  test('two lapses are as good as a pass, one is not (TKO-21)', () => {
    const passes = { passed: [true, false, false], lapses: [0, 2, 1] }
    expect(outOf(passes)).toEqual([true, true, false])
    expect([0, 1, 2].map((seat) => endsBy(passes, seat))).toEqual([false, false, true])
  })

  test('a pass tells how many others have to pass for the game to end', () => {
    const passes = { passed: [false, true, false, false], lapses: [0, 0, 2, 1] }
    expect([0, 1, 3].map((seat) => passesLeft(passes, seat))).toEqual([1, 2, 1])
    expect(passesLeft({ ...passes, lapses: [0, 0, 2, 2] }, 0)).toBe(0)
  })

  test('coins are split by how they lie, or as they are marked', () => {
    const coins = [coin('S5', true, 7), coin('M2', false), coin('A0', false)]
    const { stocks, cash, inStocks, inCash } = splitOf(coins, null)
    expect([stocks.map(({ name }) => name), cash.map(({ name }) => name), inStocks, inCash]).toEqual([
      ['S5'],
      ['M2', 'A0'],
      7,
      2,
    ])
    const marked = splitOf([coin('S5', false), coin('M2', false)], ['M2'])
    expect([marked.inStocks, marked.inCash]).toEqual([2, 5])
  })

  test('a coin of a value may be of any suit that is not among one’s own of that value', () => {
    expect(
      suitsLeft(
        [
          { name: 'S5', stock: false },
          { name: 'M4', stock: false },
        ],
        5,
      ),
    ).toEqual(['M', 'C', 'A'])
  })

  test('owners of stocks are given as far as they are known', () => {
    const stage = { phase: 'play', number: 0, turn: 0, first: 0 } as const
    const sections = {
      stage,
      hand: { coins: [coin('S5', true), coin('M2', false)], total: 7, pay: [] },
    } as unknown as Sections
    expect([...ownersOf(sections, 1)]).toEqual([['S5', 1]])
    expect(ownersOf(sections, null).size).toBe(0)
    const open = {
      stage,
      holdings: { counts: [1, 1], faces: null, coins: [[['A1', true]], [['C3', false]]], spent: [] },
    } as unknown as Sections
    expect([...ownersOf(open, null)]).toEqual([['A1', 0]])
  })
})

describe('words', () => {
  test('name coins by industry and value', () => {
    expect(formatCoin('S5')).toBe('Suns 5')
    expect(formatCoins(['A0', 'C3'])).toBe('Arms 0 and Crowns 3')
    expect(formatCoins([])).toBe('nothing')
  })

  test('say what is wished for', () => {
    expect(formatWishes(['S5', 'M', '3+', 'null', 'coin'])).toBe(
      'the stock Suns 5, any stock of Moons, at least 3 in cash, a 0 coin held as cash, and any coin',
    )
    expect(formatWishes([])).toBe('nothing')
  })

  test('put the arguments of a line in words, and leave seats and numbers', () => {
    expect(formatArguments({ seat: 1, source: 'S3', onto: 'M4', paid: [3, 1] })).toEqual({
      seat: 1,
      source: 'Suns 3',
      onto: 'Moons 4',
      paid: [3, 1],
    })
    expect(formatArguments({ seat: 1, source: 'S3', onto: 'S5', paid: [] })).toMatchObject({
      paid: 'nothing',
    })
    expect(formatArguments({ coin: 'A1' })).toEqual({ coin: 'Arms 1' })
    expect(formatArguments({ coins: ['A1', 'C2'] })).toEqual({ coins: 'Arms 1 and Crowns 2' })
    expect(formatArguments({ seat: 0, other: 1, give: ['S5', 'M2$'], back: [] })).toMatchObject({
      seat: 0,
      other: 1,
      give: 'the stock Suns 5 and Moons 2 (cash)',
      back: 'nothing',
    })
    expect(formatArguments({ seat: 0, other: 1, give: [], wish: ['2+'] })).toMatchObject({
      give: 'nothing',
      wish: 'at least 2 in cash',
    })
  })
})

describe('a merger', () => {
  const view = { why: () => 'refused', lessonMove: { move: 'merge', pair: 'A5>C0' } } as unknown as TableView
  const chosen = {
    source: 'C0',
    onto: 'A5',
    pair: 'C0>A5',
    merger: { onto: 'A5', cost: 5, worth: 6, touch: true },
    purse: { cash: ['C2'], nulls: ['C0'] },
    pay: ['C2'],
    nullCoin: null,
    refusal: { code: 'NOT_ENOUGH' },
  } as unknown as TakeoverSelection
  const preview = { cost: 2, lost: 1 } as unknown as Preview

  test('names on its button all that it costs', () => {
    const label = (pay: readonly Name[], nullCoin: Name | null): string =>
      formatMerge({ pay, nullCoin } as unknown as TakeoverSelection, preview)
    expect(label([], null)).toBe('Merge, free')
    expect(label([], 'C0')).toBe('Merge, use a 0 coin')
    expect(label(['C3'], null)).toBe('Merge, pay 3')
    expect(label(['C3'], 'C0')).toBe('Pay 3 and a 0 coin')
  })

  test('that costs too much says what this seat has', () => {
    expect(formatRefusal(view, chosen)).toBe('You have 2 in cash; this costs 5.')
    const purse = { cash: ['C2', 'C4'], nulls: [] }
    const less = { ...chosen, purse } as unknown as TakeoverSelection
    expect(formatRefusal(view, less)).toBe('You pay 2; this costs 5. Add cash.')
    const other = { ...chosen, refusal: { code: 'NULL_NEEDED' } } as unknown as TakeoverSelection
    expect(formatRefusal(view, other)).toBe('refused')
  })

  test('other than the lesson’s is put right', () => {
    expect(formatLessonPair(view, chosen)).toBe('First choose Arms 5, which moves, then Crowns 0.')
    const right = { ...chosen, source: 'A5', onto: 'C0', pair: 'A5>C0' } as unknown as TakeoverSelection
    expect(formatLessonPair(view, right)).toBeNull()
    expect(formatLessonPair({ lessonMove: null } as unknown as TableView, chosen)).toBeNull()
  })
})

describe('news beside the board', () => {
  const news = (...lines: [key: string, args: AudienceLine[2]][]): string | null =>
    formatLastMove({
      nameOf: (seat: number) => ['Ann', 'Bo'][seat],
      game: {
        texts,
        formatArguments: (_: string, values: Values) => formatArguments(values),
        sentence: sentenceOf,
      },
      state: { lines: lines.map(([key, args], number): AudienceLine => [number, key, args, number]) },
    } as unknown as TableView)
  const play = ['takeover.play', { seat: 0 }] as [string, AudienceLine[2]]

  test('are the last move in play, and what it did to one’s own stock', () => {
    expect(news(['takeover.passed', { seat: 0 }], ['takeover.yourFlip', { coin: 'S3' }])).toBe(
      'Ann passed. Your stock Suns 3 turned to cash.',
    )
    expect(news(['takeover.yourFlip', { coin: 'S3' }], ['takeover.passed', { seat: 0 }])).toBe('Ann passed.')
  })

  test('are what the clock did in play, not while coins were picked', () => {
    expect(news(['takeover.auto', { seat: 1 }], play)).toBeNull()
    expect(news(play, ['takeover.passed', { seat: 0 }], ['takeover.auto', { seat: 1 }])).toBe(
      'Bo ran out of time and passed.',
    )
  })
})

describe('losses since one’s own last move', () => {
  const line = (number: number, key: string, args: AudienceLine[2]): AudienceLine => [
    number,
    key,
    args,
    number,
  ]
  const merged = (seat: number, source: Name, onto: Name): AudienceLine =>
    line(2, 'takeover.merged', { seat, source, onto, paid: [] })
  const stacks = grid({ 3: ['C1', 'M5', 'M4'], 8: ['S3', 'A3'] })

  test('are what others have swallowed, with what it was worth', () => {
    const flip = line(3, 'takeover.yourFlip', { coin: 'M5' })
    expect(
      lossesOf([line(1, 'takeover.passed', { seat: 0 }), merged(1, 'M4', 'M5'), flip], stacks, 0),
    ).toEqual([{ by: 1, coin: 'M5', before: 6, after: 5 }])
    expect(
      lossesOf([merged(1, 'M4', 'M5'), flip, line(4, 'takeover.passed', { seat: 0 })], stacks, 0),
    ).toEqual([])
    expect(lossesOf([merged(0, 'M4', 'M5'), flip], stacks, 0)).toEqual([])
  })

  test('name two values only if there were two', () => {
    const flips = [line(3, 'takeover.yourFlip', { coin: 'M5' }), line(4, 'takeover.yourFlip', { coin: 'S3' })]
    const view = { seat: 0, nameOf: () => 'Bo', state: { lines: [merged(1, 'M4', 'M5'), ...flips] } }
    expect(formatLosses(view as unknown as TableView, { board: { stacks } } as unknown as Sections)).toBe(
      'Since your turn: Bo swallowed your Moons 5 (6 → 5) and Bo swallowed your Suns 3 (now cash).',
    )
  })
})

describe('sentences that must be true of every table', () => {
  test('of a swallowed corporation, also when its coin is spent or cash already (TKO-20)', () => {
    expect(words.format(texts.lines['takeover.subsumed'] ?? '', formatArguments({ coin: 'S5' }))).toBe(
      'Suns 5 was swallowed; its coin can no longer be a stock.',
    )
  })

  test('of one offer too many: the number is that of the table (TKO-22)', () => {
    expect([1, 3].map((most) => words.format(texts.refusals.TOO_MANY ?? '', { most }))).toEqual([
      'You already have 1 offer open to that player. Withdraw it first.',
      'You already have 3 offers open to that player. Withdraw one first.',
    ])
  })
})

test('a trade says what it makes of the coins, and of the cash among them', () => {
  const stacks = [
    { tiles: ['M2', 'A5'], worth: 6 },
    null,
    { tiles: ['S5'], worth: 5 },
  ] as const satisfies readonly (TakeoverStack | null)[]
  const coins = [
    { name: 'A5', stock: true, worth: 6 },
    { name: 'C2', stock: false, worth: 2 },
  ] as const
  const cash = (name: 'S5' | 'A2' | 'C2'): { name: typeof name; stock: boolean } => ({ name, stock: false })
  const [tower, level] = [
    { name: 'A5', stock: true },
    { name: 'S5', stock: true },
  ] as const
  expect(effectOf(coins, stacks, [tower], [cash('S5'), cash('A2')])).toEqual({
    before: 8,
    after: 9,
    cash: 2,
    cashAfter: 9,
  })
  expect(effectOf(coins, stacks, [cash('C2')], [level])).toEqual({
    before: 8,
    after: 11,
    cash: 2,
    cashAfter: 0,
  })
})

const tower = (worth: number, ...tiles: Name[]): TakeoverStack => ({ tiles, worth })

test('an offer of one’s own promises what its wish is worth at least', () => {
  const stacks = [tower(6, 'M2', 'A5'), tower(5, 'S5'), tower(3, 'S4', 'M1', 'S1'), null, tower(0, 'S0')]
  const coins = [{ name: 'S0', stock: true }] as const
  const least = (...wish: string[]): ReturnType<typeof leastOf> => leastOf(wish, stacks, coins)
  expect(least('A5', 'null')).toEqual({
    coins: [
      { name: 'A5', stock: true },
      { name: 'S0', stock: false },
    ],
    more: false,
    moreCash: false,
  })
  expect(least('5+')).toMatchObject({ coins: [{ name: 'S5', stock: false }], more: false })
  expect(least('3+')).toMatchObject({ coins: [{ name: 'S3', stock: false }], more: true, moreCash: true })
  // the lowest of others' stocks of Suns
  expect(least('S')).toMatchObject({ coins: [{ name: 'S1', stock: true }], more: true, moreCash: false })
  expect(least('coin')).toMatchObject({ more: true, moreCash: true })
})

test('an offer of one’s own says what it would make of the coins, before and after', () => {
  const sections = {
    board: { stacks: [tower(6, 'M2', 'A5'), tower(5, 'S5')] },
    hand: {
      coins: [
        { name: 'A5', stock: true, worth: 6 },
        { name: 'C2', stock: false, worth: 2 },
      ],
    },
  }
  const view = {
    nameOf: () => 'Bo',
    gameSection: (_game: string, name: 'board' | 'hand') => sections[name],
  } as unknown as TableView
  const stock = { item: 'A5', face: 'stock' }
  const wish = (item: string): { item: string; face: string } => ({ item, face: 'wish' })
  expect(deals.prospect?.(view, 1, [stock], [wish('S5'), wish('null')])).toBe(
    'If Bo accepts: your total 8 → 7, your cash 2 → 2.',
  )
  expect(deals.prospect?.(view, 1, [stock], [wish('4+'), wish('3+')])).toBe(
    'If Bo accepts: your total 8 → at least 9, your cash 2 → at least 9.',
  )
  expect(deals.prospect?.(view, 1, [], [])).toBe(null)
  const effects = ['cash', 'stock'].map((face) =>
    deals.effect?.(view, [{ item: 'C2', face: 'cash' }], [{ item: 'S0', face }]),
  )
  expect(effects[0]).toMatch(/ A 0 coin, as cash, lets a company jump\.$/)
  expect(effects[1]).not.toContain('jump')
})

describe('a promise under the words of a bot', () => {
  const says = (intent: string, args: object): TalkMessage =>
    ({
      phrase: `takeover.bot.${intent}.1`,
      args: { to: 0, ...args },
      seat: 1,
      bot: true,
    }) as unknown as TalkMessage

  test('is what the bot asks for', () => {
    const spare = { kind: 'spare', terms: { coin: 'A5', turn: 4 }, to: [1] }
    expect(owedBy(0, 4, says('askSpare', { coin: 'A5' }))).toEqual(spare)
    expect(owedBy(0, 4, says('offerPact', { mine: 'A5', yours: 'S3' }))).toEqual(spare)
    expect(owedBy(0, 4, says('askCover', { coin: 'A5' }))).toEqual({ ...spare, kind: 'cover' })
    for (const intent of ['askSell', 'hostile', 'threat'])
      expect(owedBy(0, 4, says(intent, { coin: 'A5' })), intent).toBeNull()
    expect(owedBy(0, 4, says('askSpare', { coin: 'A5', to: 2 }))).toBeNull()
  })

  test('says which of its turns is the current or the next one', () => {
    const at = (turn: number, seat: number | null = 2): TableView =>
      ({
        seat,
        seats: Array(4),
        state: { sections: { stage: { phase: 'play', number: 5, turn } } },
        gameSection: (_game: string, name: string) =>
          name === 'stage' ? { phase: 'play', number: 5, turn } : {},
      }) as unknown as TableView
    const terms = (view: TableView): (string | null)[] =>
      [6, 7, 10, 11].map((turn) => formatTerm(view, 'turn', turn))
    expect(terms(at(2))).toEqual(['6 (this one)', null, '10 (my next)', null])
    expect(terms(at(1))).toEqual([null, '7 (my next)', null, null])
    expect(terms(at(1, null))).toEqual([null, null, null, null])
    expect(formatTerm(at(1), 'count', 7)).toBeNull()
  })

  test('lasts until the next turn is over, after one that is being taken', () => {
    const stage = { phase: 'play', number: 5, first: 0 } as const
    expect(turnAfter(2, 4, { ...stage, turn: 1 })).toBe(7)
    expect(turnAfter(0, 4, { ...stage, turn: 1 })).toBe(9)
    expect(turnAfter(1, 4, { ...stage, turn: 1 })).toBe(10)
  })
})
