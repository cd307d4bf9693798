/**
 * The data that the board needs from the hub's sections. The client only displays it: totals, deductions and
 * legal squares come from the rules.
 */
import type { TableView } from '../../app/tableview.svelte.ts'
import type {
  Choice,
  SubdivisionBoard,
  SubdivisionScore,
  SubdivisionStage,
  SubdivisionStash,
  SubdivisionTotal,
} from '../../sdk/wire.gen.ts'

export type Pips = 1 | 2 | 3

export const SIZES: readonly Pips[] = [3, 2, 1]

export interface Sections {
  readonly board: SubdivisionBoard
  readonly stage: SubdivisionStage
  readonly stash: SubdivisionStash
  readonly score: SubdivisionScore
}

/** The board's sections together, or null before the game has begun. */
export function sectionsOf(view: TableView): Sections | null {
  const board = view.gameSection('subdivision', 'board')
  const stage = view.gameSection('subdivision', 'stage')
  const stash = view.gameSection('subdivision', 'stash')
  const score = view.gameSection('subdivision', 'score')
  return board && stage && stash && score ? { board, stage, stash, score } : null
}

/** The number of pyramids of this size that a seat still has to place. */
export function leftOf(sections: Sections, seat: number, pips: Pips): number {
  return sections.stash.left[seat]?.[pips - 1] ?? 0
}

export function pyramidsLeft(sections: Sections): number {
  return sections.stash.left.flat().reduce((sum, left) => sum + left, 0)
}

/** The numbers that a field of a choice may take. */
function numbers(choice: Choice, field: string): readonly number[] {
  const domain = choice.fields[field]
  return domain?.type === 'one_of' ? domain.of.filter((each) => typeof each === 'number') : []
}

/** The squares on which each size may be placed; a size that fits nowhere is missing. */
export function placements(choices: readonly Choice[]): ReadonlyMap<number, ReadonlySet<number>> {
  return new Map(
    choices.flatMap((choice) =>
      numbers(choice, 'pips').map((pips) => [pips, new Set(numbers(choice, 'square'))] as const),
    ),
  )
}

/** The squares that may become a park. */
export function parkSquares(choices: readonly Choice[]): ReadonlySet<number> {
  return new Set(choices.flatMap((choice) => numbers(choice, 'square')))
}

/** The size to place: the requested one if it fits somewhere, else the largest that does. */
export function sizeFor(wished: Pips | null, fits: ReadonlyMap<number, unknown>): Pips | null {
  return wished !== null && fits.has(wished) ? wished : (SIZES.find((pips) => fits.has(pips)) ?? null)
}

/** What would become of a seat's total. */
export interface Change {
  readonly seat: number
  readonly before: number
  readonly after: number
}

/** The seats whose total would change, in seat order, and `own` in any case. */
export function changes(
  before: readonly SubdivisionTotal[],
  after: readonly SubdivisionTotal[],
  own: number | null = null,
): readonly Change[] {
  return before.flatMap(({ total }, seat) => {
    const would = after[seat]?.total ?? total
    return would === total && seat !== own ? [] : [{ seat, before: total, after: would }]
  })
}

/** What makes a seat's total change: the parts of its score that would, each as points won or lost. */
export function partsOf(
  before: SubdivisionTotal | undefined,
  after: SubdivisionTotal | undefined,
): { readonly pips: number; readonly groups: number; readonly crowded: number; readonly parks: number } {
  return {
    pips: (after?.pips ?? 0) - (before?.pips ?? 0),
    groups: (before?.groups ?? 0) - (after?.groups ?? 0),
    crowded: (before?.crowded ?? 0) - (after?.crowded ?? 0),
    parks: (after?.gardens ?? 0) - (before?.gardens ?? 0),
  }
}
