/** Every screen. If a phase or status is added, the tests do not compile until it is listed here. */
import type * as Wire from '../../src/sdk/wire.gen.ts'
import type { Visit } from './visit.ts'

export type Role = 'seat' | 'watcher'
type Screens = Readonly<Record<Role, readonly string[]>>
const STATUSES: Readonly<Record<Wire.TableSection['status'], readonly string[]>> = {
  waiting: ['waiting room'],
  running: ['panel: chat', 'panel: log', 'panel: rules'],
  paused: ['paused'],
  finished: [], // the last phase of each game
}

const BOTH = [...Object.values(STATUSES).flat(), 'share', 'keys', 'reconnecting']

/** The screens around the table, whatever the game. */
export const ROOM: Screens = {
  seat: [
    ...BOTH,
    'home',
    'settings',
    'who are you',
    'new table',
    'panel: notes',
    'table and seat',
    'played by a bot',
  ],
  watcher: [...BOTH, 'home with tables', 'no such table', 'nothing here', 'full table', 'closed to watchers'],
}

/** The screens of every phase of a game, each to be seen by a seat and by a watcher. */
export function screensOf({ phases }: Pick<Visit, 'phases'>): Screens {
  const all = Object.entries<readonly string[]>(phases).flatMap(([phase, more]) =>
    more.map((each) => `${phase} ${each}`.trim()),
  )
  return { seat: all, watcher: all }
}
