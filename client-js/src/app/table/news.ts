/**
 * News shown next to the board, so that nobody has to open the log for it: decisions by the clock, and what
 * others did to this seat's things. Each game declares which of its lines are news.
 */
import type { AudienceLine } from '../../sdk/wire.gen.ts'

export interface Newsworthy {
  /** Lines that begin something new, after which earlier lines are no longer news. */
  readonly begins: ReadonlySet<string>
  /** Lines about what a `seat` did. */
  readonly deeds: ReadonlySet<string>
  /**
   * Lines saying that the clock decided for a `seat`, or for `seats`; the outcome follows at the same moment.
   */
  readonly clock: ReadonlySet<string>
  /** Whether a line reports what somebody else did to this seat's things. */
  touches(key: string, args: AudienceLine[2], seat: number): boolean
}

/** The number of sentences that fit next to the controls for a decision. */
const ROOM = 3
/** The number of lines about a decision by the clock: one says that it decided, and one gives the outcome. */
const DECIDED = 2
/** Lines about time, which are not part of the outcome of a decision. */
const OF_TIME = /^timeControl\./

const decidedFor = ([, , { seat, seats }]: AudienceLine, who: number): boolean =>
  seat === who || (Array.isArray(seats) && (seats as readonly unknown[]).includes(who))

/** The lines of a log, grouped by moment. */
function moments(lines: readonly AudienceLine[]): readonly AudienceLine[][] {
  const groups: AudienceLine[][] = []
  for (const line of lines) {
    if (groups.at(-1)?.[0]?.[3] === line[3]) groups.at(-1)?.push(line)
    else groups.push([line])
  }
  return groups
}

/**
 * The latest news for a seat, oldest first. What the clock did for somebody else is news until something else
 * happens; what affects this seat is news until the seat next acts.
 */
export function newsOf(
  lines: readonly AudienceLine[],
  seat: number,
  { begins, deeds, clock, touches }: Newsworthy,
): readonly AudienceLine[] {
  const timeline = moments(lines.filter(([, key]) => !OF_TIME.test(key)))
  const decided = timeline.map((moment) => moment.filter(([, key]) => clock.has(key)))
  const latest = timeline.findLastIndex((moment) =>
    moment.some(([, key]) => clock.has(key) || deeds.has(key)),
  )
  const lastOwnMove = timeline.findLastIndex((moment, index) => {
    const did =
      moment.some(([, key, args]) => deeds.has(key) && args.seat === seat) &&
      decided[index]?.some((line) => decidedFor(line, seat)) !== true
    return did || moment.some(([, key]) => begins.has(key))
  })
  const news: AudienceLine[] = []
  for (let index = timeline.length - 1; index > lastOwnMove; index -= 1) {
    const [moment, by] = [timeline[index] ?? [], decided[index] ?? []]
    const whole = by.length > 0 && (index === latest || by.some((line) => decidedFor(line, seat)))
    const more = whole ? moment.slice(0, DECIDED) : moment.filter(([, key, args]) => touches(key, args, seat))
    if (news.length + more.length > ROOM) break
    news.unshift(...more)
  }
  return news
}
