/** What a bot asks of this person, as the promise that says yes to it: one press under the bot's words makes it. */
import type { Owed } from '../../app/game.ts'
import { isPromised, promisesOf } from '../../app/promises.ts'
import type { TableView } from '../../app/tableview.svelte.ts'
import type { TalkMessage } from '../../sdk/wire.gen.ts'
import { squareName } from './grid.ts'
import { leftOf, type Sections, sectionsOf, SIZES } from './selectors.ts'

/** For how many turns at most: `MAX_TURNS` in games/subdivision/rules/promises.py. */
const MAX_TURNS = 3
/** By what a remark is for, the argument that is the square it asks this seat to leave. */
export const ASKED_SQUARE: Readonly<Record<string, string>> = {
  askLeave: 'square',
  callIn: 'square',
  threat: 'square',
  swap: 'mine',
  counter: 'mine',
  askWord: 'mine',
}
/** What the remarks are for that ask this seat to keep its 1s away. */
const TRUCES: ReadonlySet<string> = new Set(['askSpare', 'truce', 'askWordTruce'])

/** The promise that the message asks of this seat, for as many turns; null if it asks for none. */
export function owedBy(seat: number, turns: number, { phrase, args, seat: by }: TalkMessage): Owed | null {
  const [, intent = ''] = /^subdivision\.bot\.(\w+)\.\w+$/.exec(phrase ?? '') ?? []
  if (by == null || args?.to !== seat) return null
  if (TRUCES.has(intent)) return { kind: 'avoid_crowding', terms: { turns }, to: [by] }
  const square = args[ASKED_SQUARE[intent] ?? '']
  return typeof square === 'string' ? { kind: 'leave_square', terms: { square, turns }, to: [by] } : null
}

/** Whether the rules let this seat promise it now, and it is worth something: the square is free, there are 1s left. */
function isOffered(sections: Sections, seat: number, { terms }: Owed): boolean {
  const { board, stage } = sections
  if (stage.phase !== 'place') return false
  if (terms.square === undefined) return leftOf(sections, seat, 1) > 0
  return board.squares.some(
    (piece, square) =>
      piece === null && !board.parks.includes(square) && squareName(square, board.size) === terms.square,
  )
}

/** Whether this seat has promised to build there: the hub would refuse a promise to leave it (`contradicts` in Python). */
function isContradicted(view: TableView, { kind, terms }: Owed): boolean {
  if (kind !== 'leave_square') return false
  return promisesOf(view).some(
    (promise) =>
      promise.by === view.seat &&
      promise.judgement == null &&
      promise.kind === 'build_at' &&
      promise.terms.square === terms.square,
  )
}

/** The same while this seat may make that promise, until it has placed a pyramid. */
export function owedIn(view: TableView, message: TalkMessage): Owed | null {
  const sections = sectionsOf(view)
  const { seat } = view
  if (seat === null || sections === null) return null
  const turns = Math.min(
    MAX_TURNS,
    SIZES.reduce((sum, pips) => sum + leftOf(sections, seat, pips), 0),
  )
  const owed = owedBy(seat, turns, message)
  if (owed === null || turns === 0 || !isOffered(sections, seat, owed) || isContradicted(view, owed))
    return null
  const hasPlaced = view.state.lines.some(
    ([, key, args, at]) => key === 'subdivision.placed' && args.seat === seat && at > message.at,
  )
  return hasPlaced || isPromised(view, owed, message.at, ['turns']) ? null : owed
}
