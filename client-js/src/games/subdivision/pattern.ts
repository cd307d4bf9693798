/**
 * A pattern of parks while it is being drawn. The rules set the size of a table's board and the number of its
 * parks (3a).
 */
import { squareName } from './grid.ts'

export interface Lots {
  readonly size: number
  readonly parks: number
}

const LOTS: Readonly<Record<string, Readonly<Record<number, Lots>>>> = {
  fullStash: { 2: { size: 6, parks: 6 }, 3: { size: 7, parks: 4 }, 4: { size: 8, parks: 4 } },
  threeHouse: { 2: { size: 5, parks: 7 }, 3: { size: 6, parks: 9 }, 4: { size: 6, parks: 0 } },
}

/** The board of a table; null for a number of seats or a set that does not exist. */
export function lotsOf(set: unknown, seats: number): Lots | null {
  return LOTS[String(set)]?.[seats] ?? null
}

/** The squares named in a string that are on a board of this size, in ascending order. */
export function squaresIn(text: string, size: number): readonly number[] {
  const words = new Set(text.toLowerCase().split(/[\s,]+/))
  return Array.from({ length: size * size }, (_, square) => square).filter((square) =>
    words.has(squareName(square, size)),
  )
}

/** The string with a square added, or removed if it was there; nothing is added once all parks are drawn. */
export function toggled(text: string, square: number, { size, parks }: Lots): string {
  const squares = squaresIn(text, size)
  const after = squares.includes(square)
    ? squares.filter((each) => each !== square)
    : squares.length < parks
      ? [...squares, square].toSorted((a, b) => a - b)
      : squares
  return after.map((each) => squareName(each, size)).join(' ')
}
