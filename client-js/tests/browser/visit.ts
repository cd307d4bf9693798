/** What a game tells the browser tests about itself. */
import type { Locator } from 'playwright-core'
import type { Sections, Wire } from '../../src/sdk/index.ts'
import type { Person } from './livehub.ts'

type Key = keyof Wire.Games

/**
 * The phases of a game that says its phase in a section `stage`; of another, any that its tests tell apart.
 */
type Phase<Game extends Key> = Wire.Games[Game]['sections'] extends {
  readonly stage: { readonly phase: infer Named extends string }
}
  ? Named
  : string

/** Parts of a picture, and how many of them the hub's sections call for. */
export type Drawn = readonly [parts: Locator, count: number]

/** What a watcher sees of a game between bots, whatever its options are. */
export interface Watched<Game extends Key> {
  /** What is seen of the first position. */
  readonly board: Locator
  readonly first: (sections: Sections<Game>) => Drawn
  /** What is seen when all is over. */
  readonly over: Locator
  readonly last: (sections: Sections<Game>) => Drawn
}

export interface Visit<Game extends Key = never> {
  /** Phases of the game, and what more is to be seen of each; one that is not visited fails the tour. */
  readonly phases: Readonly<Record<Phase<Game>, readonly string[]>>
  /** Every pair of options is watched, where this is given. */
  readonly watch?: (person: Person, seats: number) => Watched<Game>
  /** Options that show the same in less time. */
  readonly shorter?: (options: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
}

/** Of a section that must be there by now. */
export function present<Data>(data: Data | undefined): Data {
  if (data === undefined) throw new Error('the hub has not sent this section')
  return data
}
