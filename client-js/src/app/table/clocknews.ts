/** What the clock decided for somebody: news on the stage, because nobody else tells. */
import type { AudienceLine } from '../../sdk/wire.gen.ts'

/** The lines that say so, in every game: `almost.auto`, `shares.autoMarks`. */
const BY_CLOCK = /^[a-z]+\.auto/
/** Lines about time itself, which end no news. */
const OF_TIME = /^timeControl\./

const concerns = ({ seat, seats }: AudienceLine[2], who: number | null): boolean =>
  seat === who || (Array.isArray(seats) && (seats as readonly unknown[]).includes(who))

/**
 * The line that says for whom the clock decided last. It is news until something else happens; to the seat it decided
 * for, until that seat does something. Lines up to number `seen` are no longer news.
 */
export function clockNews(
  lines: readonly AudienceLine[],
  seat: number | null,
  seen: number,
): AudienceLine | null {
  let latest = true
  for (let end = lines.length; end > 0 && (lines[end - 1]?.[0] ?? -1) > seen;) {
    const at = lines[end - 1]?.[3]
    let start = end - 1
    while (start > 0 && lines[start - 1]?.[3] === at) start -= 1
    const moment = lines.slice(start, end).filter(([, key]) => !OF_TIME.test(key))
    end = start
    if (moment.length === 0) continue
    const decided = moment.filter(([, key]) => BY_CLOCK.test(key))
    const line = decided.find(([, , args]) => concerns(args, seat)) ?? (latest ? decided[0] : undefined)
    if (line !== undefined) return line
    if (seat === null || moment.some(([, , args]) => args.seat === seat)) return null
    latest = false
  }
  return null
}
