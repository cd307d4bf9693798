/** What the last round has changed, from the log: shown until the first decision of the next round. */
import { words } from '../../app/language.ts'
import type { TableView } from '../../app/tableview.svelte.ts'
import type { AudienceLine } from '../../sdk/wire.gen.ts'
import { COMPANIES, type Company } from './cards.ts'
import { formatCompany, signed } from './format.ts'
import { say } from './words.ts'

/** How many floors a tower has gained, or lost, in a round, and whose cards did it. */
export interface Change {
  readonly company: Company
  readonly floors: number
  /** In the order of their first cards: how many floors each has added, or taken off. */
  readonly seats: readonly { readonly seat: number; readonly floors: number }[]
}

export interface Summary {
  readonly round: number
  /** The towers that somebody has raised or lowered, in their order. */
  readonly changes: readonly Change[]
}

const FLOORS: Readonly<Record<string, number>> = { 'shares.added': 1, 'shares.removed': -1 }
/** Lines that tell of a seat's decision: from the first one on, the new round is what counts. */
const DECISIONS = new Set(
  ['played', 'discarded', 'drawUp', 'market', 'ended', 'out', 'stuck', 'auto'].map((key) => `shares.${key}`),
)

/** The round that has just ended; null once the next one goes on, or if the log does not reach back to its start. */
export function lastRound(lines: readonly AudienceLine[]): Summary | null {
  const end = lines.findLastIndex(([, key]) => key === 'shares.round')
  const start = lines.slice(0, Math.max(0, end)).findLastIndex(([, key]) => key === 'shares.round')
  if (start < 0 || lines.slice(end).some(([, key]) => DECISIONS.has(key))) return null
  const changed = lines.slice(start, end).filter(([, key]) => key in FLOORS)
  const changes = COMPANIES.flatMap((company): readonly Change[] => {
    const count = (lines: readonly AudienceLine[]): number =>
      lines.reduce((sum, [, key]) => sum + (FLOORS[key] ?? 0), 0)
    const touches = changed.filter(([, , args]) => args.company === company)
    return touches.length === 0
      ? []
      : [
          {
            company,
            floors: count(touches),
            seats: [...new Set(touches.map(([, , args]) => Number(args.seat)))].map((seat) => ({
              seat,
              floors: count(touches.filter(([, , args]) => args.seat === seat)),
            })),
          },
        ]
  })
  return { round: Number(lines[start]?.[2].round), changes }
}

/** How many floors a tower has gained or lost; as many of each is not nothing. */
export function formatFloors(floors: number): string {
  return floors === 0 ? `±${signed(0)}` : signed(floors)
}

/** The last round in a line, for the stage. */
export function roundNews(view: TableView): string | null {
  const summary = view.status === 'running' ? lastRound(view.state.lines) : null
  if (summary === null || (view.acts && view.main?.kind === 'turn')) return null
  const { round, changes } = summary
  if (changes.length === 0) return say('summaryNone', { round })
  return say('summary', {
    round,
    changes: changes
      .map(({ company, floors }) => `${formatCompany(company)} ${formatFloors(floors)}`)
      .join(', '),
  })
}

/** What a tower’s change says to those who cannot see it. */
export function formatChange(view: TableView, { floors, seats }: Change, round: number): string {
  return say('summarySaid', {
    change: formatFloors(floors),
    round,
    names: words.value(seats.map(({ seat }) => view.nameOf(seat))),
  })
}
