/**
 * The hub's domains for goods and wishes: checks whether a pile of items is allowed, and finds the cheapest
 * allowed one.
 */
import type * as Wire from '../sdk/wire.gen.ts'

export type Item = string | number

/** A subset or multiset in a common form: how often each item may occur, and the bounds on sums. */
interface Pile {
  readonly of: readonly Item[]
  readonly times: readonly number[]
  readonly bounds: readonly {
    readonly worth: readonly number[]
    readonly least: number
    readonly most: number
  }[]
  readonly tight: boolean
}

/** The minimum and maximum wanted of each item, in addition to the domain's limits. */
export interface Wanted {
  readonly least?: ReadonlyMap<Item, number>
  readonly most?: ReadonlyMap<Item, number>
}

/** Throws TypeError for a domain that is not a pile of items. */
function pileOf(domain: Wire.Domain): Pile {
  if (domain.type !== 'subset' && domain.type !== 'multiset')
    throw new TypeError(`a ${domain.type} is not a pile of goods`)
  const ones = domain.of.map(() => 1)
  if (domain.type === 'subset')
    return {
      of: domain.of,
      times: ones,
      bounds: [{ worth: ones, least: domain.least, most: domain.most }],
      tight: false,
    }
  const bounds = domain.bounds.map(({ worth, least, most }) => ({ worth: worth ?? ones, least, most }))
  return { of: domain.of, times: domain.times ?? ones, bounds, tight: domain.tight }
}

/** The items in a domain. */
export function itemsOf(domain: Wire.Domain): readonly Item[] {
  return pileOf(domain).of
}

/** How often an item occurs among these items. */
export function countOf(items: readonly Item[], item: Item): number {
  return items.reduce<number>((count, each) => count + (each === item ? 1 : 0), 0)
}

/** The maximum number of an item in a domain, whatever else is in the pile; 0 if it has no such item. */
export function limitOf(domain: Wire.Domain, item: Item): number {
  const { of, times } = pileOf(domain)
  return times[of.indexOf(item)] ?? 0
}

/** The sum of these items for each bound; null if an item is not in the domain, or occurs too often. */
function sums(pile: Pile, items: readonly Item[]): readonly number[] | null {
  const places = items.map((item) => pile.of.indexOf(item))
  if (
    places.some((place) => place < 0) ||
    pile.of.some((item, place) => countOf(items, item) > (pile.times[place] ?? 0))
  )
    return null
  return pile.bounds.map(({ worth }) => places.reduce((sum, place) => sum + (worth[place] ?? 0), 0))
}

function within(pile: Pile, items: readonly Item[]): boolean {
  const totals = sums(pile, items)
  return (
    totals !== null &&
    pile.bounds.every(
      ({ least, most }, index) => least <= (totals[index] ?? 0) && (totals[index] ?? 0) <= most,
    )
  )
}

/** The indices of items that could be left out. */
function needless(pile: Pile, items: readonly Item[]): readonly number[] {
  return items.flatMap((_, place) => (within(pile, items.toSpliced(place, 1)) ? [place] : []))
}

/** Whether these items are one of the domain's piles. */
export function fits(domain: Wire.Domain, items: readonly Item[]): boolean {
  const pile = pileOf(domain)
  return within(pile, items) && !(pile.tight && needless(pile, items).length > 0)
}

/** Whether one more of this item stays within all the domain's upper limits. */
export function hasRoom(domain: Wire.Domain, items: readonly Item[], item: Item): boolean {
  const pile = pileOf(domain)
  const totals = sums(pile, [...items, item])
  return totals !== null && pile.bounds.every(({ most }, index) => (totals[index] ?? 0) <= most)
}

/**
 * The cheapest of the domain's piles, in the domain's order; null if there is none. Of equally cheap piles,
 * the one with fewer of the earlier items wins. Costs are 0 or more. If the domain is tight and the cheapest
 * pile with the wanted items could do without one of them, the result is null; no other pile is tried.
 */
export function cheapest(
  domain: Wire.Domain,
  cost: (item: Item) => number,
  wanted: Wanted = {},
): Item[] | null {
  const pile = pileOf(domain)
  const { of, bounds } = pile
  const least = of.map((item) => wanted.least?.get(item) ?? 0)
  const most = of.map((item, place) => Math.min(pile.times[place] ?? 0, wanted.most?.get(item) ?? Infinity))
  if ([...(wanted.least ?? [])].some(([item, count]) => count > 0 && !of.includes(item))) return null
  /** For each bound, the most that the items at and after each index can add to its sum. */
  const rest = bounds.map(({ worth }) =>
    of.map((_, from) =>
      of
        .slice(from)
        .reduce<number>(
          (sum, _item, index) => sum + (worth[from + index] ?? 0) * (most[from + index] ?? 0),
          0,
        ),
    ),
  )

  interface Found {
    readonly cost: number
    readonly counts: readonly number[]
  }
  const known = new Map<string, Found | null>()
  const from = (place: number, totals: readonly number[]): Found | null => {
    const hopeless = bounds.some(
      (bound, index) =>
        (totals[index] ?? 0) > bound.most || (totals[index] ?? 0) + (rest[index]?.[place] ?? 0) < bound.least,
    )
    if (hopeless) return null
    const item = of[place]
    if (item === undefined) return { cost: 0, counts: [] }
    const key = `${place}:${totals.join()}`
    const before = known.get(key)
    if (before !== undefined) return before
    let best: Found | null = null
    for (let count = least[place] ?? 0; count <= (most[place] ?? 0); count += 1) {
      const after = from(
        place + 1,
        totals.map((sum, index) => sum + count * (bounds[index]?.worth[place] ?? 0)),
      )
      const all = after === null ? Infinity : after.cost + count * cost(item)
      if (after !== null && (best === null || all < best.cost))
        best = { cost: all, counts: [count, ...after.counts] }
    }
    known.set(key, best)
    return best
  }
  const best = from(
    0,
    bounds.map(() => 0),
  )
  if (best === null) return null
  const items = of.flatMap((item, place) => Array.from({ length: best.counts[place] ?? 0 }, () => item))
  // Leaving an item out makes a pile cheaper or puts it earlier in the order, so an item that could be left
  // out is only here because it was wanted.
  return pile.tight && needless(pile, items).length > 0 ? null : items
}

/** The cost of an item that was not there before: more than any game's own costs. */
const NEW = 1e6

/**
 * The closest pile to this one that has one more of an item (`by` 1) or one fewer (`by` -1): the one with the
 * fewest new items, and the cheapest of those. Null if there is none.
 */
export function changed(
  domain: Wire.Domain,
  items: readonly Item[],
  item: Item,
  by: 1 | -1,
  cost: (item: Item) => number,
): Item[] | null {
  const count = countOf(items, item) + by
  const wanted: Wanted = by === 1 ? { least: new Map([[item, count]]) } : { most: new Map([[item, count]]) }
  return cheapest(domain, (each) => cost(each) + (items.includes(each) || each === item ? 0 : NEW), wanted)
}
