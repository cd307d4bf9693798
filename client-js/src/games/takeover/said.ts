/** Coins, offers and lines in words. */
import { words } from '../../app/language.ts'
import type { Values } from '../../app/words.ts'
import { suitOf, valueOf, type Name } from './coins.ts'
import { say } from './words.ts'

/** "Suns 5". */
export function coinSaid(name: Name): string {
  return say('coin', { suit: say(suitOf(name)), value: valueOf(name) })
}

/** A list of coins in words, or "nothing". */
export function coinsSaid(names: readonly Name[]): string {
  return names.length === 0 ? say('nothing') : words.value(names.map(coinSaid))
}

/** Coins that change hands: stocks, then cash. */
function partsSaid(stocks: readonly Name[], cash: readonly Name[]): string {
  const parts = [...stocks.map((name) => say('stockOf', { coin: coinSaid(name) })), ...cash.map((name) => say('cashOf', { coin: coinSaid(name) }))]
  return parts.length === 0 ? say('nothing') : words.value(parts)
}

/** One item of a wish: "S5" a stock by name, "S" any stock of a suit, "3+" cash of at least 3, "null", "coin". */
export function wishSaid(wished: string): string {
  if (wished === 'null') return say('wishNull')
  if (wished === 'coin') return say('wishCoin')
  if (wished.endsWith('+')) return say('wishCash', { value: Number(wished[0]) })
  return wished.length === 2 ? say('stockOf', { coin: coinSaid(wished as Name) }) : say('wishStock', { suit: say(suitOf(wished as Name)) })
}

export function wishesSaid(wish: readonly string[]): string {
  return wish.length === 0 ? say('nothing') : words.value(wish.map(wishSaid))
}

const NAMES = new Set(['coin', 'source', 'onto'])

/** The arguments of a line of the log, with coins in words. */
export function told(values: Values): Values {
  const names = (key: string): readonly Name[] => (values[key] ?? []) as readonly Name[]
  const found = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, NAMES.has(key) ? coinSaid(value as Name) : value]))
  if ('coins' in values) found.coins = coinsSaid(names('coins'))
  if ('stocks' in values) found.give = partsSaid(names('stocks'), names('cash'))
  if ('backStocks' in values) found.back = partsSaid(names('backStocks'), names('backCash'))
  if ('wish' in values) found.wish = wishesSaid(values.wish as readonly string[])
  if ('paid' in values && (values.paid as readonly number[]).length === 0) found.paid = say('nothing')
  return found
}
