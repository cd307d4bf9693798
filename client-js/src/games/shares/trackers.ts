/** What trackers tell: the player's own, and those that others have shown. */
import type { SharesShown, SharesTracker } from '../../sdk/wire.gen.ts'
import { COMPANIES, type Company } from './cards.ts'
import { formatCompany, signed } from './format.ts'
import { heldOf, type Sections } from './selectors.ts'
import { say } from './words.ts'

/** The rounds in which a company was marked, counted from 1. */
export function roundsOf({ marks }: SharesTracker, company: Company): readonly number[] {
  return marks.flatMap((marked, index) => (marked === company ? [index + 1] : []))
}

/** The latest tracker that a seat has shown this viewer, and whether everybody was shown it. */
export function shownBy(
  { seen, shows }: Pick<Sections, 'seen' | 'shows'>,
  seat: number,
): { readonly shown: SharesShown; readonly all: boolean } | null {
  const [forSeat, all] = [seen?.shown[seat] ?? null, shows?.shown[seat] ?? null]
  if (forSeat !== null) return { shown: forSeat, all: false }
  return all === null ? null : { shown: all, all: true }
}

/** A company's row in a tracker. */
export function formatRow(tracker: SharesTracker, company: Company, noted: Company | null): string {
  const rounds = roundsOf(tracker, company)
  const traded = tracker.traded[COMPANIES.indexOf(company)] ?? 0
  return [
    say('trackerRow', { company: formatCompany(company), count: heldOf(tracker, company) }),
    rounds.length === 0 ? null : say('trackerRounds', { rounds, count: rounds.length }),
    traded === 0 ? null : say('trackerTraded', { change: signed(traded) }),
    noted === company ? say('trackerNoted') : null,
  ]
    .filter((part) => part !== null)
    .join(', ')
}
