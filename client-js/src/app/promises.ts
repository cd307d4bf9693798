/** The promises of a table, without their words (table/promises.ts). */
import type { PromiseInfo, TalkMessage } from '../sdk/wire.gen.ts'
import type { Owed } from './game.ts'
import type { TableView } from './tableview.svelte.ts'

/** The promises that this person may know of, the oldest first. */
export function promisesOf(view: TableView): readonly PromiseInfo[] {
  return view.section('promises')?.promises ?? []
}

/** The most promises that a seat may have open: `MAX_OPEN` in games/kit/promises.py. */
const MAX_OPEN = 3

/** The open promises of a seat that this person may know of. */
export function openPromises(view: TableView, seat: number | null): readonly PromiseInfo[] {
  return promisesOf(view).filter(({ by, judgement }) => by === seat && judgement == null)
}

/** Whether a seat has as many promises open as it may have, as far as this person may know. */
export function isFull(view: TableView, seat: number | null): boolean {
  return openPromises(view, seat).length >= MAX_OPEN
}

/**
 * Whether this person has promised it, to the same seats or to more, since table time `at`, or promises it still.
 */
export function isPromised(view: TableView, { kind, terms, to }: Owed, at: number): boolean {
  return promisesOf(view).some(
    (promise) =>
      promise.by === view.seat &&
      promise.kind === kind &&
      Object.entries(terms).every(([name, value]) => promise.terms[name] === value) &&
      isAddressed(promise.to ?? [], to) &&
      (promise.at >= at || promise.judgement == null),
  )
}

/** What a bot's remark is for, as its game calls it: `askSpare` of `takeover.bot.askSpare.1`; empty for any other message. */
export function intentOf({ phrase }: TalkMessage): string {
  return /^\w+\.bot\.(\w+)\.\w+$/.exec(phrase ?? '')?.[1] ?? ''
}

/** Whether a promise to these seats, or to everybody if there are none, is one to all those seats. */
export function isAddressed(to: readonly number[], seats: readonly number[]): boolean {
  return to.length === 0 || (seats.length > 0 && seats.every((seat) => to.includes(seat)))
}
