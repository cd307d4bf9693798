/** The grid as places: 24 squares from the upper left, six to a row. */
import type { TakeoverBoard } from '../../sdk/wire.gen.ts'
import type { Name } from './coins.ts'

export const COLUMNS = 6
export const ROWS = 4
export type Stacks = TakeoverBoard['stacks']

export interface Place {
  readonly x: number
  readonly y: number
}

export function placeOf(square: number): Place {
  return { x: square % COLUMNS, y: Math.floor(square / COLUMNS) }
}

/** The corporation that stands on a square, by its name. */
export function topOf(stacks: Stacks, square: number): Name | null {
  return stacks[square]?.tiles.at(-1) ?? null
}

/** Where a corporation stands. */
export function squareOf(stacks: Stacks, name: Name | null): number | null {
  const found = name === null ? -1 : stacks.findIndex((stack) => stack?.tiles.at(-1) === name)
  return found < 0 ? null : found
}

const STEPS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** The square a key leads to from another on a grid of so many columns and rows; null: this key leads nowhere. */
export function keyed(from: number, key: string, columns = COLUMNS, rows = ROWS): number | null {
  const at = Math.floor(from / columns)
  if (key === 'Home') return at * columns
  if (key === 'End') return (at + 1) * columns - 1
  const step = STEPS[key]
  if (step === undefined) return null
  const x = Math.min(columns - 1, Math.max(0, (from % columns) + step[0]))
  const y = Math.min(rows - 1, Math.max(0, at + step[1]))
  return y * columns + x
}

/** The merger between two grids: from which square a stack went onto which; null: there was none, or more than one. */
export function moved(before: Stacks, after: Stacks): { readonly from: number; readonly to: number } | null {
  const gone = before.flatMap((stack, square) => (stack !== null && after[square] === null ? [square] : []))
  const [from] = gone
  if (from === undefined || gone.length > 1) return null
  const to = squareOf(after, topOf(before, from))
  return to === null ? null : { from, to }
}

/** An arrow from the middle of one square towards another's, short of both, in units of `unit` a square. */
export function arrow(from: number, to: number, unit: number): { readonly line: string; readonly head: string } {
  const [one, other] = [placeOf(from), placeOf(to)].map(({ x, y }) => ({ x: (x + 0.5) * unit, y: (y + 0.5) * unit })) as [Place, Place]
  const far = Math.hypot(other.x - one.x, other.y - one.y)
  const [dx, dy] = [(other.x - one.x) / far, (other.y - one.y) / far]
  const along = (distance: number, aside = 0): string => `${round(one.x + dx * distance - dy * aside)} ${round(one.y + dy * distance + dx * aside)}`
  const end = far - unit * 0.24
  const wide = unit * 0.15
  return {
    line: `M${along(unit * 0.28)}L${along(end - wide)}`,
    head: `M${along(end)}L${along(end - 1.7 * wide, wide)}L${along(end - 1.7 * wide, -wide)}Z`,
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
