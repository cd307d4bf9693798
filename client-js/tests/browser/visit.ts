/** How a game describes itself to the browser tests. */
import type { Locator } from 'playwright-core'
import type { Sections, Wire } from '../../src/sdk/index.ts'
import type { Person } from './livehub.ts'

type Key = keyof Wire.Games

/** The phases a game lists in its `stage` section; without one, any that the tests distinguish. */
type Phase<Game extends Key> = Wire.Games[Game]['sections'] extends {
  readonly stage: { readonly phase: infer Named extends string }
}
  ? Named
  : string

/** Parts of a picture, and the number of them that the hub's sections require. */
export type Drawn = readonly [parts: Locator, count: number]

/** The parts that a watcher of a game between bots sees, whatever the options are. */
export interface Watched<Game extends Key> {
  /** Visible in the first position. */
  readonly board: Locator
  readonly first: (sections: Sections<Game>) => Drawn
  /** Visible when the game is over. */
  readonly over: Locator
  readonly last: (sections: Sections<Game>) => Drawn
}

export interface Visit<Game extends Key = never> {
  /**
   * The game's phases, with the screens of each; the tour fails unless all are visited. A screen that is in a
   * panel names it: `panel: deals`.
   */
  readonly phases: Readonly<Record<Phase<Game>, readonly string[]>>
  /** If given, games with every pair of options are watched. */
  readonly watch?: (person: Person, seats: number) => Watched<Game>
  /** Changes the options so that the game shows the same things in less time. */
  readonly shorter?: (options: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
}

/** A section's data; throws if the hub has not sent it yet. */
export function present<Data>(data: Data | undefined): Data {
  if (data === undefined) throw new Error('the hub has not sent this section')
  return data
}
