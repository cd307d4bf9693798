/** Playing cards and companies by name: "10S" is a card, "A" a company. */
import type { SharesPlayed, SharesSelect, SharesTowers } from '../../sdk/wire.gen.ts'

export type Card = SharesPlayed['card']
export type Suit = 'H' | 'S' | 'C' | 'D'
export type Company = SharesSelect['company']
export type Size = NonNullable<SharesTowers['next']>

export const COMPANIES: readonly Company[] = ['A', 'B', 'C', 'D', 'E']
/** Largest first. */
export const SIZES: readonly Size[] = ['L', 'M', 'S']
export const SUITS: readonly Suit[] = ['H', 'S', 'C', 'D']

export function suitOf(card: Card): Suit {
  return card.slice(-1) as Suit
}

/** "2" to "10", "J", "Q", "K" or "A". */
export function rankOf(card: Card): string {
  return card.slice(0, -1)
}

export function isRed(suit: Suit): boolean {
  return suit === 'H' || suit === 'D'
}

export interface Pip {
  readonly x: number
  readonly y: number
  /** Upside down, as on the lower half of a card. */
  readonly turned: boolean
}

/** The vertical positions of the symbols in the side columns and the middle: 0 is the top, 1 the bottom. */
const COLUMNS: Readonly<Record<string, readonly [sides: readonly number[], middle: readonly number[]]>> = {
  2: [[], [0, 1]],
  3: [[], [0, 0.5, 1]],
  4: [[0, 1], []],
  5: [[0, 1], [0.5]],
  6: [[0, 0.5, 1], []],
  7: [[0, 0.5, 1], [0.25]],
  8: [
    [0, 0.5, 1],
    [0.25, 0.75],
  ],
  9: [[0, 1 / 3, 2 / 3, 1], [0.5]],
  10: [
    [0, 1 / 3, 2 / 3, 1],
    [1 / 6, 5 / 6],
  ],
}

/** The positions of the symbols on a number card, from 0 to 1 on each axis; none on aces and court cards. */
export function pipsOf(rank: string): readonly Pip[] {
  const [sides, middle] = COLUMNS[rank] ?? [[], []]
  const at =
    (x: number) =>
    (y: number): Pip => ({ x, y, turned: y > 0.5 })
  return [...sides.map(at(0)), ...middle.map(at(0.5)), ...sides.map(at(1))]
}
