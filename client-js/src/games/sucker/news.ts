/** Which lines of the log this person is told beside the board. */
import { newsOf, type Newsworthy } from '../../app/table/news.ts'
import type { TableView } from '../../app/tableview.svelte.ts'
import type { SuckerTexts } from '../../app/texts/keys.gen.ts'
import type { AudienceLine } from '../../sdk/wire.gen.ts'

type Key = SuckerTexts['lines']

const keys = (...found: Key[]): ReadonlySet<string> => new Set(found)

/** The chip of `colour` dies by the hand of `seat`. */
const KILLS = keys('sucker.killed', 'sucker.killedPrisoners')
/** Chips come to `other`, or a card is played against it, or it learns what a card does that names it. */
const MEETS = keys(
  'sucker.transferred',
  'sucker.capturedByCard',
  'sucker.returned',
  'sucker.tribute',
  'sucker.cardKind',
)

export const newsworthy: Newsworthy = {
  begins: keys('sucker.began'),
  deeds: keys(
    'sucker.placed',
    'sucker.opened',
    'sucker.gave',
    'sucker.kept',
    'sucker.killed',
    'sucker.transferred',
    'sucker.killedPrisoners',
    'sucker.refused',
    'sucker.relented',
    'sucker.returned',
    'sucker.tribute',
  ),
  clock: keys('sucker.auto', 'sucker.autoRefused'),
  touches: (key, { seat, other, colour }, own) =>
    seat !== own && ((KILLS.has(key) && colour === own) || (MEETS.has(key) && other === own)),
}

/** What this seat has not answered yet by something it did itself. */
export function newsFor(view: TableView): readonly AudienceLine[] {
  return view.seat === null ? [] : newsOf(view.state.lines, view.seat, newsworthy)
}
