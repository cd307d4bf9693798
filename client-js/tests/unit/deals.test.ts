/** Deals: piles within the hub's domains, the terms of offers, and how offers ended. */
import { describe, expect, test } from 'vitest'
import { changed, cheapest, countOf, fits, hasRoom, limitOf, type Item } from '../../src/app/multisets.ts'
import {
  addable,
  endings,
  itemsIn,
  legal,
  mostOf,
  termsOf,
  type Deal,
  type Ending,
} from '../../src/app/deals.ts'
import type { Multiset, Bound, Choice, AudienceLine } from '../../src/sdk/wire.gen.ts'

const bag = (
  of: readonly string[],
  bounds: readonly Bound[],
  times: readonly number[] | null = null,
  tight = false,
): Multiset => ({ type: 'multiset', of, times, bounds, tight })
const bound = (worth: readonly number[] | null, least: number, most: number): Bound => ({
  worth,
  least,
  most,
})

/** Random numbers that are the same in every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

/** Every possible pile of these items. */
function every(of: readonly Item[], times: readonly number[]): Item[][] {
  const [item, ...others] = of
  if (item === undefined) return [[]]
  const tails = every(others, times.slice(1))
  return Array.from({ length: (times[0] ?? 1) + 1 }, (_, count) =>
    tails.map((tail) => [...Array.from({ length: count }, () => item), ...tail]),
  ).flat()
}

/** A slow and simple version of the rule in games/api.py. */
function allowed(domain: Multiset, pile: readonly Item[]): boolean {
  const of = domain.of as readonly Item[]
  const holds = (items: readonly Item[]): boolean =>
    domain.bounds.every(({ worth, least, most }) => {
      const sum = items.reduce<number>((total, item) => total + (worth?.[of.indexOf(item)] ?? 1), 0)
      return least <= sum && sum <= most
    })
  return holds(pile) && !(domain.tight && pile.some((_, place) => holds(pile.toSpliced(place, 1))))
}

const priced =
  (prices: Readonly<Record<string, number>>) =>
  (item: Item): number =>
    prices[item] ?? 0
const total = (pile: readonly Item[], cost: (item: Item) => number): number =>
  pile.reduce<number>((sum, item) => sum + cost(item), 0)

describe('piles', () => {
  const wish = bag(['S5', 'S1', 'M3', 'M2'], [bound(null, 2, 2), bound([1, 1, 0, 0], 1, 2)])

  test('fit where every bound holds', () => {
    expect(fits(wish, ['S1', 'M2'])).toBe(true)
    expect(fits(wish, ['M3', 'M2'])).toBe(false)
    expect(fits(wish, ['S1'])).toBe(false)
    expect(fits(wish, ['S1', 'S1'])).toBe(false)
    expect(fits(wish, ['S1', 'A1'])).toBe(false)
  })

  test('from a subset hold each item at most once', () => {
    const subset = { type: 'subset', of: ['a', 'b', 'c'], least: 1, most: 2 } as const
    expect([[], ['a'], ['a', 'c'], ['a', 'a'], ['a', 'b', 'c']].map((items) => fits(subset, items))).toEqual([
      false,
      true,
      true,
      false,
      false,
    ])
  })

  test('are never made of numbers or seats', () => {
    expect(() => fits({ type: 'range', least: 0, most: 3 }, [])).toThrow(TypeError)
  })

  test('have room for what the upper limits leave', () => {
    expect(hasRoom(wish, ['S1'], 'M2')).toBe(true)
    expect(hasRoom(wish, ['S1', 'M2'], 'M3')).toBe(false)
    expect(hasRoom(wish, ['S1'], 'S1')).toBe(false)
    expect([limitOf(wish, 'S1'), limitOf(wish, 'A1'), limitOf(bag(['x'], [], [7]), 'x')]).toEqual([1, 0, 7])
  })

  test('are built as cheaply as possible', () => {
    expect(cheapest(wish, priced({ S5: 5, S1: 1, M3: 3, M2: 2 }))).toEqual(['S1', 'M2'])
    expect(cheapest(bag(['x'], [bound(null, 2, 2)]), () => 1)).toBeNull()
    expect(cheapest(bag(['x'], [bound(null, 2, 2)], [3]), () => 1)).toEqual(['x', 'x'])
  })

  test('are changed as little as can be', () => {
    const cost = priced({ S5: 5, S1: 1, M3: 3, M2: 2 })
    expect(changed(wish, ['S1', 'M2'], 'M3', 1, cost)).toEqual(['S1', 'M3'])
    expect(changed(wish, ['S1', 'M3'], 'S5', 1, cost)).toEqual(['S5', 'S1'])
    expect(changed(wish, ['S1', 'M2'], 'S1', -1, cost)).toEqual(['S5', 'M2'])
    expect(changed(bag(['S1', 'M2'], [bound(null, 2, 2)]), ['S1', 'M2'], 'S1', -1, cost)).toBeNull()
  })

  test('that are tight hold nothing superfluous, even if it was wanted', () => {
    const price = (tight: boolean): Multiset => bag(['a', 'b'], [bound([3, 1], 3, 4)], null, tight)
    expect(changed(price(true), ['a'], 'b', 1, () => 1)).toBeNull()
    expect(changed(price(false), ['a'], 'b', 1, () => 1)).toEqual(['a', 'b'])
  })

  test.each(Array.from({ length: 150 }, (_, seed) => seed))(
    'agree with all there could be, drawn by %i',
    (seed) => {
      const roll = dice(seed)
      const of = ['a', 'b', 'c', 'd', 'e'].slice(0, 2 + roll(4))
      const times = roll(2) === 0 ? null : of.map(() => 1 + roll(2))
      const bounds = Array.from({ length: 1 + roll(3) }, () => {
        const worth = roll(3) === 0 ? null : of.map(() => roll(4))
        const least = roll(5)
        return bound(worth, least, least + roll(4))
      })
      const domain = bag(of, bounds, times, roll(3) === 0)
      const cost = priced(Object.fromEntries(of.map((item) => [item, roll(6)])))
      const all = every(of, times ?? of.map(() => 1))
      const good = all.filter((pile) => allowed(domain, pile))
      for (const pile of all) expect(fits(domain, pile)).toBe(good.includes(pile))
      const least = Math.min(...good.map((pile) => total(pile, cost)))
      const found = cheapest(domain, cost)
      expect(found === null).toBe(good.length === 0)
      if (found === null) return
      expect(allowed(domain, found)).toBe(true)
      expect(total(found, cost)).toBe(least)
      if (domain.tight) return
      const held = good[roll(good.length)] ?? []
      for (const item of of) {
        for (const by of [1, -1] as const) {
          const count = countOf(held, item) + by
          const fitting = good.filter((pile) =>
            by === 1 ? countOf(pile, item) >= count : countOf(pile, item) <= count,
          )
          const next = changed(domain, held, item, by, cost)
          const newcomers = (pile: readonly Item[]): number =>
            pile.filter((each) => each !== item && !held.includes(each)).length
          expect(next === null).toBe(fitting.length === 0)
          if (next === null) continue
          expect(fitting.map((pile) => pile.join())).toContain(next.join())
          expect(newcomers(next)).toBe(Math.min(...fitting.map(newcomers)))
        }
      }
    },
  )
})

describe('terms', () => {
  const named = bag(['S5', '3+'], [bound(null, 1, 12)], [1, 12])
  const none = bag([], [bound(null, 0, 0)])
  const choices: Choice[] = [
    {
      move: 'propose',
      fields: {
        to: { type: 'one_of', of: [1, 2] },
        give: { type: 'subset', of: ['M1', 'M2'], least: 0, most: 2 },
        wish: named,
      },
    },
    {
      move: 'propose',
      fields: {
        to: { type: 'one_of', of: [1, 2] },
        give: { type: 'subset', of: ['M1', 'M2'], least: 1, most: 2 },
        wish: none,
      },
    },
    { move: 'counter', fields: { give: { type: 'subset', of: ['M1'], least: 0, most: 1 }, wish: named } },
    { move: 'decline', fields: {} },
  ]
  const terms = termsOf(choices, 'propose')

  test('say what may be offered, to whom', () => {
    expect(legal(terms, 1, ['M1'], ['3+', '3+'])).toBe(true)
    expect(legal(terms, 1, [], ['S5'])).toBe(true)
    expect(legal(terms, 1, ['M1'], [])).toBe(true)
    expect(legal(terms, 1, [], [])).toBe(false)
    expect(legal(terms, 3, ['M1'], [])).toBe(false)
    expect(legal(terms, null, ['M1'], [])).toBe(false)
    expect(legal(terms, 1, ['M1'], ['S5', 'S5'])).toBe(false)
  })

  test('of an answer name no recipient', () => {
    expect(legal(termsOf(choices, 'counter'), null, ['M1'], ['S5'])).toBe(true)
    expect(legal(termsOf(choices, 'counter'), null, ['M1'], [])).toBe(false)
  })

  test('list what there is, and how often', () => {
    expect(itemsIn(terms, 'give')).toEqual(['M1', 'M2'])
    expect(itemsIn(terms, 'wish')).toEqual(['S5', '3+'])
    expect([mostOf(terms, 'wish', 'S5'), mostOf(terms, 'wish', '3+'), mostOf(terms, 'wish', 'no')]).toEqual([
      1, 12, 0,
    ])
    expect(addable(terms, 'wish', ['S5'], 'S5')).toBe(false)
    expect(addable(terms, 'wish', ['S5'], '3+')).toBe(true)
  })
})

describe('how offers ended', () => {
  const deal = (id: string, by: number, to: number): Deal => ({ id, by, to, give: [], wish: [] })
  const line = (key: string, seat: number, other: number): AudienceLine =>
    [1, key, { seat, other }] as unknown as AudienceLine
  const nothing = {}
  const of = (...given: Parameters<typeof endings>): Record<string, Ending> => endings(...given)

  test.each([
    ['offer.declined', 'declined'],
    ['offer.gone', 'gone'],
    ['offer.lapsed', 'lapsed'],
    ['takeover.traded', 'traded'],
  ])('%s: %s', (key, ending) => {
    expect(of([deal('x', 0, 1)], [line(key, 0, 1)], [], nothing)).toEqual({ x: ending })
  })

  test('a trade between others does not count as theirs', () => {
    expect(
      of([deal('x', 0, 1)], [line('takeover.traded', 2, 1), line('offer.gone', 0, 1)], [], nothing),
    ).toEqual({ x: 'gone' })
  })

  test('once nothing can be offered any more, what is gone counts as closed, and nothing else does', () => {
    const one = [deal('x', 0, 1)]
    expect(of(one, [line('offer.gone', 0, 1)], [], nothing, true)).toEqual({ x: 'closed' })
    expect(of(one, [], [], nothing, true)).toEqual({ x: 'closed' })
    expect(of(one, [line('offer.lapsed', 0, 1)], [], nothing, true)).toEqual({ x: 'lapsed' })
    expect(of(one, [line('shares.traded', 0, 1)], [], nothing, true)).toEqual({ x: 'traded' })
    expect(of(one, [line('offer.gone', 0, 1)], [], { x: 'withdrawn' }, true)).toEqual({ x: 'withdrawn' })
  })

  test('an offer the other way that replaces it answers it', () => {
    expect(of([deal('x', 0, 1)], [line('takeover.countered', 1, 0)], [deal('y', 1, 0)], nothing)).toEqual({
      x: 'countered',
    })
  })

  test('offers without a log line are over', () => {
    expect(of([deal('x', 0, 1)], [], [], nothing)).toEqual({ x: 'over' })
  })

  test('lines about other offers are not applied to these', () => {
    expect(
      of([deal('x', 0, 1)], [line('offer.declined', 2, 1), line('offer.declined', 0, 2)], [], nothing),
    ).toEqual({ x: 'over' })
  })

  test('what this person did is known', () => {
    expect(of([deal('x', 0, 1)], [line('offer.gone', 0, 1)], [], { x: 'withdrawn' })).toEqual({
      x: 'withdrawn',
    })
  })

  test('if one of two offers between the same seats is accepted, only the acceptor knows which', () => {
    const both = [deal('x', 0, 1), deal('y', 0, 1)]
    const lines = [line('takeover.traded', 0, 1), line('offer.gone', 0, 1)]
    expect(of(both, lines, [], nothing)).toEqual({ x: 'over', y: 'over' })
    expect(of(both, lines, [], { y: 'traded' })).toEqual({ x: 'gone', y: 'traded' })
    expect(of(both, [line('takeover.traded', 0, 1), line('offer.lapsed', 0, 1)], [], nothing)).toEqual({
      x: 'over',
      y: 'over',
    })
    expect(
      of(both, [line('offer.declined', 0, 1), line('offer.lapsed', 0, 1)], [], { x: 'declined' }),
    ).toEqual({ x: 'declined', y: 'lapsed' })
    expect(of(both, [line('offer.gone', 0, 1), line('offer.gone', 0, 1)], [], { y: 'withdrawn' })).toEqual({
      x: 'gone',
      y: 'withdrawn',
    })
  })
})
