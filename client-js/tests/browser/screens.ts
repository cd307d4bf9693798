/** Every screen there is. A phase, status or game that is new makes this fail to compile until it is visited. */
import type * as Wire from '../../src/sdk/wire.gen.ts'

export type Role = 'seat' | 'watcher'
type Screens = Readonly<Record<Role, readonly string[]>>
/** What a section `stage` calls its phases; a game without one names those it has here alone. */
type Phases<Key extends keyof Wire.Games> = Wire.Games[Key]['sections'] extends {
  readonly stage: { readonly phase: infer Phase extends string }
}
  ? Phase
  : string

/** Phases of each game, and what more is to be seen of each; the modes of one game are visited apart. */
export const PHASES: {
  readonly [Key in keyof Wire.Games]: Readonly<Record<Phases<Key>, readonly string[]>>
} = {
  almost: {
    discuss: ['a plan'],
    bid: ['a draft', 'locked', 'many numbers'],
    reveal: ['', 'many numbers'],
    end: ['', 'many numbers'],
  },
  shares: {
    select: ['a note'],
    lowball: ['a card'],
    action: [
      'a tower',
      'a look',
      'a market',
      'drawing',
      'the die',
      'a hand',
      'two hands',
      'a free action',
      'another rolls',
    ],
    end: [''],
  },
  subdivision: { parks: [''], place: ['a choice', 'many pieces'], end: [''] },
  sucker: {
    turn: ['a choice', 'prisoners'],
    choose: [''],
    kill: [''],
    rescue: [''],
    review: [''],
    end: [''],
  },
  takeover: { draft: ['hidden', 'shown'], flip: [''], play: ['a merger', 'cashing out', 'late'], end: [''] },
}

const STATUSES: Readonly<Record<Wire.TableSection['status'], readonly string[]>> = {
  waiting: ['waiting room'],
  running: ['talk', 'log', 'rules'],
  paused: ['paused'],
  finished: [], // the last phase of each game
}

const BOTH = [...Object.values(STATUSES).flat(), 'share', 'keys', 'reconnecting']

/** What is around the table, whatever is played. */
export const ROOM: Screens = {
  seat: [
    ...BOTH,
    'home',
    'settings',
    'who are you',
    'new table',
    'notes',
    'table and seat',
    'played by a bot',
  ],
  watcher: [...BOTH, 'home with tables', 'no such table', 'nothing here', 'full table', 'closed to watchers'],
}

/** Every phase of a game, which a seat sees and a watcher. */
export function screensOf(game: keyof Wire.Games): Screens {
  const all = Object.entries(PHASES[game]).flatMap(([phase, more]) =>
    more.map((each) => `${phase} ${each}`.trim()),
  )
  return { seat: all, watcher: all }
}
