/** The ending of Share and Share Alike: the margin, and the company that made it. */
import { closestOf, runnersUp, type Ending } from '../../app/endings.ts'
import type { SharesDecisiveFloor, SharesReckoning } from '../../sdk/wire.gen.ts'
import { words } from '../../app/language.ts'
import type { Piece } from '../../app/words.ts'
import { COMPANIES } from './cards.ts'
import { formatCompany } from './format.ts'
import { decimal, shownHundredths } from './fractions.ts'
import { pieces } from './words.ts'

/** The floor that would have changed who won; empty if the hub does not say. */
function sayDecisiveFloor(
  floor: SharesDecisiveFloor | undefined,
  winners: readonly number[],
): readonly Piece[] {
  if (floor === undefined) return []
  if (floor.company === null) return [{ text: ' ' }, ...pieces('endSafe')]
  const isSmaller =
    winners.length > floor.winners.length && floor.winners.every((seat) => winners.includes(seat))
  const said = pieces('endFloor', {
    company: formatCompany(floor.company),
    more: floor.change,
    seats: floor.winners,
    left: isSmaller ? floor.winners.length : 0,
  })
  return [{ text: ' ' }, ...said]
}

/** How far apart two scores are as the result shows them: the points, and their number for the grammar. */
function marginOf(
  scores: readonly number[],
  one: number,
  other: number,
  over: number,
): { readonly count: number; readonly points: string } {
  const [more, less] = [one, other].map((seat) => shownHundredths(scores[seat] ?? 0, scores, over))
  const hundredths = (more ?? 0) - (less ?? 0)
  return { count: hundredths / 100, points: decimal(hundredths, 100) }
}

/** Whole points, unless that would be none. */
function whole(top: number, bottom: number): string {
  const points = Math.round(top / bottom)
  return points === 0 ? decimal(top, bottom) : words.value(points)
}

export function endingOf(
  { seats, companies, over }: SharesReckoning,
  winners: readonly number[],
  floor?: SharesDecisiveFloor,
): Ending {
  const scores = seats.map(({ score }) => score)
  const behind = runnersUp(scores, winners)
  const seat = winners[0]
  const other = behind?.seats[0]
  if (seat === undefined) return { closest: null, decided: null }
  const margin = closestOf(
    winners,
    behind,
    () => pieces('endLevel', { seats: winners, points: decimal(scores[seat] ?? 0, over) }),
    ({ seats }) => pieces('endMargin', { seat, seats, ...marginOf(scores, seat, seats[0] ?? seat, over) }),
  )
  const closest = margin && [...margin, ...sayDecisiveFloor(floor, winners)]
  if (other === undefined) return { closest, decided: null }
  const gaps = COMPANIES.map(
    (_, index) => (seats[seat]?.points[index] ?? 0) - (seats[other]?.points[index] ?? 0),
  )
  const most = Math.max(...gaps)
  const index = gaps.indexOf(most)
  const company = COMPANIES[index]
  const heldBy = (each: number): number => seats[each]?.tracker.holdings[index] ?? 0
  const decided =
    company === undefined || most <= 0
      ? null
      : pieces('endCompany', {
          company: formatCompany(company),
          all: companies[index]?.claimed ?? 0,
          seat,
          held: heldBy(seat),
          other,
          count: heldBy(other),
          gap: Math.round(most / over),
          points: whole(most, over),
        })
  return { closest, decided }
}
