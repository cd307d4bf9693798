/** The description that a game gives the browser tests of itself. */
import type { Locator } from 'playwright-core'
import type { Sections, Wire } from '../../src/sdk/index.ts'
import type { Person } from './livehub.ts'

type Key = keyof Wire.Games

/** The phases of a game that names them in a `stage` section; for others, any that the tests distinguish. */
type Phase<Game extends Key> = Wire.Games[Game]['sections'] extends {
  readonly stage: { readonly phase: infer Named extends string }
}
  ? Named
  : string

/** Parts of a picture, and how many of them the hub's sections call for. */
export type Drawn = readonly [parts: Locator, count: number]

/** What a watcher of a game between bots sees, whatever the options are. */
export interface Watched<Game extends Key> {
  /** Visible in the first position. */
  readonly board: Locator
  readonly first: (sections: Sections<Game>) => Drawn
  /** Visible when the game is over. */
  readonly over: Locator
  readonly last: (sections: Sections<Game>) => Drawn
}

export interface Visit<Game extends Key = never> {
  /** The phases of the game with the screens of each; the tour fails if one is not visited. */
  readonly phases: Readonly<Record<Phase<Game>, readonly string[]>>
  /** If given, every pair of options is watched. */
  readonly watch?: (person: Person, seats: number) => Watched<Game>
  /** Options that show the same in less time. */
  readonly shorter?: (options: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
}

/** The data of a section that must be there by now. */
export function present<Data>(data: Data | undefined): Data {
  if (data === undefined) throw new Error('the hub has not sent this section')
  return data
}
