/** What the page about a game shows; build/gametext.ts reads it from the game's folder. */
import type { RulesPart } from '../app/game.ts'

/** From the least to the most. */
type Range = readonly [least: number, most: number]

export interface GameText {
  readonly key: string
  readonly title: string
  /** How to win, in one line. */
  readonly goal: string
  /** The rules in a minute, as HTML. */
  readonly minute: string
  /** Who designed the game, and when, as HTML. */
  readonly credit: string
  readonly seats: Range
  readonly minutes: Range
  /** The whole rules but for the credit; ids of rulings are in `<span class="ruling">`. */
  readonly rules: readonly RulesPart[]
}
