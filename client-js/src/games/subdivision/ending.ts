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

/**
 * `viewer`: the seat that reads it, which is spoken to; null for a spectator. Of winners who are level it says
 * nothing: no moment and no part of the score decided between them.
 */
export function endingOf(
  sections: Sections,
  winners: readonly number[],
  viewer: number | null = null,
): Ending {
  const [seat] = winners
  if (seat === undefined || winners.length > 1) return { closest: null, decided: null }
  const { totals } = sections.score
  const other = runnersUp(
    totals.map(({ total }) => total),
    winners,
  )?.seats[0]
  return {
    closest: turningPoint(sections, seat, viewer),
    turned: true,
    decided: other === undefined ? null : difference(totals, seat, other, viewer),
  }
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

/** The part of the score in which the winner is furthest ahead of the other. */
function difference(
  totals: readonly SubdivisionTotal[],
  seat: number,
  other: number,
  viewer: number | null,
): readonly Piece[] | null {
  const [first, second] = [totals[seat], totals[other]]
  if (first === undefined || second === undefined) return null
  const gaps = PARTS.map(({ sign, of }) => sign * (of(first) - of(second)))
  const most = Math.max(...gaps)
  const [part, ...alike] = PARTS.filter((_, at) => gaps[at] === most)
  if (part === undefined) return null
  if (alike.length > 0)
    return pieces('endSeveral', { count: most, parts: [part, ...alike].map((each) => say(each.part)) })
  const { key, of } = part
  const counts = { count: of(first), theirs: of(second) }
  if (seat === viewer) return pieces(`${key}Yours`, { other, ...counts })
  if (other === viewer) return pieces(`${key}You`, { seat, ...counts })
  return pieces(key, { seat, other, ...counts })
}
