/** The ending of Almost and Banbury: a clash or a margin, and the round that decided the game. */
import { leadingSince, runnersUp, type Ending } from '../../app/endings.ts'
import type { Piece } from '../../app/words.ts'
import type { AlmostRow } from '../../sdk/wire.gen.ts'
import { counts, type Sections } from './selectors.ts'
import { pieces } from './words.ts'

type Game = Pick<Sections, 'stage' | 'score'>

const winsCount = ({ stage }: Pick<Game, 'stage'>): boolean =>
  stage.mode === 'banbury' && stage.scoring === 'roundsWon'

/** The most points by which a win is missed or made and still close. */
const CLOSE = 2

/** The points that a seat would score by being alone with its number. */
function worthOf(game: Game, row: AlmostRow, seat: number): number {
  return winsCount(game) ? 1 : (row.bids[seat] ?? 0)
}

/** The scores after each round. */
function standingsOf(game: Game): readonly (readonly number[])[] {
  const sums = counts(game).map(() => 0)
  return game.score.rows.map((row) => {
    if (row.winner !== null) sums[row.winner] = (sums[row.winner] ?? 0) + worthOf(game, row, row.winner)
    return [...sums]
  })
}

export function endingOf(game: Game, winners: readonly number[]): Ending {
  const clashed = clash(game, winners)
  const closest = clashed ?? margin(game, winners)
  const isSaid = clashed === null && closest !== null && winners.length === 0
  return { closest, decided: decided(game, winners, isSaid) }
}

/**
 * The last round in which a seat that did not win chose the same number as exactly one other, and would have
 * won the game alone with it.
 */
function clash(game: Game, winners: readonly number[]): readonly Piece[] | null {
  const { target } = game.stage
  const scores = counts(game)
  for (const [index, row] of [...game.score.rows.entries()].toReversed()) {
    const lowest = row.winner === null ? Infinity : (row.bids[row.winner] ?? 0)
    for (const [seat, number] of row.bids.entries()) {
      const others = [...row.bids.keys()].filter((each) => each !== seat && row.bids[each] === number)
      const [other] = others
      if (winners.includes(seat) || other === undefined || others.length > 1 || number >= lowest) continue
      const would = scores.map(
        (score, each) =>
          score +
          (each === seat ? worthOf(game, row, seat) : 0) -
          (each === row.winner ? worthOf(game, row, each) : 0),
      )
      const ownScore = would[seat] ?? 0
      if (target === null ? ownScore === Math.max(...would) : ownScore >= target)
        return pieces('endClash', { round: index + 1, seat, other, number })
    }
  }
  return null
}

/** By how much the best of the others missed the win, or the last of the winners made it; null if it was not close. */
function margin(game: Game, winners: readonly number[]): readonly Piece[] | null {
  const { target } = game.stage
  const scores = counts(game)
  if (target === null) {
    const [seat] = winners
    const behind = runnersUp(scores, winners)
    if (seat === undefined) return null
    if (winners.length > 1 || behind === null) return pieces('endLevel', { seats: winners })
    if (behind.margin > CLOSE) return null
    const values = { seat, seats: behind.seats, count: behind.margin }
    return winsCount(game) ? pieces('endMarginWins', values) : pieces('endMargin', values)
  }
  const short = scores.map((score) => target - score)
  const missed = Math.min(...short.filter((_, seat) => !winners.includes(seat)))
  const pressed = winners.filter((seat) => neededAll(game, seat, target))
  const spare = Math.min(...pressed.map((seat) => -(short[seat] ?? 0)))
  if (Math.min(missed, spare) > CLOSE) return null
  const [count, key] = missed <= spare ? [missed, 'endMissed' as const] : [spare, 'endSpare' as const]
  const candidates =
    key === 'endSpare' ? pressed : [...scores.keys()].filter((seat) => !winners.includes(seat))
  const seats = candidates.filter((seat) => Math.abs(short[seat] ?? 0) === count)
  if (key === 'endSpare' && seats.length === 1 && seats[0] === crossing(game, winners)?.seat) return null // said below
  return pieces(key, { seats, count, target })
}

/** Whether this seat scored more than once, and would have missed the target without its lowest number. */
function neededAll({ score }: Game, seat: number, target: number): boolean {
  const scored = score.rows.filter(({ winner }) => winner === seat).map(({ bids }) => bids[seat] ?? 0)
  return scored.length > 1 && (score.points[seat] ?? 0) - Math.min(...scored) < target
}

/** The last winner to reach the target, and the index of the round in which they did; null if nobody has. */
function crossing(game: Game, winners: readonly number[]): { seat: number; index: number } | null {
  const { target } = game.stage
  if (target === null) return null
  const standings = standingsOf(game)
  const crossed = winners.map((seat) => standings.findIndex((sums) => (sums[seat] ?? 0) >= target))
  const index = Math.max(...crossed)
  const seat = winners[crossed.indexOf(index)]
  return seat === undefined ? null : { seat, index }
}

/**
 * The round in which the last winner reached the target, or since which the winners led. `isSaid`: it is said
 * already how many points the best has missed.
 */
function decided(game: Game, winners: readonly number[], isSaid: boolean): readonly Piece[] | null {
  const { rows } = game.score
  const { target } = game.stage
  const standings = standingsOf(game)
  const empty = rows.filter(({ winner }) => winner === null).length
  if (rows.length === 0) return null
  if (empty === rows.length) return pieces('endEmpty', { count: empty, rounds: rows.length })
  if (target === null) {
    const since = leadingSince(standings, winners)
    if (since === null) return null
    return since < rows.length
      ? pieces('endLed', { seats: winners, round: since })
      : pieces(rows.length === 1 ? 'endOnly' : 'endLast', { seats: winners })
  }
  const last = crossing(game, winners)
  if (last !== null)
    return pieces('endCrossed', {
      seat: last.seat,
      sum: standings[last.index]?.[last.seat] ?? 0,
      number: rows[last.index]?.bids[last.seat] ?? 0,
      round: last.index + 1,
    })
  if (empty > 0) return pieces('endEmpty', { count: empty, rounds: rows.length })
  if (isSaid) return null
  const best = Math.max(...game.score.points)
  return pieces('endMost', { count: best, target })
}
