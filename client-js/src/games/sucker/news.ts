/** The log lines that are shown to this person as news beside the board. */
import { newsOf, type Newsworthy } from '../../app/table/news.ts'
import type { TableView } from '../../app/tableview.svelte.ts'
import type { SuckerTexts } from '../../app/texts/keys.gen.ts'
import type { AudienceLine } from '../../sdk/wire.gen.ts'

type Key = SuckerTexts['lines']

const keys = (...names: Key[]): ReadonlySet<string> => new Set(names)

/** Lines in which `seat` kills a chip of `colour`. */
const KILLS = keys('sucker.killed', 'sucker.killedPrisoners')
/** Lines in which `other` gets chips, has a card played against it, or learns what a card naming it does. */
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
  touches: (key, { seat, other, colour }, viewer) =>
    seat !== viewer && ((KILLS.has(key) && colour === viewer) || (MEETS.has(key) && other === viewer)),
}

/** Lines that place a chip. */
const PLACES = keys('sucker.placed', 'sucker.opened')

/** Lines that tell `other` of a gift. */
const GIFTS = keys('sucker.transferred')

/**
 * The news for this seat since its own last action, as long as not everybody could have had a turn since. Whoever
 * decides about a rescue also reads of older gifts: two players may have passed the turn to and fro meanwhile.
 */
export function newsFor(view: TableView): readonly AudienceLine[] {
  if (view.seat === null) return []
  const placed = view.state.lines.filter(([, key]) => PLACES.has(key)).at(-view.seats.length)?.[0] ?? 0
  const decides = view.prompt('rescue') !== undefined
  return newsOf(view.state.lines, view.seat, newsworthy).filter(
    ([number, key]) => number >= placed || (decides && GIFTS.has(key)),
  )
}
