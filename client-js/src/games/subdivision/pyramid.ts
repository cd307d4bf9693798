/** A pyramid from above, in a square of side 100: one terrace for each pip, each with four facets. */
import type { Pips } from './selectors.ts'

const MIDDLE = 50
/** Half the side of the top, and the width of a terrace. */
const TOP = 19
const TERRACE = 9
/** The distance between pips. */
const APART = 13

export interface Facets {
  /** Half the side of the base. */
  readonly half: number
  /** The four sides, clockwise from the one towards the light. */
  readonly sides: readonly string[]
  /** The edges between terraces. */
  readonly edges: string
  /** The positions of its pips across the side away from the light, and how far down they are. */
  readonly pips: readonly number[]
  readonly low: number
}

const WAYS: readonly (readonly [ax: number, ay: number, bx: number, by: number])[] = [
  [-1, -1, 1, -1],
  [1, -1, 1, 1],
  [1, 1, -1, 1],
  [-1, 1, -1, -1],
]

function facets(pips: Pips): Facets {
  const halves = Array.from({ length: pips }, (_, index) => TOP + TERRACE * (pips - index))
  const side = ([ax, ay, bx, by]: (typeof WAYS)[number]): string =>
    halves
      .map((outer) => {
        const inner = outer - TERRACE
        const at = (x: number, y: number, half: number): string => `${MIDDLE + x * half} ${MIDDLE + y * half}`
        return `M${at(ax, ay, outer)}L${at(bx, by, outer)}L${at(bx, by, inner)}L${at(ax, ay, inner)}Z`
      })
      .join('')
  const square = (half: number): string =>
    `M${MIDDLE - half} ${MIDDLE - half}h${2 * half}v${2 * half}h${-2 * half}z`
  const half = TOP + TERRACE * pips
  return {
    half,
    sides: WAYS.map(side),
    edges: [...halves, TOP].map(square).join(''),
    pips: halves.map((_, index) => MIDDLE + APART * (index - (pips - 1) / 2)),
    low: MIDDLE + half - TERRACE / 2 - 1,
  }
}

export const FACETS: Readonly<Record<Pips, Facets>> = { 1: facets(1), 2: facets(2), 3: facets(3) }
