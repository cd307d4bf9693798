/** Deals: after an action on an offer, the verdict and the frame that ends it may arrive in either order. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Deal, DealLines, Ending, GameDeals, Thing } from '../../src/app/deals.ts'
import { Dealing } from '../../src/app/table/dealing.svelte.ts'
import { endedBefore } from '../../src/app/table/pastdeals.ts'
import type { TableView } from '../../src/app/tableview.svelte.ts'
import type { Verdict } from '../../src/sdk/table.ts'
import type { Multiset, Choice, AudienceLine } from '../../src/sdk/wire.gen.ts'

const ME = 1
const COUNTED: Verdict = { code: null, rule: null, args: {} }
const REFUSED: Verdict = { code: 'STALE_PROMPT', rule: null, args: {} }
const thing = (item: string): Thing => ({ item, face: item })
const TO_ME: Deal = { id: 'x', by: 0, to: ME, give: [thing('apple')], wish: [thing('pear')] }
const MINE: Deal = { ...TO_ME, id: 'm', by: ME, to: 0 }

const any: Multiset = { type: 'multiset', of: ['apple', 'pear'], times: null, bounds: [], tight: false }
const terms = { give: any, wish: any }
const PROPOSE: Choice = { move: 'propose', fields: { to: { type: 'one_of', of: [0] }, ...terms } }
const ANSWERS: readonly Choice[] = [
  { move: 'accept', fields: { pay: any } },
  { move: 'counter', fields: terms },
  { move: 'decline', fields: {} },
]

const LINES: DealLines = {
  offered: 'game.offered',
  countered: 'game.countered',
  swapped: 'game.swapped',
  closed: 'game.closed',
  good: thing,
  wish: thing,
}

interface Stand {
  readonly dealing: Dealing
  /**
   * Delivers a frame with no open offer and one log line, which says only that it is gone unless given; `market` says whether
   * offers can still be made.
   */
  readonly gone: (market: boolean, line?: string) => void
  /** Delivers the hub's answer to the first message sent. */
  readonly answer: (verdict: Verdict) => void
}

/** A table at which this offer is open; messages sent to the hub wait for a verdict. */
function tableWith(deal: Deal, lines: readonly AudienceLine[] = []): Stand {
  const sent: ((verdict: Verdict) => void)[] = []
  const hub = {
    status: 'running',
    seat: ME,
    code: 'T',
    seated: true,
    acts: true,
    state: { lines },
    market: true,
    open: [deal],
  }
  const view = Object.assign(hub, {
    prompt: () => (hub.market ? { id: 'market' } : undefined),
    section: () => ({
      choices: {
        ...(hub.market && { market: [PROPOSE] }),
        ...Object.fromEntries(hub.open.map(({ id }) => [id, ANSWERS])),
      },
    }),
    reply: async () => new Promise<Verdict>((settle) => sent.push(settle)),
  })
  const game = {
    prompt: 'market',
    lines: LINES,
    offers: () => hub.open,
    goods: () => [thing('pear')],
    wishes: () => [{ title: '', things: [thing('apple')] }],
    wishFor: ({ item }: Thing) => item,
    cost: () => 1,
  }
  const dealing = new Dealing(view as unknown as TableView, game as unknown as GameDeals)
  dealing.follow()
  return {
    dealing,
    gone(market, line = 'offer.gone') {
      Object.assign(hub, {
        market,
        open: [],
        state: { lines: [[1, line, { seat: deal.by, other: deal.to }, 0]] },
      })
      dealing.follow()
    },
    answer: (verdict) => sent.shift()?.(verdict),
  }
}

/** How the only offer ended, as shown on the screen; null while it is open. */
const endingIn = ({ shown }: Dealing): Ending | null | undefined => shown[0]?.ending

/** Writes a counter-offer, ready to be sent. */
function written({ dealing }: Stand): void {
  dealing.begin(TO_ME)
  if (dealing.draft !== null) dealing.draft = { ...dealing.draft, give: [thing('pear')] }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe.each<{ does: string; did: Ending; act: (stand: Stand) => Promise<Verdict | null> }>([
  { does: 'accept', did: 'traded', act: async ({ dealing }) => dealing.accept(TO_ME, 'pay', ['pear']) },
  { does: 'decline', did: 'declined', act: async ({ dealing }) => dealing.decline(TO_ME) },
  {
    does: 'counter',
    did: 'countered',
    async act(stand) {
      written(stand)
      return stand.dealing.draft && stand.dealing.send(stand.dealing.draft)
    },
  },
])('$does', ({ does, did, act }) => {
  const counters = does === 'counter'

  test('verdict, then frame: the ending is what this person did', async () => {
    const stand = tableWith(TO_ME)
    const done = act(stand)
    stand.answer(COUNTED)
    expect((await done)?.code).toBe(null)
    expect(endingIn(stand.dealing)).toBe(null)
    stand.gone(true)
    expect(endingIn(stand.dealing)).toBe(did)
    expect(stand.dealing.draft).toBe(null)
  })

  test('frame, then verdict: the ending is unknown until the verdict says what this person did', async () => {
    const stand = tableWith(TO_ME)
    const done = act(stand)
    stand.gone(true)
    expect(endingIn(stand.dealing)).toBe('gone')
    if (counters) {
      expect(stand.dealing.draft).toMatchObject({ answers: TO_ME, outlived: null })
      expect(stand.dealing.draft && stand.dealing.ready(stand.dealing.draft)).toBe(true)
    }
    stand.answer(COUNTED)
    await done
    expect(endingIn(stand.dealing)).toBe(did)
    expect(stand.dealing.draft).toBe(null)
  })

  test('frame, then refusal: the lines give the ending, and an answer being written stays', async () => {
    const stand = tableWith(TO_ME)
    const done = act(stand)
    stand.gone(false)
    expect(endingIn(stand.dealing)).toBe('closed')
    stand.answer(REFUSED)
    expect(await done).toBe(REFUSED)
    expect(endingIn(stand.dealing)).toBe('closed')
    if (counters)
      expect(stand.dealing.draft).toMatchObject({
        answers: null,
        outlived: { deal: TO_ME, ending: 'closed' },
        to: 0,
        give: [thing('pear')],
      })
  })

  test('an action refused earlier does not count when the offer ends later', async () => {
    const stand = tableWith(TO_ME)
    const done = act(stand)
    stand.answer(REFUSED)
    await done
    stand.gone(true)
    expect(endingIn(stand.dealing)).toBe('gone')
    if (counters)
      expect(stand.dealing.draft).toMatchObject({ answers: null, outlived: { deal: TO_ME, ending: 'gone' } })
  })

  test('an ended offer stays for a while after the verdict, and then goes', async () => {
    const stand = tableWith(TO_ME)
    const done = act(stand)
    stand.gone(true)
    vi.advanceTimersByTime(60_000)
    expect(stand.dealing.shown).toHaveLength(1)
    stand.answer(COUNTED)
    await done
    vi.advanceTimersByTime(5_000)
    expect(stand.dealing.shown).toHaveLength(1)
    vi.advanceTimersByTime(5_000)
    expect(stand.dealing.shown).toHaveLength(0)
  })
})

describe("one's own offer, withdrawn", () => {
  test.each([
    { verdict: COUNTED, ending: 'withdrawn', news: null },
    { verdict: REFUSED, ending: 'gone', news: { deal: MINE, ending: 'gone' } },
  ])('is news only if somebody else was first: $ending', async ({ verdict, ending, news }) => {
    const stand = tableWith(MINE)
    const done = stand.dealing.cancel(MINE)
    stand.gone(true)
    expect(stand.dealing.news).toBe(null)
    stand.answer(verdict)
    await done
    expect(endingIn(stand.dealing)).toBe(ending)
    expect(stand.dealing.news).toEqual(news)
  })
})

test("somebody else's offer that ends without this person is news, and stays in the list of ended ones", () => {
  const stand = tableWith(TO_ME)
  stand.gone(true)
  const ended = { deal: TO_ME, ending: 'gone' }
  expect(stand.dealing.news).toEqual(ended)
  vi.advanceTimersByTime(60_000)
  expect(stand.dealing.shown).toHaveLength(0)
  expect(stand.dealing.past).toEqual([ended])
})

test('an offer that this person has declined is no news, and is not listed', async () => {
  const stand = tableWith(TO_ME)
  const done = stand.dealing.decline(TO_ME)
  stand.answer(COUNTED)
  await done
  stand.gone(true)
  expect(stand.dealing.news).toBe(null)
  expect(stand.dealing.past).toEqual([])
})

test('an offer that this person has declined on another page is no news, and is not listed', () => {
  const stand = tableWith(TO_ME)
  stand.gone(true, 'offer.declined')
  expect(endingIn(stand.dealing)).toBe('declined')
  expect(stand.dealing.news).toBe(null)
  expect(stand.dealing.past).toEqual([])
})

describe('the offers that ended before the page was loaded', () => {
  type Told = readonly [
    key: string,
    seat: number,
    other: number,
    give?: string | undefined,
    wish?: string | undefined,
    at?: number,
  ]
  /** Log lines, one at a time unless they say when. */
  function logOf(...told: readonly Told[]): AudienceLine[] {
    return told.map(([key, seat, other, give, wish, at], index) => [
      index + 1,
      key,
      {
        seat,
        other,
        ...(give !== undefined && {
          give: [give],
          ...(wish === undefined ? { back: [] } : { wish: [wish] }),
        }),
      },
      at ?? 1_000 + index,
    ])
  }
  /** What ended, as "apple: declined". */
  function past(log: readonly AudienceLine[], open: readonly Deal[] = []): string[] {
    return endedBefore(log, ME, open, LINES).map(({ deal, ending }) => `${deal.give[0]?.item}: ${ending}`)
  }
  const apple: Told = ['game.offered', ME, 0, 'apple', 'pear']
  const plum: Told = ['game.offered', ME, 0, 'plum', 'pear']
  const fig: Told = ['game.offered', 0, ME, 'fig', 'pear']

  test.each<{ says: string; log: readonly Told[]; ends: string[] }>([
    { says: 'declined', log: [apple, ['offer.declined', ME, 0]], ends: ['apple: declined'] },
    { says: 'lapsed', log: [fig, ['offer.lapsed', 0, ME]], ends: ['fig: lapsed'] },
    { says: 'traded', log: [apple, ['game.swapped', ME, 0, 'apple']], ends: ['apple: traded'] },
    {
      says: 'answered',
      log: [apple, ['game.countered', 0, ME, 'fig', 'plum'], ['offer.lapsed', 0, ME]],
      ends: ['apple: countered', 'fig: lapsed'],
    },
    { says: 'withdrawn by its maker', log: [fig, ['offer.gone', 0, ME]], ends: ['fig: gone'] },
    {
      says: 'gone with its goods',
      log: [apple, ['game.merged', 0, 0, 'x', 'y', 9], ['offer.gone', ME, 0, undefined, undefined, 9]],
      ends: ['apple: gone'],
    },
    {
      says: 'closed',
      log: [apple, ['offer.gone', ME, 0, undefined, undefined, 9], ['game.closed', 0, 0, 'x', 'y', 9]],
      ends: ['apple: closed'],
    },
    { says: 'of which nothing but the end is known', log: [['offer.declined', ME, 0]], ends: [] },
  ])('$says', ({ log, ends }) => expect(past(logOf(...log))).toEqual(ends))

  test.each<{ does: string; log: readonly Told[] }>([
    { does: 'declines', log: [fig, ['offer.declined', 0, ME]] },
    { does: 'accepts', log: [fig, ['game.swapped', 0, ME, 'fig']] },
    { does: 'answers', log: [fig, ['game.countered', ME, 0, 'plum', 'pear']] },
    { does: 'withdraws', log: [apple, ['offer.gone', ME, 0]] },
  ])('are not those that this person $does', ({ does, log }) => {
    const open = does === 'answers' ? [{ ...MINE, give: [thing('plum')] }] : []
    expect(past(logOf(...log), open)).toEqual([])
  })

  test('are not those that are open, even if another one like it has ended', () => {
    const open = { ...MINE, give: [thing('apple')] }
    expect(past(logOf(apple), [open])).toEqual([])
    expect(past(logOf(apple, ['offer.declined', ME, 0], apple), [open])).toEqual(['apple: declined'])
    expect(past(logOf(apple, plum, ['offer.lapsed', ME, 0]), [open])).toEqual(['plum: lapsed'])
  })

  test('are over if the log does not say which of two ended how', () => {
    expect(past(logOf(apple, plum, ['offer.declined', ME, 0], ['offer.lapsed', ME, 0]))).toEqual([
      'apple: over',
      'plum: over',
    ])
    expect(past(logOf(apple, plum, ['game.swapped', ME, 0, 'plum'], ['offer.lapsed', ME, 0]))).toEqual([
      'plum: traded',
      'apple: lapsed',
    ])
  })

  test('are listed on a page that has just been loaded, the newest first', () => {
    const stand = tableWith(MINE, logOf(fig, ['offer.lapsed', 0, ME], apple, plum, ['offer.declined', ME, 0]))
    expect(stand.dealing.past.map(({ deal, ending }) => [deal.give[0]?.item, ending])).toEqual([
      ['plum', 'declined'],
      ['fig', 'lapsed'],
    ])
    expect(stand.dealing.news).toBe(null)
  })
})
