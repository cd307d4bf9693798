/** Positions on the grid: 24 squares from the upper left, six to a row. */
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

/** The name of the company on a square. */
export function topOf(stacks: Stacks, square: number): Name | null {
  return stacks[square]?.tiles.at(-1) ?? null
}

/** The square of a company. */
export function squareOf(stacks: Stacks, name: Name | null): number | null {
  const square = name === null ? -1 : stacks.findIndex((stack) => stack?.tiles.at(-1) === name)
  return square < 0 ? null : square
}

const STEPS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** The square a key moves to from this one on a grid of this size; null for keys that do not move. */
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

/**
 * The merger that happened between two grids: the squares a stack moved from and to; null if there was none,
 * or more than one.
 */
export function moved(before: Stacks, after: Stacks): { readonly from: number; readonly to: number } | null {
  const gone = before.flatMap((stack, square) => (stack !== null && after[square] === null ? [square] : []))
  const [from] = gone
  if (from === undefined || gone.length > 1) return null
  const to = squareOf(after, topOf(before, from))
  return to === null ? null : { from, to }
}

/**
 * The outline of an arrow from one square to another, near their edges so that it covers no numbers, with squares
 * of side `unit`.
 */
export function arrow(from: number, to: number, unit: number): string {
  const [one, other] = [placeOf(from), placeOf(to)]
  const far = Math.hypot(other.x - one.x, other.y - one.y)
  const [dx, dy] = [(other.x - one.x) / far, (other.y - one.y) / far]
  const round = (value: number): number => Math.round(value * unit * 10) / 10
  const at = (along: number, aside: number): string =>
    `${round(one.x + 0.5 + dx * along - dy * aside)} ${round(one.y + 0.5 + dy * along + dx * aside)}`
  const [start, end, thin, wide, head] = [0.4, far - 0.32, 0.06, 0.15, 0.2]
  const corners = [
    at(start, thin),
    at(end - head, thin),
    at(end - head, wide),
    at(end, 0),
    at(end - head, -wide),
    at(end - head, -thin),
    at(start, -thin),
  ]
  return `M${corners.join('L')}Z`
}
