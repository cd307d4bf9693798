/** The offers that ended before this page was loaded, as the log lines that this seat may read tell of them. */
import type { AudienceLine } from '../../sdk/wire.gen.ts'
import {
  ENDING_LINES,
  ENDINGS_OF_ASKED,
  type Deal,
  type DealLines,
  type Ended,
  type Ending,
  type Thing,
} from '../deals.ts'

/** The offers of one seat to another. */
interface Pair {
  /** Those that may be open. */
  offers: Deal[]
  /** How as many of them have ended, if the lines do not say which. */
  endings: Ending[]
}

/** The same for the same goods or wishes, in any order. */
function keyOf(things: readonly Thing[]): string {
  return things
    .map(({ item, face }) => `${item} ${face}`)
    .toSorted()
    .join()
}

/** The deals that lines open, by the numbers of the lines. */
function openingsIn(lines: readonly AudienceLine[], names: DealLines): ReadonlyMap<number, Deal> {
  const things = (items: unknown, as: (name: string) => Thing): readonly Thing[] =>
    (items as readonly string[]).map(as)
  return new Map(
    lines.flatMap(([number, key, { seat, other, give, wish }]) =>
      key === names.offered || key === names.countered
        ? [
            [
              number,
              {
                id: `line:${number}`,
                by: Number(seat),
                to: Number(other),
                give: things(give, names.good),
                wish: things(wish, names.wish),
              },
            ] as const,
          ]
        : [],
    ),
  )
}

/** The numbers of the lines that opened the deals that are open now: the last ones with their contents. */
function stillOpen(openings: ReadonlyMap<number, Deal>, open: readonly Deal[]): ReadonlySet<number> {
  const content = ({ by, to, give, wish }: Deal): string => `${by} ${to} ${keyOf(give)} ${keyOf(wish)}`
  const left = open.map(content)
  const numbers = [...openings].toReversed().flatMap(([number, deal]) => {
    const at = left.indexOf(content(deal))
    if (at < 0) return []
    left.splice(at, 1)
    return [number]
  })
  return new Set(numbers)
}

/**
 * The offers that have ended without this seat, the oldest first. A line names two seats, but not which offer
 * between them: if several may be meant, they count as over, which is true of each. An offer that disappears alone
 * was withdrawn; with another line at the same time, its goods are gone.
 */
export function endedBefore(
  lines: readonly AudienceLine[],
  seat: number,
  open: readonly Deal[],
  names: DealLines,
): readonly Ended[] {
  const openings = openingsIn(lines, names)
  const opened = stillOpen(openings, open)
  const pairs = new Map<string, Pair>()
  const ended: Ended[] = []

  function pairOf(by: unknown, to: unknown): Pair {
    const key = `${String(by)} ${String(to)}`
    const pair = pairs.get(key) ?? { offers: [], endings: [] }
    pairs.set(key, pair)
    return pair
  }
  function end(deals: readonly Deal[], ending: Ending): void {
    ended.push(...deals.map((deal) => ({ deal, ending })))
  }
  /** All that is left of a pair has ended. */
  function settle(pair: Pair): void {
    const [first] = pair.endings
    end(pair.offers, first !== undefined && new Set(pair.endings).size === 1 ? first : 'over')
    pair.offers = []
    pair.endings = []
  }
  function endOne(pair: Pair, ending: Ending): void {
    pair.endings.push(ending)
    if (pair.endings.length >= pair.offers.length) settle(pair)
  }

  for (const [number, key, args, at] of lines) {
    const { seat: by, other: to } = args
    const opening = openings.get(number)
    const ending = ENDING_LINES[key]
    if (opening !== undefined) {
      if (key === names.countered) endOne(pairOf(to, by), 'countered')
      if (!opened.has(number)) pairOf(by, to).offers.push(opening)
    } else if (key === names.swapped) {
      const pair = pairOf(by, to)
      const gave = keyOf((args.give as readonly string[]).map(names.good))
      const alike = pair.offers.filter(({ give }) => keyOf(give) === gave)
      if (alike.length === 1) {
        pair.offers = pair.offers.filter((deal) => deal !== alike[0])
        end(alike, 'traded')
        if (pair.endings.length >= pair.offers.length) settle(pair)
      } else endOne(pair, 'traded')
    } else if (ending !== undefined) {
      const moment = lines.filter((line) => line[3] === at).map((line) => line[1])
      const alone = moment.every((other) => other in ENDING_LINES)
      const closed = names.closed !== undefined && moment.includes(names.closed)
      const withdrawn = by === seat && alone
      endOne(
        pairOf(by, to),
        ending !== 'gone' ? ending : closed ? 'closed' : withdrawn ? 'withdrawn' : 'gone',
      )
    }
  }
  for (const pair of pairs.values()) settle(pair)
  return ended.filter(({ deal, ending }) =>
    deal.by === seat ? ending !== 'withdrawn' : !ENDINGS_OF_ASKED.includes(ending),
  )
}
