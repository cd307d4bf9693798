/** What a bot asks of this person, as the promise that says yes to it: one press under the bot's words makes it. */
import type { Owed } from '../../app/game.ts'
import { intentOf, promisesOf } from '../../app/promises.ts'
import type { TableView } from '../../app/tableview.svelte.ts'
import type { TalkMessage } from '../../sdk/wire.gen.ts'
import type { Name } from './coins.ts'
import { squareOf } from './grid.ts'
import { formatCoin } from './format.ts'
import { sectionsOf, type Sections } from './selectors.ts'
import { say } from './words.ts'

/** By what a remark is for, the kind of the promise that says yes, and the argument that is its company. */
const ASKED: Readonly<Record<string, readonly [kind: string, coin: string]>> = {
  askSpare: ['spare', 'coin'],
  offerPact: ['spare', 'mine'],
  askCover: ['cover', 'coin'],
}

/** The promise about turn number `turn` that the message asks of this seat; null if it asks for none. */
export function owedBy(seat: number, turn: number, message: TalkMessage): Owed | null {
  const { args, seat: by } = message
  const [kind, name] = ASKED[intentOf(message)] ?? []
  if (by == null || args?.to !== seat || kind === undefined || name === undefined) return null
  const coin = args[name]
  return typeof coin === 'string' ? { kind, terms: { coin, turn }, to: [by] } : null
}

/**
 * The number of this seat's next turn, as players count them, after the turn that it may be taking: what a promise
 * to spare a company lasts for at least.
 */
export function turnAfter(seat: number, seats: number, stage: Sections['stage']): number {
  const wait = (seat - (stage.turn ?? seat) + seats) % seats
  return stage.number + (wait === 0 ? seats : wait) + 1
}

/** The same until this seat has had a turn or the company is gone. */
export function owedIn(view: TableView, message: TalkMessage): Owed | null {
  const sections = sectionsOf(view)
  const { seat } = view
  if (seat === null || sections?.stage.phase !== 'play' || sections.stage.turn === null) return null
  const owed = owedBy(seat, turnAfter(seat, view.seats.length, sections.stage), message)
  if (owed === null) return null
  const stands = squareOf(sections.board.stacks, owed.terms.coin as Name) !== null
  const hasPlayed = view.state.lines.some(
    ([, key, args, at]) =>
      ['takeover.merged', 'takeover.special', 'takeover.passed', 'takeover.auto'].includes(key) &&
      args.seat === seat &&
      at > message.at,
  )
  return !stands || hasPlayed ? null : owed
}

/**
 * What this seat has promised to merge by the end of this turn, and still can with stacks that touch, in words; null if
 * there is nothing, or if this merger keeps it.
 */
export function formatDue(
  view: TableView,
  { stage, mergers }: Sections,
  source: Name | null,
  onto: Name | null,
): string | null {
  const due = promisesOf(view).find(({ by, judgement, kind, terms }) => {
    if (by !== view.seat || judgement != null || terms.turn !== stage.number + 1) return false
    if (kind !== 'cover' && kind !== 'grow') return false
    const place = kind === 'cover' ? 1 : 0
    if (terms.coin === (kind === 'cover' ? onto : onto && source)) return false
    return (mergers?.mergers ?? []).some(
      ([pair, , , touch]) => touch && pair.split('>')[place] === terms.coin,
    )
  })
  if (due === undefined) return null
  return say(due.kind === 'cover' ? 'dueCover' : 'dueGrow', { coin: formatCoin(due.terms.coin as Name) })
}
