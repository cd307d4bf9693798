/** Every screen there is. A phase, status or game that is new makes this fail to compile until it is visited. */
import type * as Wire from '../../src/sdk/wire.gen.ts'

type Phases<Key extends keyof Wire.Games> = Wire.Games[Key]['sections']['stage']['phase']

/** Phases of each game; the modes of one game are visited apart. */
export const PHASES: { readonly [Key in keyof Wire.Games]: Readonly<Record<Phases<Key>, readonly string[]>> } = {
  almost: { discuss: ['a plan'], bid: ['a draft', 'locked', 'many numbers'], reveal: ['', 'many numbers'], end: ['', 'many numbers'] },
  subdivision: { parks: [''], place: ['a choice', 'many pieces'], end: [''] },
  sucker: { turn: ['a choice', 'prisoners'], choose: [''], kill: [''], rescue: [''], review: [''], end: [''] },
  takeover: { draft: ['hidden', 'shown'], flip: [''], play: ['a merger', 'cashing out', 'late'], end: [''] },
}

const STATUSES: Readonly<Record<Wire.TableSection['status'], readonly string[]>> = {
  waiting: ['waiting room'],
  running: Object.entries(PHASES).flatMap(([game, phases]) => Object.entries(phases).flatMap(([phase, more]) => more.map((each) => `${game} ${phase} ${each}`.trim()))),
  paused: ['paused'],
  finished: [],
}

const PANELS = ['talk', 'log', 'rules']
const BOTH = [...Object.values(STATUSES).flat(), ...PANELS, 'share', 'keys', 'reconnecting']

export const SCREENS: Readonly<Record<'seat' | 'watcher', readonly string[]>> = {
  seat: [...BOTH, 'home', 'settings', 'who are you', 'new table', 'notes', 'table and seat', 'played by a bot'],
  watcher: [...BOTH, 'home with tables', 'no such table', 'nothing here', 'full table', 'closed to watchers'],
}
