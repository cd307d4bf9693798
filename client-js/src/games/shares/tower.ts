/** A tower seen from the side: floors of three widths on top of one another, in a drawing 64 wide. */
import type { Size } from './cards.ts'

export const WIDE = 64
/** Half the width of a floor at its foot, and how far each side slants in towards its top. */
const HALF: Readonly<Record<Size, number>> = { L: 30, M: 22, S: 14 }
const SLANT = 3.5
/** The maximum and minimum height of a floor. */
const MOST = 17
const LEAST = 4
/** The gap between floors. */
const GAP = 1

export const PIPS: Readonly<Record<Size, number>> = { L: 3, M: 2, S: 1 }

export interface FloorDrawing {
  readonly size: Size
  readonly d: string
  /** The y coordinate of its middle; the ground is at 0, and up is negative. */
  readonly middle: number
}

/** The height of one floor when the tallest tower has `most` floors and there is `room` for it. */
export function floorHeight(most: number, room: number): number {
  return Math.max(LEAST, Math.min(MOST, room / Math.max(1, most)))
}

/** The floors of a tower, the lowest first; the ground is at 0, and up is negative. */
export function drawn(floors: readonly Size[], height: number): readonly FloorDrawing[] {
  return floors.map((size, level) => {
    const [half, foot, top] = [HALF[size], -level * height, -(level + 1) * height + GAP]
    const middle = WIDE / 2
    return {
      size,
      d: `M${middle - half} ${foot}L${middle + half} ${foot}L${middle + half - SLANT} ${top}L${middle - half + SLANT} ${top}Z`,
      middle: (foot + top) / 2,
    }
  })
}
