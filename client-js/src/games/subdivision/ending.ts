/** The ending of Subdivision: the margin, and the part of the score that made it. */
import { closestOf, runnersUp, type Ending } from '../../app/endings.ts'
import type { Piece } from '../../app/words.ts'
import type { SubdivisionScore, SubdivisionTotal } from '../../sdk/wire.gen.ts'
import { pieces } from './words.ts'

/** The parts of a score, each with its sign. */
const PARTS = [
  { key: 'endPips', sign: 1, of: ({ pips }: SubdivisionTotal) => pips },
  { key: 'endGroups', sign: -1, of: ({ groups }: SubdivisionTotal) => groups },
  { key: 'endCrowds', sign: -1, of: ({ crowded }: SubdivisionTotal) => crowded },
  { key: 'endParks', sign: 1, of: ({ gardens }: SubdivisionTotal) => gardens },
] as const

export function endingOf({ totals }: Pick<SubdivisionScore, 'totals'>, winners: readonly number[]): Ending {
  const scores = totals.map(({ total }) => total)
  const behind = runnersUp(scores, winners)
  const seat = winners[0]
  if (seat === undefined) return { closest: null, decided: null }
  const closest = closestOf(
    winners,
    behind,
    () => pieces('endLevel', { seats: winners, count: scores[seat] ?? 0 }),
    ({ seats, margin }) => pieces('endMargin', { seat, seats, count: margin }),
  )
  const other = winners[1] ?? behind?.seats[0]
  return { closest, decided: other === undefined ? null : difference(totals, seat, other) }
}

/** The part of the score in which these two seats differ most, told from the better one's side. */
function difference(totals: readonly SubdivisionTotal[], one: number, two: number): readonly Piece[] | null {
  const [first, second] = [totals[one], totals[two]]
  if (first === undefined || second === undefined) return null
  const gaps = PARTS.map(({ sign, of }) => sign * (of(first) - of(second)))
  const tied = first.total === second.total
  const most = Math.max(...gaps.map((gap) => (tied ? Math.abs(gap) : gap)))
  const index = gaps.findIndex((gap) => (tied ? Math.abs(gap) : gap) === most)
  const part = PARTS[index]
  if (part === undefined || most <= 0) return pieces('endSame', { seat: one, other: two })
  const ahead = (gaps[index] ?? 0) > 0
  const values = { seat: ahead ? one : two, other: ahead ? two : one }
  const [better, worse] = ahead ? [first, second] : [second, first]
  return pieces(part.key, { ...values, count: part.of(better), theirs: part.of(worse) })
}
