/**
 * The interface between a trading game and the shared deals panel (table/Deals.svelte): how goods and wishes
 * look and what they are called. The panel reads the hub's choices to see what may be offered, to whom and
 * for what; it contains no rules.
 *
 * The moves are those of games/kit/trading.py and games/kit/offers.py: under one of the game's own prompts,
 * `propose` with `to`, `give` and `wish`; under an offer's prompt, whose id is the offer's, `counter` with
 * `give` and `wish`, `accept` with at most one field (what the acceptor gives), `decline` and `cancel`.
 * `give`, `wish` and that field are subsets or multisets.
 */
import type { Component } from 'svelte'
import type * as Wire from '../sdk/wire.gen.ts'
import { fits, hasRoom, itemsOf, limitOf, type Item } from './multisets.ts'
import type { Dealing } from './table/dealing.svelte.ts'
import type { TableView } from './tableview.svelte.ts'

/** A good or a kind of wish. */
export interface Thing {
  /** Its name in moves. */
  readonly item: Item
  /** Everything that determines its picture and name. If this changes, it is no longer the same thing. */
  readonly face: string
}

/** An open offer: `by` offers `to` exactly these goods, and asks for something in return. */
export interface Deal {
  /** The id of its prompt, and of its window. */
  readonly id: string
  readonly by: number
  readonly to: number
  readonly give: readonly Thing[]
  readonly wish: readonly Thing[]
}

/**
 * The keys of the game's own lines about offers, which say what is in them (games/kit/trading.py), and the things
 * that they name.
 */
export interface DealLines {
  readonly offered: string
  readonly countered: string
  readonly swapped: string
  /** The line about the end of all offers at once, if there is one. */
  readonly closed?: string
  good(name: string): Thing
  wish(name: string): Thing
}

/** Things shown together under a title. */
export interface Shelf {
  readonly title: string
  readonly things: readonly Thing[]
}

export interface GameDeals {
  /** The kind of the prompt under which offers are made. */
  readonly prompt: string
  readonly lines: DealLines
  /** Whether anything is ever traded at this table. */
  trades(view: TableView): boolean
  /** The open offers this seat knows about, oldest first. */
  offers(view: TableView): readonly Deal[]
  /** The things this seat could give, in the order of its hand. */
  goods(view: TableView): readonly Thing[]
  /** These kinds of wishes, grouped into shelves, in the order in which people look for them. */
  wishes(view: TableView, items: readonly Item[]): readonly Shelf[]
  /**
   * The cost to this seat of giving up one such good, 0 or more; the panel proposes the cheapest goods that
   * fulfil a wish.
   */
  cost(view: TableView, item: Item): number
  /** The kind of wish that a good fulfils best. */
  wishFor(thing: Thing): Item
  /** What giving these goods for those would change for this seat, as far as it can see; in a sentence. */
  effect?(view: TableView, give: readonly Thing[], get: readonly Thing[]): string | null
  /** What an offer of this seat's own would change for it once `to` accepts; in a sentence. */
  prospect?(view: TableView, to: number, give: readonly Thing[], wish: readonly Thing[]): string | null
  /** The name of a thing within a sentence. */
  good(thing: Thing): string
  wish(thing: Thing): string
  /** The terms for preparing an offer while none can be sent; the hub has the last word. */
  ahead?(view: TableView): readonly Terms[]
  /** The sentence saying that nothing can be offered now; `ended` if it was possible a moment ago. */
  closed?(ended: boolean): string
  readonly Good: Component<{ thing: Thing; size: number }>
  readonly Wish: Component<{ thing: Thing; size: number }>
}

/** A game's deals panel, as made by `trading` in `table/dealing.svelte.ts`. */
export interface Trading {
  /** The deals on this table's page; null for games without trading. */
  of(view: TableView): Dealing | null
}

// --- terms: what the hub allows ---

/** One kind of offer that may be made. */
export interface Terms {
  /** The seats it may go to; null for an answer, which goes to the seat whose offer it answers. */
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

/** All items that any of the terms mention. */
export function itemsIn(terms: readonly Terms[], side: Side): readonly Item[] {
  return [...new Set(terms.flatMap((each) => itemsOf(each[side])))]
}

/** Whether an offer could contain one more of this item. */
export function addable(terms: readonly Terms[], side: Side, items: readonly Item[], item: Item): boolean {
  return terms.some((each) => hasRoom(each[side], items, item))
}

/** The maximum number of this item in an offer. */
export function mostOf(terms: readonly Terms[], side: Side, item: Item): number {
  return Math.max(0, ...terms.map((each) => limitOf(each[side], item)))
}

/** Whether this offer may be made; if `to` is null, whether it may be the answer to another. */
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

// --- how an offer ended ---

/** `gone`: its maker has withdrawn it, or no longer has its goods; `over`: nobody knows which of several. */
export type Ending = 'traded' | 'countered' | 'declined' | 'withdrawn' | 'gone' | 'over' | 'lapsed' | 'closed'

export interface Ended {
  readonly deal: Deal
  readonly ending: Ending
}

/** What the log's lines about one offer say of its end. */
export const ENDING_LINES: Readonly<Record<string, Ending>> = {
  'offer.declined': 'declined',
  'offer.gone': 'gone',
  'offer.lapsed': 'lapsed',
}
/** How only the seat that was asked can end an offer. */
export const ENDINGS_OF_ASKED: readonly Ending[] = ['traded', 'countered', 'declined']
/** The ending that the log reports for each of this person's own actions; null if it reports none. */
const REPORTS: Readonly<Record<Ending, Ending | null>> = {
  traded: null,
  countered: null,
  declined: 'declined',
  withdrawn: 'gone',
  gone: 'gone',
  over: null,
  lapsed: 'lapsed',
  closed: null,
}

/**
 * How each of these offers ended, if the log lines of that moment show it; `did` holds this person's own
 * accepted actions on them, and `opened` the new offers. A line names two seats, the proposer `seat` and
 * `other`, but no offer. If several offers between the same two seats ended in different ways, they all count
 * as over, which is true of each. Any of the game's own lines that names both seats reports a trade. When
 * nothing can be offered any more (`closed`), an offer that would count as gone or over counts as closed.
 */
export function endings(
  ended: readonly Deal[],
  lines: readonly Wire.AudienceLine[],
  opened: readonly Deal[],
  did: Readonly<Record<string, Ending>>,
  closed = false,
): Readonly<Record<string, Ending>> {
  const endingByDeal: Record<string, Ending> = {}
  for (const deal of ended) {
    const alike = ended.filter((other) => other.by === deal.by && other.to === deal.to)
    const between = lines.filter(([, , args]) => args.seat === deal.by && args.other === deal.to)
    const reports = between.flatMap(([, key]) => ENDING_LINES[key] ?? [])
    const answers = alike.flatMap(({ id }) => did[id] ?? [])
    for (const each of answers) {
      const at = reports.indexOf(REPORTS[each] ?? each)
      if (at >= 0) reports.splice(at, 1)
    }
    const others = alike.length - answers.length
    const answered = opened.some((other) => other.by === deal.to && other.to === deal.by)
    const traded = between.some(([, key]) => ENDING_LINES[key] === undefined) && !answers.includes('traded')
    const guess =
      reports.length >= others && new Set(reports).size === 1
        ? reports[0]
        : reports.length > 0
          ? undefined
          : answered
            ? 'countered'
            : traded
              ? 'traded'
              : undefined
    const why = guess ?? 'over'
    endingByDeal[deal.id] = did[deal.id] ?? (closed && (why === 'gone' || why === 'over') ? 'closed' : why)
  }
  return endingByDeal
}
