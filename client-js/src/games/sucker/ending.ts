/** The ending of So Long Sucker: the fewest chips a survivor came through with, and the fall or round that decided. */
import { runnersUp, type Ending } from '../../app/endings.ts'
import type { Piece } from '../../app/words.ts'
import type { SuckerDeed, SuckerMatch } from '../../sdk/wire.gen.ts'
import { ended, roleOf } from './selectors.ts'
import { pieces } from './words.ts'

/** With more chips than this, a survivor was never close to being eliminated. */
const FEW = 2

/** How the last round's ending (`ended`) is told: to others, to the survivor, and to the last one eliminated. */
const FALLS = {
  alone: null, // `falls` tells it
  both: ['endBoth', 'endBothYou', 'endBothLast'],
  none: ['endNone', 'endNoneYou', 'endNoneLast'],
  other: ['endOther', 'endOtherYou', 'endOtherLast'],
} as const

/**
 * `deeds` are the steps of the last round, if they are known. `viewer` is the seat that it is told to, if any. `helper`:
 * whether the survivor has a prisoner left, with which it could have saved the last one eliminated.
 */
export function endingOf(
  match: SuckerMatch,
  deeds: readonly SuckerDeed[] | null,
  winners: readonly number[],
  viewer: number | null = null,
  helper = false,
): Ending {
  const last = match.results.at(-1)
  if (last === undefined) return { closest: null, decided: null }
  const narrow = deeds === null ? null : fewest(deeds, last.survivor)
  if (match.results.length > 1)
    return { closest: rounds(match, winners) ?? narrow, decided: settled(match, winners) }
  const other = last.out.at(-1)
  const falls = FALLS[ended(last)]
  return {
    closest: narrow,
    decided:
      other === undefined
        ? null
        : falls === null
          ? deeds && fallsOf(deeds, last, viewer, helper)
          : pieces(falls[roleOf(last, viewer)], { seat: last.survivor, other }),
  }
}

/** Why only the survivor was left: who went out since the last other step, one after the other. */
function fallsOf(
  deeds: readonly SuckerDeed[],
  result: SuckerMatch['results'][number],
  viewer: number | null,
  helper: boolean,
): readonly Piece[] {
  const first = deeds.findLastIndex(([what]) => what !== 'fall') + 1
  const seats = deeds.slice(first).map(([, seat]) => seat)
  const { survivor: seat } = result
  const role = roleOf(result, viewer)
  const other = result.out.at(-1) ?? null
  if (seats.length === 1 && helper)
    return pieces((['endRefused', 'endRefusedYou', 'endRefusedLast'] as const)[role], { seat, other })
  return pieces((['endFell', 'endFellYou', 'endFellLast'] as const)[role], {
    count: seats.length,
    seats: role === 2 ? seats.filter((each) => each !== other) : seats,
    seat,
  })
}

/** The move, counted from 1, after which the survivor had the fewest chips, while others had more. */
function fewest(deeds: readonly SuckerDeed[], seat: number): readonly Piece[] | null {
  const close = deeds.map(([what, , , , held], step) => {
    const count = held[seat] ?? 0
    // a chip that captures is placed before the others are taken
    const captures = what === 'place' && deeds[step + 1]?.[0] === 'capture'
    const trails = held.some((other) => other > count)
    return captures || !trails ? Infinity : count
  })
  const count = Math.min(...close)
  if (count > FEW) return null
  const step = close.indexOf(count)
  const move = deeds.slice(0, step + 1).filter(([what]) => what === 'place').length
  return pieces('endFewest', { seat, count, move })
}

/** How close the match was, unless the winners were more than a round ahead. */
function rounds({ points }: SuckerMatch, winners: readonly number[]): readonly Piece[] | null {
  const [seat] = winners
  const behind = runnersUp(points, winners)
  if (seat === undefined) return null
  if (winners.length > 1) return pieces('endLevel', { seats: winners, count: points[seat] ?? 0 })
  return behind === null || behind.margin > 1 ? null : pieces('endRoundAhead', { seat, seats: behind.seats })
}

/** The round after which nobody else could catch the winners, as each round brings a seat at most one point. */
function settled({ rounds, results }: SuckerMatch, winners: readonly number[]): readonly Piece[] | null {
  if (winners.length === 0) return pieces('endNoRound', { count: results.length })
  const seats = [...(results[0]?.chips.keys() ?? [])]
  const after = results.findIndex((_, index) => {
    const points = seats.map(
      (seat) => results.slice(0, index + 1).filter((result) => result.winners.includes(seat)).length,
    )
    const behind = runnersUp(points, winners)
    const least = Math.min(...winners.map((seat) => points[seat] ?? 0))
    const left = rounds - index - 1
    return behind !== null && behind.seats.every((seat) => (points[seat] ?? 0) + left < least)
  })
  return after < 0 || after === results.length - 1
    ? pieces('endLast', { seats: winners })
    : pieces('endSettled', { seats: winners, round: after + 1, rounds })
}
