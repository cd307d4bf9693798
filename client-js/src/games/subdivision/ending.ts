/** The ending of Subdivision: when the lead was last taken, and the part of the score that made it. */
import { runnersUp, type Ending } from '../../app/endings.ts'
import type { Piece } from '../../app/words.ts'
import type { SubdivisionTotal } from '../../sdk/wire.gen.ts'
import { squareName } from './grid.ts'
import { pyramidsLeft, type Sections } from './selectors.ts'
import { pieces, say } from './words.ts'

/** The share of the pyramids left to place after which taking the lead was no close moment. */
const LATE = 0.5

/** The parts of a score, each with its sign. */
const PARTS = [
  { key: 'endPips', part: 'partPips', sign: 1, of: ({ pips }: SubdivisionTotal) => pips },
  { key: 'endGroups', part: 'partGroups', sign: -1, of: ({ groups }: SubdivisionTotal) => groups },
  { key: 'endCrowds', part: 'partCrowds', sign: -1, of: ({ crowded }: SubdivisionTotal) => crowded },
  { key: 'endParks', part: 'partParks', sign: 1, of: ({ gardens }: SubdivisionTotal) => gardens },
] as const

/** `viewer`: the seat that reads it, which is spoken to; null for a spectator. */
export function endingOf(
  sections: Sections,
  winners: readonly number[],
  viewer: number | null = null,
): Ending {
  const { totals } = sections.score
  const scores = totals.map(({ total }) => total)
  const behind = runnersUp(scores, winners)
  const seat = winners[0]
  if (seat === undefined) return { closest: null, decided: null }
  const closest =
    winners.length > 1
      ? pieces('endLevel', { seats: winners, count: scores[seat] ?? 0 })
      : turningPoint(sections, seat, viewer)
  const other = winners[1] ?? behind?.seats[0]
  const turned = winners.length === 1
  return { closest, turned, decided: other === undefined ? null : difference(totals, seat, other, viewer) }
}

/** The pyramid before which somebody else was last level with the winner, or ahead; null if that was early on. */
function turningPoint(sections: Sections, seat: number, viewer: number | null): readonly Piece[] | null {
  const { board, stage } = sections
  const { lead } = stage
  const piece = lead == null ? null : board.squares[lead.square]
  if (lead == null || piece == null) return null
  const placed = board.squares.filter((each) => each !== null).length
  if (lead.left > LATE * (placed + pyramidsLeft(sections))) return null
  const [by, pips] = piece
  const values = { pips, square: squareName(lead.square, board.size) }
  const count = lead.left + 1 // with this one
  const last = lead.square === board.last
  if (seat === viewer && by === viewer)
    return last ? pieces('endLeadLastYours', values) : pieces('endLeadYours', { ...values, count })
  if (seat === viewer)
    return last ? pieces('endLeadLastYou', { ...values, by }) : pieces('endLeadYou', { ...values, by, count })
  return last
    ? pieces('endLeadLast', { ...values, seat, by })
    : pieces('endLead', { ...values, seat, by, count })
}

/** The part of the score in which these two seats differ most, told from the better one's side. */
function difference(
  totals: readonly SubdivisionTotal[],
  one: number,
  two: number,
  viewer: number | null,
): readonly Piece[] | null {
  const [first, second] = [totals[one], totals[two]]
  if (first === undefined || second === undefined) return null
  const gaps = PARTS.map(({ sign, of }) => sign * (of(first) - of(second)))
  const tied = first.total === second.total
  const most = Math.max(...gaps.map((gap) => (tied ? Math.abs(gap) : gap)))
  const index = gaps.findIndex((gap) => (tied ? Math.abs(gap) : gap) === most)
  const alike = PARTS.filter((_, at) => gaps[at] === most)
  if (!tied && most > 0 && alike.length > 1) {
    const parts = alike.map(({ part }) => say(part))
    return pieces('endSeveral', { count: most, parts })
  }
  const part = PARTS[index]
  if (part === undefined || most <= 0) return pieces('endSame', { seat: one, other: two })
  const ahead = (gaps[index] ?? 0) > 0
  const values = { seat: ahead ? one : two, other: ahead ? two : one }
  const [better, worse] = ahead ? [first, second] : [second, first]
  const { key, of } = part
  const counts = { count: of(better), theirs: of(worse) }
  if (values.seat === viewer) return pieces(`${key}Yours`, { other: values.other, ...counts })
  if (values.other === viewer) return pieces(`${key}You`, { seat: values.seat, ...counts })
  return pieces(key, { ...values, ...counts })
}
