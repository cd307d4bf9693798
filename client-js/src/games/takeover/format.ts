/** Coins, offers and lines in words. */
import { words } from '../../app/language.ts'
import { lineText, newest } from '../../app/table/lines.ts'
import type { TableView } from '../../app/tableview.svelte.ts'
import type { Message, Values } from '../../app/words.ts'
import type { AudienceLine } from '../../sdk/wire.gen.ts'
import type { TakeoverSelection, Preview } from './selection.svelte.ts'
import { turnAfter } from './owed.ts'
import { ownersOf, sectionsOf, type Sections } from './selectors.ts'
import { isSuit, suitOf, sumOf, valueOf, type Name, type Side, type Suit } from './coins.ts'
import { say, texts } from './words.ts'

/** "Suns 5". */
export function formatCoin(name: Name): string {
  return say('coin', { suit: say(suitOf(name)), value: valueOf(name) })
}

/** A list of coins in words, or "nothing". */
export function formatCoins(names: readonly Name[]): string {
  return names.length === 0 ? say('nothing') : words.value(names.map(formatCoin))
}

/** A company and its worth. */
function formatCorporation({ board }: Sections, square: number): string {
  const stack = board.stacks[square] ?? null
  if (stack === null) return say('squareEmpty')
  const coin = formatCoin(stack.tiles.at(-1) as Name)
  return stack.tiles.length === 1
    ? say('squareTile', { coin, worth: stack.worth })
    : say('squareStack', { coin, height: stack.tiles.length, worth: stack.worth })
}

/** A description of a square: its company, the owner of its stock, and the cost of merging onto it. */
export function formatStack(
  view: TableView,
  sections: Sections,
  square: number,
  selection: TakeoverSelection,
): string {
  const name = sections.board.stacks[square]?.tiles.at(-1)
  if (name === undefined) return formatCorporation(sections, square)
  const owner = ownersOf(sections, view.seat).get(name)
  const target = selection.targets.get(name)
  const parts = [
    formatCorporation(sections, square),
    owner === undefined
      ? null
      : owner === view.seat
        ? say('squareOwn')
        : say('squareOwner', { name: view.nameOf(owner) }),
    name === selection.source
      ? say('squareMoves')
      : target === undefined
        ? null
        : formatMerger(target.cost, target.touch),
    target === undefined || selection.kind !== 'turn' || selection.legal.has(`${selection.source}>${name}`)
      ? null
      : say('targetNotYet'),
  ]
  return parts.filter((part) => part !== null).join('; ')
}

/** The cost of putting the chosen stack onto another. */
function formatMerger(cost: number, touch: boolean): string {
  if (touch) return cost === 0 ? say('targetFree') : say('targetCost', { cost })
  return cost === 0 ? say('targetNull') : say('targetNullCost', { cost })
}

/** The two chosen companies and the result of merging them, for people who are only looking. */
export function formatPair(selection: TakeoverSelection): string | null {
  const { source, onto, merger } = selection
  if (source === null || onto === null) return null
  const both = { source: formatCoin(source), onto: formatCoin(onto) }
  return merger === null
    ? say('pairNot', both)
    : say('pairMakes', { ...both, cost: formatMerger(merger.cost, merger.touch), worth: merger.worth })
}

/** One of the player's own coins, and its worth. */
export function formatOwn(name: Name, stock: boolean, worth: number, flips: boolean): string {
  const coin = formatCoin(name)
  if (flips) return stock ? say('flipStock', { coin }) : say('flipCash', { coin })
  return stock ? say('ownStock', { coin, worth }) : say('ownCash', { coin })
}

export function formatSuits(suits: readonly Side[]): string {
  return words.value(suits.map((suit) => say(suit as Suit)))
}

/** The effect of a merger, in one line. */
export function formatForecast(
  selection: TakeoverSelection,
  source: Name,
  { cost, under, worth, lost, flips, gain }: Preview,
  total: number,
): string {
  const parts = [
    cost > 0 ? say('payCost', { cost }) : selection.nullCoin === null ? say('free') : null,
    selection.nullCoin === null ? null : say('usesNull'),
    say('under', { coin: formatCoin(under) }),
    say('makes', { coin: formatCoin(source), worth }),
    flips ? say('flips', { coin: formatCoin(under) }) : null,
    lost > 0 ? say('lost', { count: lost }) : null,
    say('totalChange', { before: total, after: total + gain }),
  ]
  return parts.filter((part) => part !== null).join(' ')
}

/** The button that merges, with all that it costs. */
export function formatMerge({ pay, nullCoin }: TakeoverSelection, { cost, lost }: Preview): string {
  if (pay.length === 0) return say(nullCoin === null ? 'mergeFree' : 'mergeNull')
  return say(nullCoin === null ? 'mergePay' : 'mergePayNull', { sum: cost + lost })
}

/** Why the chosen merger is refused; what it costs and what this seat has, if that is not enough. */
export function formatRefusal(view: TableView, selection: TakeoverSelection): string | null {
  const { refusal, merger, purse, pay } = selection
  if (refusal === null) return null
  const [sum, paid] = [sumOf(purse.cash), sumOf(pay)]
  if (refusal.code !== 'NOT_ENOUGH' || merger === null) return view.why(refusal)
  return sum < merger.cost
    ? say('tooPoor', { sum, cost: merger.cost })
    : say('tooLittle', { sum: paid, cost: merger.cost })
}

/** In a lesson, which two companies to choose, and in which order, if others are chosen; otherwise null. */
export function formatLessonPair(view: TableView, { source, onto, pair }: TakeoverSelection): string | null {
  const wanted = view.lessonMove?.pair
  if (source === null || onto === null || typeof wanted !== 'string' || wanted === pair) return null
  const [first, second] = wanted.split('>').map((name) => formatCoin(name as Name))
  return say('lessonPair', { source: first ?? '', onto: second ?? '' })
}

/** The face-up sides of a seat's coins. */
export function formatFaces(faces: readonly Side[]): string {
  return words.value(
    faces.map((side) =>
      isSuit(side) ? say('faceStock', { suit: say(side) }) : say('faceCash', { value: side }),
    ),
  )
}

/** Coins that change hands, as log lines name them: "S5" is a stock, "S5$" the coin as cash. */
function formatParts(coins: readonly string[]): string {
  const parts = coins.map((coin) =>
    say(coin.endsWith('$') ? 'cashOf' : 'stockOf', { coin: formatCoin(coin.slice(0, 2) as Name) }),
  )
  return parts.length === 0 ? say('nothing') : words.value(parts)
}

/**
 * One item in a wish: "S5" a stock by name, "S" any stock of a suit, "3+" cash worth at least 3, "null",
 * "coin".
 */
export function formatWish(wished: string): string {
  if (wished === 'null') return say('wishNull')
  if (wished === 'coin') return say('wishCoin')
  if (wished.endsWith('+')) return say('wishCash', { value: Number(wished[0]) })
  return wished.length === 2
    ? say('stockOf', { coin: formatCoin(wished as Name) })
    : say('wishStock', { suit: say(suitOf(wished as Name)) })
}

export function formatWishes(wish: readonly string[]): string {
  return wish.length === 0 ? say('nothing') : words.value(wish.map(formatWish))
}

const NAMES = new Set(['coin', 'source', 'onto', 'mine', 'yours'])

/** The arguments of a log line, with coins in words. */
export function formatArguments(values: Values): Values {
  const names = (key: string): readonly Name[] => (values[key] ?? []) as readonly Name[]
  const args = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, NAMES.has(key) ? formatCoin(value as Name) : value]),
  )
  if ('coins' in values) args.coins = formatCoins(names('coins'))
  if ('give' in values) args.give = formatParts(names('give'))
  if ('back' in values) args.back = formatParts(names('back'))
  if ('wish' in values) args.wish = formatWishes(values.wish as readonly string[])
  if ('paid' in values && (values.paid as readonly number[]).length === 0) args.paid = say('nothing')
  return args
}

/** The number of one of this seat's turns, as a term of what it may promise: which turn it is, if it comes next. */
export function formatTerm(view: TableView, name: string, value: number | string): string | null {
  const stage = sectionsOf(view)?.stage
  if (name !== 'turn' || view.seat === null || stage?.phase !== 'play') return null
  if (value === stage.number + 1 && stage.turn === view.seat) return say('turnThis', { turn: value })
  return value === turnAfter(view.seat, view.seats.length, stage) ? say('turnNext', { turn: value }) : null
}

const MOVES = [
  'takeover.merged',
  'takeover.special',
  'takeover.passed',
  'takeover.cashedOut',
  'takeover.auto',
]
const MERGERS = ['takeover.merged', 'takeover.special']
/** The log line at the beginning of play. */
const PLAY = 'takeover.play'

/** The sentence for a move made because time ran out: during play, it is a pass. */
export function sentenceOf(view: TableView, [number, key]: AudienceLine): Message | null {
  if (key !== 'takeover.auto') return null
  const play = newest(view, [PLAY])
  const drafted =
    play === undefined ? view.gameSection('takeover', 'stage')?.phase === 'draft' : number < play[0]
  return drafted ? null : texts.ui.autoPassed
}

/** Stocks that turned to cash because others swallowed their companies, since this seat last moved. */
export function lossesOf(
  lines: readonly AudienceLine[],
  stacks: Sections['board']['stacks'],
  seat: number | null,
): readonly { readonly by: number; readonly coin: Name; readonly before: number; readonly after: number }[] {
  const last = lines.findLastIndex(([, key, args]) => MOVES.includes(key) && args.seat === seat)
  const since = lines.slice(last + 1)
  return since.flatMap(([, key, args], at) => {
    const isFlip = key === 'takeover.yourFlip' || (key === 'takeover.flipped' && args.seat === seat)
    const merger = since.slice(0, at).findLast(([, moved]) => MERGERS.includes(moved))
    const coin = args.coin as Name
    const under = stacks.map((stack) => stack?.tiles.indexOf(coin) ?? -1).find((level) => level >= 0)
    if (!isFlip || seat === null || merger === undefined || under === undefined) return []
    const after = valueOf(coin)
    return [{ by: merger[2].seat as number, coin, before: after + under, after }]
  })
}

/** What others have swallowed of this seat's since it last moved, in a sentence; null if nothing. */
export function formatLosses(view: TableView, { board }: Sections): string | null {
  const losses = lossesOf(view.state.lines, board.stacks, view.seat).map(({ by, coin, ...worth }) =>
    worth.before === worth.after
      ? say('swallowedNow', { name: view.nameOf(by), coin: formatCoin(coin) })
      : say('swallowedYours', { name: view.nameOf(by), coin: formatCoin(coin), ...worth }),
  )
  return losses.length === 0 ? null : say('sinceTurn', { losses: words.value(losses) })
}

/** The last move and, with `flips`, its effect on the player's own stock; null before the first move. */
export function formatLastMove(view: TableView, flips = true): string | null {
  const move = newest(view, [...MOVES, PLAY])
  if (move === undefined || move[1] === PLAY) return null
  const flip = newest(view, ['takeover.yourFlip'])
  return [move, ...(flips && flip && flip[0] > move[0] ? [flip] : [])]
    .map((line) => lineText(view, line))
    .join(' ')
}

/** The reason the game ended. */
export function endedBy(view: TableView): string {
  const line = newest(view, ['takeover.allPassed', 'takeover.noMergers'])
  return line === undefined ? '' : lineText(view, line)
}
