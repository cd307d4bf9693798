/** What every game's ending shares: two sentences at the head of its result, made from what everybody sees there. */
import type { Piece } from './words.ts'

/** The closest moment of a finished game, and what decided it; null where a game has nothing to say. */
export interface Ending {
  readonly closest: readonly Piece[] | null
  readonly decided: readonly Piece[] | null
  /** Whether the moment is one after which somebody stayed ahead, rather than a close one. */
  readonly turned?: boolean
}

/** The best of the seats that did not win, and how far their score is below the winners'. */
interface RunnersUp {
  readonly seats: readonly number[]
  readonly margin: number
}

/** Those who came next after the winners; null if all won. */
export function runnersUp(scores: readonly number[], winners: readonly number[]): RunnersUp | null {
  const others = [...scores.keys()].filter((seat) => !winners.includes(seat))
  if (others.length === 0) return null
  const best = Math.max(...others.map((seat) => scores[seat] ?? 0))
  const won = Math.max(...winners.map((seat) => scores[seat] ?? 0))
  return { seats: others.filter((seat) => scores[seat] === best), margin: won - best }
}

/** How far apart the winners and the others ended: level winners, or the margin; null if nobody is behind. */
export function closestOf(
  winners: readonly number[],
  behind: RunnersUp | null,
  level: () => readonly Piece[],
  margin: (behind: RunnersUp) => readonly Piece[],
): readonly Piece[] | null {
  if (winners.length > 1) return level()
  return behind === null ? null : margin(behind)
}

/** The seats with the highest score. */
function leaders(scores: readonly number[]): readonly number[] {
  const best = Math.max(...scores)
  return [...scores.keys()].filter((seat) => scores[seat] === best)
}

/**
 * The round, counted from 1, since which exactly these seats have led. `standings` are the scores after each
 * round. Null if others lead at the end.
 */
export function leadingSince(
  standings: readonly (readonly number[])[],
  winners: readonly number[],
): number | null {
  const lead = standings.map((scores) => String(leaders(scores)) === String(winners))
  const before = lead.lastIndexOf(false)
  return before === lead.length - 1 ? null : before + 2
}
