/** Coins and tiles by name: suit letter and value, as in "S5". */
import type { TakeoverCoin, TakeoverHolding } from '../../sdk/wire.gen.ts'

export type Name = TakeoverCoin[0]
export type Suit = 'S' | 'M' | 'C' | 'A'
/** One side of a coin as the hub names it: the letter of a suit, or a value. */
export type Side = string

/** A coin and which side is up: it is a stock if suit-up, and cash if value-up. */
export interface Lying {
  readonly name: Name
  readonly stock: boolean
}

export const SUITS: readonly Suit[] = ['S', 'M', 'C', 'A']
export const VALUES: readonly number[] = [0, 1, 2, 3, 4, 5]

export function suitOf(name: Name): Suit {
  return name[0] as Suit
}

export function valueOf(name: Name): number {
  return Number(name[1])
}

export function isSuit(side: Side): side is Suit {
  return (SUITS as readonly string[]).includes(side)
}

/** The side that faces up and the side that faces down. */
export function sidesOf(name: Name, stock: boolean): readonly [up: Side, down: Side] {
  const value = String(valueOf(name))
  return stock ? [suitOf(name), value] : [value, suitOf(name)]
}

/** A coin from a section, with the side that is up. */
export function lying([name, stock]: TakeoverCoin): Lying {
  return { name, stock }
}

/** The names of the coins that are suit-up. */
export function stocksOf(coins: readonly (Lying | TakeoverHolding)[]): readonly Name[] {
  return coins.filter(({ stock }) => stock).map(({ name }) => name)
}

/** The total value of coins as money. */
export function sumOf(names: readonly Name[]): number {
  return names.reduce((sum, name) => sum + valueOf(name), 0)
}
