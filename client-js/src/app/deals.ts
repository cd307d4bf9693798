/**
 * What a trading game gives the one panel of deals (table/Deals.svelte): how its goods and its wishes look
 * and are called. What may be offered, to whom and for what, the panel takes from the hub's choices; it holds
 * no rule.
 *
 * The moves are those of games/kit/offers.py: `propose` with `to`, `give` and `wish` under a prompt of the
 * game's own; under the prompt of an offer, which has the offer's id, `counter` with `give` and `wish`,
 * `accept` with at most one field, what the acceptor gives, `decline` and `cancel`. `give`, `wish` and that
 * field are subsets or bags.
 */
import type { Component } from 'svelte'
import type * as Wire from '../sdk/wire.gen.ts'
import { fits, hasRoom, itemsOf, limitOf, type Item } from './multisets.ts'
import type { Dealing } from './table/dealing.svelte.ts'
import type { TableView } from './tableview.svelte.ts'

/** A good or a kind of wish. */
export interface Thing {
  /** What moves call it. */
  readonly item: Item
  /** All that its picture and its name rest on: with another face it is not what it was. */
  readonly face: string
}

/** An open offer: `by` gives this to `to`, as it is, and wishes for that. */
export interface Deal {
  /** That of its prompt, and of its window. */
  readonly id: string
  readonly by: number
  readonly to: number
  readonly give: readonly Thing[]
  readonly wish: readonly Thing[]
}

/** Things that are shown together, under a title. */
export interface Shelf {
  readonly title: string
  readonly things: readonly Thing[]
}

export interface GameDeals {
  /** The kind of the prompt under which offers are made. */
  readonly prompt: string
  /** Whether anything is ever traded at this table. */
  trades(view: TableView): boolean
  /** The open offers this seat knows of, the oldest first. */
  offers(view: TableView): readonly Deal[]
  /** What this seat could give, in the order of its hand. */
  goods(view: TableView): readonly Thing[]
  /** These kinds of wishes in the order and on the shelves people look for them. */
  wishes(view: TableView, items: readonly Item[]): readonly Shelf[]
  /**
   * What it costs this seat to part with one of a good, 0 or more: the cheapest that meets a wish is
   * proposed.
   */
  cost(view: TableView, item: Item): number
  /** The kind of wish that a good meets best. */
  wishFor(thing: Thing): Item
  /** What a thing is called within a sentence. */
  good(thing: Thing): string
  wish(thing: Thing): string
  /**
   * What an offer may be made of while none can be sent, where it may be prepared; the hub has the last word.
   */
  ahead?(view: TableView): readonly Terms[]
  /** How it is said that nothing can be offered now, in a sentence; `ended`: it could be a moment ago. */
  closed?(ended: boolean): string
  readonly Good: Component<{ thing: Thing; size: number }>
  readonly Wish: Component<{ thing: Thing; size: number }>
}

/** The deals panel of a game, as `trading` of `table/dealing.svelte.ts` makes it. */
export interface Trading {
  /** The deals of this table's page; null where nothing is ever traded. */
  of(view: TableView): Dealing | null
}

// --- terms: what the hub allows ---

/** One kind of offer that may be made. */
export interface Terms {
  /** To whom; null: to the one it answers. */
  readonly to: readonly number[] | null
  readonly give: Wire.Domain
  readonly wish: Wire.Domain
}

export function termsOf(choices: readonly Wire.Choice[], move: 'propose' | 'counter'): readonly Terms[] {
  return choices.flatMap((choice): Terms[] => {
    const { to, give, wish } = choice.fields
    if (choice.move !== move || give === undefined || wish === undefined) return []
    return [{ to: to?.type === 'one_of' ? to.of.map(Number) : null, give, wish }]
  })
}

type Side = 'give' | 'wish'

/** All items that any of the terms speak of. */
export function itemsIn(terms: readonly Terms[], side: Side): readonly Item[] {
  return [...new Set(terms.flatMap((each) => itemsOf(each[side])))]
}

/** Whether one more of this item could belong to an offer. */
export function addable(terms: readonly Terms[], side: Side, items: readonly Item[], item: Item): boolean {
  return terms.some((each) => hasRoom(each[side], items, item))
}

/** How many of this item an offer may hold at most. */
export function mostOf(terms: readonly Terms[], side: Side, item: Item): number {
  return Math.max(0, ...terms.map((each) => limitOf(each[side], item)))
}

/** Whether this may be offered; `to` null: as an answer. */
export function legal(
  terms: readonly Terms[],
  to: number | null,
  give: readonly Item[],
  wish: readonly Item[],
): boolean {
  return terms.some(
    (each) =>
      (each.to === null || (to !== null && each.to.includes(to))) &&
      fits(each.give, give) &&
      fits(each.wish, wish),
  )
}

// --- what became of an offer ---

export type Ending = 'traded' | 'countered' | 'declined' | 'withdrawn' | 'gone' | 'lapsed' | 'closed'

export interface Ended {
  readonly deal: Deal
  readonly ending: Ending
}

const LINES: Readonly<Record<string, Ending>> = {
  'offer.declined': 'declined',
  'offer.gone': 'gone',
  'offer.lapsed': 'lapsed',
}
/** How the same is told in a line, where it is this person's own doing. */
const TOLD: Readonly<Record<Ending, Ending | null>> = {
  traded: null,
  countered: null,
  declined: 'declined',
  withdrawn: 'gone',
  gone: 'gone',
  lapsed: 'lapsed',
  closed: null,
}

/**
 * Why these offers are not open any more, as far as the lines of that moment tell; `did` is what this person
 * just did to some of them and counted, `opened` the offers that are new. A line names the two seats, `seat`
 * who proposed and `other`, and no offer: where several between the same two ended in different ways, only
 * that they are gone is said, which is true of all. A trade is told by any line of the game's own that names
 * the two. Where nothing can be offered any more (`closed`), that is why what is gone is gone.
 */
export function endings(
  ended: readonly Deal[],
  lines: readonly Wire.AudienceLine[],
  opened: readonly Deal[],
  did: Readonly<Record<string, Ending>>,
  closed = false,
): Readonly<Record<string, Ending>> {
  const found: Record<string, Ending> = {}
  for (const deal of ended) {
    const alike = ended.filter((other) => other.by === deal.by && other.to === deal.to)
    const between = lines.filter(([, , args]) => args.seat === deal.by && args.other === deal.to)
    const told = between.flatMap(([, key]) => LINES[key] ?? [])
    const own = alike.flatMap(({ id }) => did[id] ?? [])
    for (const each of own) {
      const at = told.indexOf(TOLD[each] ?? each)
      if (at >= 0) told.splice(at, 1)
    }
    const others = alike.length - own.length
    const answered = opened.some((other) => other.by === deal.to && other.to === deal.by)
    const traded = between.some(([, key]) => LINES[key] === undefined) && !own.includes('traded')
    const guess =
      told.length >= others && new Set(told).size === 1
        ? told[0]
        : told.length > 0
          ? undefined
          : answered
            ? 'countered'
            : traded
              ? 'traded'
              : undefined
    const why = guess ?? 'gone'
    found[deal.id] = did[deal.id] ?? (why === 'gone' && closed ? 'closed' : why)
  }
  return found
}
