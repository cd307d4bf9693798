/** What a bot asks of this person, as the promise that says yes to it: one press under the bot's words makes it. */
import type { Owed } from '../../app/game.ts'
import { intentOf } from '../../app/promises.ts'
import { isAsked } from '../../app/table/asked.ts'
import type { TableView } from '../../app/tableview.svelte.ts'
import type { TalkMessage } from '../../sdk/wire.gen.ts'

export const NO = 'subdivision.say.noDeal'
/** The phrases that answer an offer. */
export const ANSWERS: ReadonlySet<string> = new Set(['subdivision.say.agreed', NO])

/** What is worth saying once the game is over. */
const AFTERWARDS: ReadonlySet<string> = new Set([
  'subdivision.say.wellPlayed',
  'subdivision.say.thanks',
  'subdivision.say.brokeWord',
])

/** By what a remark is for, the argument that is the square it asks this seat to leave. */
export const ASKED_SQUARE: Readonly<Record<string, string>> = {
  askLeave: 'square',
  callIn: 'square',
  threat: 'square',
  swap: 'mine',
  counter: 'mine',
  askWord: 'mine',
  askHalf: 'square',
}
/** What the remarks are for that ask this seat to keep its 1s away. */
const TRUCES: ReadonlySet<string> = new Set(['askSpare', 'truce', 'askWordTruce', 'askHalfTruce'])

/** The promise that the message asks of this seat; null if it asks for none. */
export function owedBy(seat: number, message: TalkMessage): Owed | null {
  const { args, seat: by } = message
  const intent = intentOf(message)
  if (by == null || args?.to !== seat) return null
  if (TRUCES.has(intent)) return { kind: 'avoid_crowding', terms: {}, to: [by] }
  const square = args[ASKED_SQUARE[intent] ?? '']
  return typeof square === 'string' ? { kind: 'leave_square', terms: { square }, to: [by] } : null
}

/** The same until this seat has placed a pyramid. */
export function owedIn(view: TableView, message: TalkMessage): Owed | null {
  const { seat } = view
  if (seat === null) return null
  const hasPlaced = view.state.lines.some(
    ([, key, args, at]) => key === 'subdivision.placed' && args.seat === seat && at > message.at,
  )
  return hasPlaced ? null : owedBy(seat, message)
}

/** Requests of bots that this seat has not answered, oldest first. An answer counts for the latest request before it. */
export function listAsked({ seat, state }: TableView): readonly TalkMessage[] {
  const asked: TalkMessage[] = []
  if (seat === null) return asked
  for (const message of state.talk)
    if (message.bot === true && owedBy(seat, message) !== null) asked.push(message)
    else if (message.seat === seat && message.bot !== true && ANSWERS.has(message.phrase ?? '')) asked.pop()
  return asked
}

/** A no to what a bot has asked last, as long as it is open: the phrase answers nothing else. */
export function repliesIn(view: TableView, message: TalkMessage): readonly string[] {
  return owedIn(view, message) !== null && listAsked(view).at(-1) === message ? [NO] : []
}

/** Whether a phrase fits: an answer only while somebody waits for one, and few once the game is over. */
export function fitsIn(view: TableView, phrase: string): boolean {
  if (view.gameSection('subdivision', 'stage')?.phase === 'end') return AFTERWARDS.has(phrase)
  return !ANSWERS.has(phrase) || isAsked(view)
}
