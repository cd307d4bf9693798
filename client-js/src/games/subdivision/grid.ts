/**
 * The geometry of squares: names, steps for keys, the square under a finger, the outline of a group.
 *
 * A square is numbered column + size * row from a1 at the lower left; on the screen, the top row comes
 * first.
 */

const COLUMNS = 'abcdefgh'

export function columnName(column: number): string {
  return COLUMNS[column] ?? ''
}

/** A square's name, such as c4. */
export function squareName(square: number, size: number): string {
  return `${columnName(square % size)}${Math.floor(square / size) + 1}`
}

/** The position of a square on the screen: column from the left, row from the top. */
export function placeOf(square: number, size: number): { readonly x: number; readonly y: number } {
  return { x: square % size, y: size - 1 - Math.floor(square / size) }
}

/** The squares row by row as the screen shows them, from the upper left. */
export function screenRows(size: number): readonly (readonly number[])[] {
  return Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_, x) => x + size * (size - 1 - y)),
  )
}

/** The square one step away, without leaving the board; `right` and `up` are -1, 0 or 1. */
export function stepped(square: number, right: number, up: number, size: number): number {
  const within = (place: number): number => Math.min(size - 1, Math.max(0, place))
  return within((square % size) + right) + size * within(Math.floor(square / size) + up)
}

/** The eight squares around one, or fewer at an edge. */
export function squaresNear(square: number, size: number): readonly number[] {
  const { x, y } = placeOf(square, size)
  return Array.from({ length: size * size }, (_, other) => other).filter((other) => {
    const place = placeOf(other, size)
    return other !== square && Math.abs(place.x - x) <= 1 && Math.abs(place.y - y) <= 1
  })
}

const STEPS: Readonly<Record<string, readonly [right: number, up: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
}

/**
 * The square a key moves to: one step for arrows, an end of the row for Home and End, null for other keys.
 */
export function keyed(square: number, key: string, size: number): number | null {
  const step = STEPS[key]
  if (step !== undefined) return stepped(square, step[0], step[1], size)
  const row = size * Math.floor(square / size)
  if (key === 'Home') return row
  return key === 'End' ? row + size - 1 : null
}

/** The square nearest to a point, given in squares from the upper left corner of the board. */
export function nearest(x: number, y: number, size: number): number {
  const within = (place: number): number => Math.min(size - 1, Math.max(0, Math.floor(place)))
  return within(x) + size * (size - 1 - within(y))
}

interface Point {
  readonly x: number
  readonly y: number
}

interface Corner extends Point {
  readonly before: Point
  readonly after: Point
}

/** A direction turned right by 90 degrees on a screen, where y grows downwards. */
function turned({ x, y }: Point): Point {
  return { x: -y || 0, y: x || 0 }
}

function same(a: Point, b: Point): boolean {
  return a.x === b.x && a.y === b.y
}

/** The sides that belong to only one of the squares, clockwise: where each begins and which way it runs. */
function sides(squares: readonly number[], size: number): { at: Point; way: Point }[] {
  const held = new Set(squares)
  return squares.flatMap((square) => {
    const { x, y } = placeOf(square, size)
    const column = square % size
    const free = (other: number, on: boolean): boolean => !on || !held.has(other)
    return [
      ...(free(square + size, true) ? [{ at: { x, y }, way: { x: 1, y: 0 } }] : []),
      ...(free(square + 1, column < size - 1) ? [{ at: { x: x + 1, y }, way: { x: 0, y: 1 } }] : []),
      ...(free(square - size, true) ? [{ at: { x: x + 1, y: y + 1 }, way: { x: -1, y: 0 } }] : []),
      ...(free(square - 1, column > 0) ? [{ at: { x, y: y + 1 }, way: { x: 0, y: -1 } }] : []),
    ]
  })
}

/** The corners of each closed line around the squares; holes get a line of their own. */
function loops(squares: readonly number[], size: number): Corner[][] {
  const open = sides(squares, size)
  const lines: Corner[][] = []
  for (let first = open.shift(); first !== undefined; first = open.shift()) {
    const corners: Corner[] = []
    let { at, way } = first
    for (;;) {
      const end = { x: at.x + way.x, y: at.y + way.y }
      // Where two squares meet only at a corner, the line stays with its own square.
      const right = turned(way)
      const on = open.filter((side) => same(side.at, end))
      const next = on.find((side) => same(side.way, right)) ?? on[0]
      const after = next?.way ?? first.way
      if (!same(after, way)) corners.push({ ...end, before: way, after })
      if (next === undefined) break
      open.splice(open.indexOf(next), 1)
      ;({ at, way } = next)
    }
    lines.push(corners)
  }
  return lines
}

/** An SVG path around connected squares of side `unit`, inset by `inset`, with rounded corners. */
export function outline(
  squares: readonly number[],
  size: number,
  unit: number,
  inset: number,
  radius: number,
): string {
  return loops(squares, size)
    .map((corners) => {
      const parts = corners.map(({ x, y, before, after }, index) => {
        const inward = [turned(before), turned(after)] as const
        const at = {
          x: x * unit + inset * (inward[0].x + inward[1].x),
          y: y * unit + inset * (inward[0].y + inward[1].y),
        }
        const from = `${at.x - radius * before.x} ${at.y - radius * before.y}`
        const to = `${at.x + radius * after.x} ${at.y + radius * after.y}`
        return `${index === 0 ? 'M' : 'L'}${from}Q${at.x} ${at.y} ${to}`
      })
      return `${parts.join('')}Z`
    })
    .join('')
}

/** The square that carries a group's tag: the leftmost in the group's highest row on the screen. */
export function headOf(squares: readonly number[], size: number): number {
  return squares.reduce((best, square) => {
    const [a, b] = [placeOf(square, size), placeOf(best, size)]
    return a.y < b.y || (a.y === b.y && a.x < b.x) ? square : best
  })
}
