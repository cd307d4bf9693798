/**
 * The visits to all games: each `games/<game>/visit.ts` exports a `visit`, and no other file imports them.
 *
 * The same folder holds the game's tour (`screens.soak.ts`), its page object, if it has one, and any further
 * tests.
 */
import type { Visit } from './visit.ts'

const MODULES = import.meta.glob<{ readonly visit: Visit }>('./games/*/visit.ts', { eager: true })

export const VISITS: ReadonlyMap<string, Visit> = new Map(
  Object.entries(MODULES).map(([path, { visit }]) => [path.split('/')[2] ?? '', visit]),
)
