/** The ending of Takeover: the margin, and the stock or the cash that made it. */
import { closestOf, runnersUp, type Ending } from '../../app/endings.ts'
import type { Piece } from '../../app/words.ts'
import type { TakeoverHolding, TakeoverReckoning } from '../../sdk/wire.gen.ts'
import { valueOf } from './coins.ts'
import { formatCoin } from './format.ts'
import { splitOf } from './selectors.ts'
import { pieces } from './words.ts'

/** The largest margin of a close game. */
const CLOSE = 5

/** How much mergers have added to a stock. */
const grownBy = ({ name, stock, worth }: TakeoverHolding): number => (stock ? worth - valueOf(name) : 0)

export function endingOf({ hands, totals }: TakeoverReckoning, winners: readonly number[]): Ending {
  const behind = runnersUp(totals, winners)
  const seat = winners[0]
  if (seat === undefined) return { closest: null, decided: null }
  const closest = closestOf(
    winners,
    behind,
    () => pieces('endLevel', { seats: winners, count: totals[seat] ?? 0 }),
    ({ seats, margin }) => pieces('endMargin', { seat, seats, count: margin }),
  )
  const isClose = winners.length > 1 || (behind?.margin ?? 0) <= CLOSE
  const other = winners[1] ?? behind?.seats[0]
  return {
    closest: isClose ? closest : null,
    decided: other === undefined ? null : difference(hands, seat, other),
  }
}

/**
 * The winner's stock that grew most, if it grew by the lead or more, or else whether cash or stocks made the difference;
 * between two winners, what came out even.
 */
function difference(hands: TakeoverReckoning['hands'], seat: number, other: number): readonly Piece[] {
  const coins = hands[seat] ?? []
  const [mine, theirs] = [splitOf(coins, null), splitOf(hands[other] ?? [], null)]
  const cash = mine.inCash - theirs.inCash
  const stocks = mine.inStocks - theirs.inStocks
  const best = coins.toSorted((one, two) => grownBy(two) - grownBy(one))[0]
  if (cash === 0 && stocks === 0) return pieces('endSame', { seat, other })
  if (cash === -stocks)
    return cash > 0
      ? pieces('endEven', { seat, other, count: cash })
      : pieces('endEven', { seat: other, other: seat, count: stocks })
  // it decided the game only if the lead is no more than what it gained
  if (best !== undefined && grownBy(best) >= cash + stocks)
    return pieces('endGrowth', {
      seat,
      coin: formatCoin(best.name),
      value: valueOf(best.name),
      worth: best.worth,
    })
  return cash >= stocks
    ? pieces('endCash', { seat, other, count: mine.inCash, less: theirs.inCash })
    : pieces('endStocks', { seat, other, count: mine.inStocks, less: theirs.inStocks })
}
