/**
 * Selects what the board needs from the hub's sections. Nothing is decided here: costs, values and legal
 * pairs come from the rules.
 */
import type { TableView } from '../../app/tableview.svelte.ts'
import type { Choice, Games, TakeoverHolding, TakeoverMerger, TakeoverPasses } from '../../sdk/wire.gen.ts'
import { isSuit, lying, sidesOf, valueOf, type Lying, type Name, type Side } from './coins.ts'

type AllSections = Games['takeover']['sections']

/** The sections of this view; those not open in this phase, or to this viewer, are missing. */
export type Sections = Partial<AllSections> & Pick<AllSections, 'stage' | 'board' | 'draft'>

export function sectionsOf(view: TableView): Sections | null {
  const [stage, board, draft] = [
    view.gameSection('takeover', 'stage'),
    view.gameSection('takeover', 'board'),
    view.gameSection('takeover', 'draft'),
  ]
  return stage && board && draft
    ? { ...(view.state.sections as unknown as Partial<AllSections>), stage, board, draft }
    : null
}

/** The number of lapsed turns that count as a pass (TKO-21). */
const LAPSES = 2

/** For each seat, whether it has passed or let its turns lapse since the last merger. */
export function outOf({ passed, lapses }: TakeoverPasses): readonly boolean[] {
  return passed.map((done, seat) => done || (lapses[seat] ?? 0) >= LAPSES)
}

/** Whether a pass by this seat ends the game, because all others have passed. */
export function endsBy(passes: TakeoverPasses, seat: number): boolean {
  return passesLeft(passes, seat) === 0
}

/** How many others still have to pass for a pass by this seat to end the game. */
export function passesLeft(passes: TakeoverPasses, seat: number): number {
  return outOf(passes).filter((done, each) => !done && each !== seat).length
}

/** The pairs that may currently be merged, as "A>B". */
export function pairsOf(choices: readonly Choice[]): ReadonlySet<string> {
  return new Set(
    choices.flatMap(({ fields }) => {
      const pair = fields.pair
      return pair?.type === 'one_of' ? pair.of.map(String) : []
    }),
  )
}

export interface Merger {
  readonly onto: Name
  readonly cost: number
  readonly worth: number
  readonly touch: boolean
}

/** Every merger that the grid allows this company, by target. */
export function reach(mergers: readonly TakeoverMerger[], source: Name | null): ReadonlyMap<Name, Merger> {
  return new Map(
    mergers.flatMap(([pair, cost, worth, touch]) => {
      const [from, onto] = pair.split('>') as [Name, Name]
      return from === source ? [[onto, { onto, cost, worth, touch }] as const] : []
    }),
  )
}

/** The targets that can be reached: a target that does not touch the source needs a null. */
export function nearOf(targets: ReadonlyMap<Name, Merger>, leaps: boolean): ReadonlyMap<Name, Merger> {
  return new Map([...targets].filter(([, { touch }]) => touch || leaps))
}

/** The coins that can be used as payment, and the nulls that are value-up. */
export function purseOf(coins: readonly Lying[]): {
  readonly cash: readonly Name[]
  readonly nulls: readonly Name[]
} {
  const names = coins.filter(({ stock }) => !stock).map(({ name }) => name)
  return {
    cash: names.filter((name) => valueOf(name) > 0),
    nulls: names.filter((name) => valueOf(name) === 0),
  }
}

/**
 * The face-up sides of a seat's coins as others see them, stocks first; null if they see only how many there
 * are.
 */
export function facesOf({ holdings }: Sections, seat: number): readonly Side[] | null {
  const faces = holdings?.faces?.[seat] ?? null
  return faces === null ? null : faces.toSorted((one, other) => Number(isSuit(other)) - Number(isSuit(one)))
}

/** A seat's coins if they are open, or null. */
export function openOf({ holdings }: Sections, seat: number): readonly Lying[] | null {
  return holdings?.coins?.[seat]?.map(lying) ?? null
}

/** The owner of every stock, where this viewer knows it. */
export function ownersOf(sections: Sections, seat: number | null): ReadonlyMap<Name, number> {
  const open = sections.holdings?.coins?.flatMap((coins, owner) =>
    coins.map(lying).flatMap(({ name, stock }) => (stock ? [[name, owner] as const] : [])),
  )
  const ownCoins =
    seat === null || sections.stage.phase !== 'play'
      ? []
      : (sections.hand?.coins ?? []).flatMap(({ name, stock }) => (stock ? [[name, seat] as const] : []))
  const end = sections.reckoning?.hands.flatMap((coins, owner) =>
    coins.flatMap(({ name, stock }) => (stock ? [[name, owner] as const] : [])),
  )
  return new Map([...(open ?? []), ...ownCoins, ...(end ?? [])])
}

/** The suits that another coin of this value could have, given that its holder also has these coins. */
export function suitsLeft(coins: readonly Lying[], value: number): readonly Side[] {
  const ownSuits = coins
    .filter(({ name }) => valueOf(name) === value)
    .map(({ name }) => sidesOf(name, true)[0])
  return ['S', 'M', 'C', 'A'].filter((suit) => !ownSuits.includes(suit))
}

/** The number of companies on the grid. */
export function standing({ board }: Sections): number {
  return board.stacks.filter((stack) => stack !== null).length
}

/** Coins split into stocks and cash, as they are or as marked, and the total worth of each part. */
export function splitOf(
  coins: readonly TakeoverHolding[],
  marked: readonly Name[] | null,
): {
  readonly stocks: readonly TakeoverHolding[]
  readonly cash: readonly TakeoverHolding[]
  readonly inStocks: number
  readonly inCash: number
} {
  const up = ({ name, stock }: TakeoverHolding): boolean => marked?.includes(name) ?? stock
  const stocks = coins.filter(up)
  const cash = coins.filter((coin) => !up(coin))
  const sum = (of: readonly TakeoverHolding[]): number => of.reduce((all, { worth }) => all + worth, 0)
  return { stocks, cash, inStocks: sum(stocks), inCash: sum(cash) }
}
