/**
 * Takeover's goods for the deals panel: coins as stocks or cash, and wishes for coins that cannot be
 * seen.
 */
import type { GameDeals, Shelf, Thing } from '../../app/deals.ts'
import type { TableView } from '../../app/tableview.svelte.ts'
import type { TakeoverHolding, TakeoverStack } from '../../sdk/wire.gen.ts'
import { SUITS, valueOf, type Lying, type Name } from './coins.ts'
import DealsCoin from './DealsCoin.svelte'
import DealsWish from './DealsWish.svelte'
import { formatCoin, formatWish } from './format.ts'
import { splitOf } from './selectors.ts'
import { say } from './words.ts'

/** A coin as a thing to trade: it has one face as a stock and another as cash. */
export function thingOf({ name, stock }: Lying): Thing {
  return { item: name, face: stock ? 'stock' : 'cash' }
}

export function coinOf({ item, face }: Thing): Lying {
  return { name: item as Name, stock: face === 'stock' }
}

const wishOf = (item: string): Thing => ({ item, face: 'wish' })

/** The kinds of wish: cash, stocks by name, and the less specific ones. */
export function shelvesOf(items: readonly string[]): readonly Shelf[] {
  const rank = (item: string): number =>
    10 * SUITS.findIndex((suit) => suit === item[0]) + Number(item[1] ?? 0)
  const cash = (item: string): boolean => item.endsWith('+') || item === 'null'
  const named = (item: string): boolean => /^[SMCA][0-5]$/.test(item)
  const shelf = (title: string, wishes: readonly string[]): Shelf[] =>
    wishes.length === 0 ? [] : [{ title, things: wishes.map(wishOf) }]
  return [
    ...shelf(say('shelfCash'), items.filter(cash)),
    ...shelf(
      say('shelfStock'),
      items.filter(named).toSorted((one, other) => rank(one) - rank(other)),
    ),
    ...shelf(
      say('shelfAny'),
      items.filter((item) => !cash(item) && !named(item)),
    ),
  ]
}

/** Whether this is a 0 coin held as cash. */
const isNull = ({ item, face }: Thing): boolean => face === 'cash' && valueOf(item as Name) === 0

/** A coin that is worth nothing. */
const WORTHLESS: Lying = { name: 'S0', stock: false }
/** The wish for cash that no coin exceeds. */
const MAX_CASH = '5+'

/** The value of keeping a null: it allows a merger at any distance. */
const NULL_KEPT = 1
/** The value of keeping a stock: it may still grow. */
const STOCK_KEPT = 0.5

/** The cost of giving up a coin: its worth, plus a little for its prospects. */
export function costOf({ name, stock, worth }: Lying & { readonly worth: number }): number {
  return worth + (stock ? STOCK_KEPT : valueOf(name) === 0 ? NULL_KEPT : 0)
}

function hand(view: TableView): readonly (Lying & { readonly worth: number })[] {
  return view.gameSection('takeover', 'hand')?.coins ?? []
}

/** What a trade makes of this seat's coins: their worth, and the cash to pay with. */
export function effectOf(
  coins: readonly TakeoverHolding[],
  stacks: readonly (TakeoverStack | null)[],
  give: readonly Lying[],
  get: readonly Lying[],
): { readonly before: number; readonly after: number; readonly cash: number; readonly cashAfter: number } {
  const worthOf = ({ name, stock }: Lying): number =>
    (stock ? stacks.find((stack) => stack?.tiles.at(-1) === name)?.worth : undefined) ?? valueOf(name)
  const split = (of: readonly Lying[]): ReturnType<typeof splitOf> =>
    splitOf(
      of.map((coin) => ({ ...coin, worth: worthOf(coin) })),
      null,
    )
  const [now, given, got] = [splitOf(coins, null), split(give), split(get)]
  const before = now.inStocks + now.inCash
  const cashAfter = now.inCash - given.inCash + got.inCash
  return {
    before,
    after: now.inStocks - given.inStocks + got.inStocks + cashAfter,
    cash: now.inCash,
    cashAfter,
  }
}

/**
 * The coins of least worth that fulfil a wish, as far as this seat can see, and whether others that fulfil it could
 * be worth more in all, or as cash.
 */
export function leastOf(
  wish: readonly string[],
  stacks: readonly (TakeoverStack | null)[],
  coins: readonly Lying[],
): { readonly coins: readonly Lying[]; readonly more: boolean; readonly moreCash: boolean } {
  const worst = (suit: string): Lying => {
    const tops = stacks.flatMap((stack) =>
      stack === null ? [] : [{ name: stack.tiles.at(-1) as Name, stack }],
    )
    const [least] = tops
      .filter(({ name }) => name[0] === suit && !coins.some((coin) => coin.name === name))
      .toSorted((one, other) => one.stack.worth - other.stack.worth)
    return least === undefined ? WORTHLESS : { name: least.name, stock: true }
  }
  const least = wish.map((item): Lying => {
    if (item === 'null' || item === 'coin') return WORTHLESS
    if (item.endsWith('+')) return { name: `S${item[0]}` as Name, stock: false }
    return item.length === 1 ? worst(item) : { name: item as Name, stock: true }
  })
  const moreCash = wish.some((item) => item === 'coin' || (item.endsWith('+') && item !== MAX_CASH))
  return { coins: least, more: moreCash || wish.some((item) => item.length === 1), moreCash }
}

export const deals: GameDeals = {
  prompt: 'trade',
  lines: {
    offered: 'takeover.offered',
    countered: 'takeover.countered',
    swapped: 'takeover.swapped',
    good: (name) => thingOf({ name: name.slice(0, 2) as Name, stock: !name.endsWith('$') }),
    wish: wishOf,
  },
  trades: (view) => (view.about?.options.trading ?? 'off') !== 'off',
  offers: (view) =>
    (view.gameSection('takeover', 'deals')?.deals ?? []).map(({ id, by, to, give, wish }) => ({
      id,
      by,
      to,
      give: give.map(([name, stock]) => thingOf({ name, stock })),
      wish: wish.map(wishOf),
    })),
  goods: (view) => hand(view).map(thingOf),
  wishes: (_view, items) => shelvesOf(items.map(String)),
  cost(view, item) {
    const coin = hand(view).find(({ name }) => name === item)
    return coin === undefined ? 0 : costOf(coin)
  },
  effect(view, give, get) {
    const board = view.gameSection('takeover', 'board')
    if (board === undefined) return null
    const change = effectOf(hand(view), board.stacks, give.map(coinOf), get.map(coinOf))
    const makes = say('tradeMakes', change)
    return get.some(isNull) && !hand(view).some((coin) => isNull(thingOf(coin)))
      ? `${makes} ${say('nullJumps')}`
      : makes
  },
  prospect(view, to, give, wish) {
    const board = view.gameSection('takeover', 'board')
    if (board === undefined || give.length + wish.length === 0) return null
    const coins = hand(view)
    const least = leastOf(
      wish.map(({ item }) => String(item)),
      board.stacks,
      coins,
    )
    const { before, after, cash, cashAfter } = effectOf(coins, board.stacks, give.map(coinOf), least.coins)
    return say('offerMakes', {
      name: view.nameOf(to),
      before,
      after: least.more ? say('atLeast', { worth: after }) : after,
      cash,
      cashAfter: least.moreCash ? say('atLeast', { worth: cashAfter }) : cashAfter,
    })
  },
  wishFor(thing) {
    const { name, stock } = coinOf(thing)
    return stock ? name : valueOf(name) === 0 ? 'null' : `${valueOf(name)}+`
  },
  good(thing) {
    const { name, stock } = coinOf(thing)
    return say(stock ? 'stockOf' : 'cashOf', { coin: formatCoin(name) })
  },
  wish: ({ item }) => formatWish(String(item)),
  Good: DealsCoin,
  Wish: DealsWish,
}
