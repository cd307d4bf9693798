/** Somebody's half of a deal with a bot, which they can promise by one press under the bot's word (PromiseHalf.svelte). */
import type { TalkMessage } from '../../sdk/wire.gen.ts'
import { notify } from '../announce.svelte.ts'
import type { Owed } from '../game.ts'
import { promisesOf } from '../promises.ts'
import type { TableView } from '../tableview.svelte.ts'

/** The most promises that a seat may have open: `MAX_OPEN` in games/kit/promises.py. */
const MAX_OPEN = 3

/** Whether this person has as many promises open as a seat may have. */
function isFull(view: TableView): boolean {
  const open = promisesOf(view).filter(({ by, judgement }) => by === view.seat && judgement == null)
  return open.length >= MAX_OPEN
}

/** Whether this person has promised it, to the same seats or to more, since table time `at`, or promises it still. */
function isPromised(view: TableView, { kind, terms, to }: Owed, at: number): boolean {
  return promisesOf(view).some(
    (promise) =>
      promise.by === view.seat &&
      promise.kind === kind &&
      Object.entries(terms).every(([name, value]) => promise.terms[name] === value) &&
      isAddressed(promise.to ?? [], to) &&
      (promise.at >= at || promise.judgement == null),
  )
}

/** Whether a promise to these seats, or to everybody if there are none, is one to all those seats. */
function isAddressed(to: readonly number[], seats: readonly number[]): boolean {
  return to.length === 0 || (seats.length > 0 && seats.every((seat) => to.includes(seat)))
}

/** What this person has agreed to by the word that a bot names here; null where the hub would refuse the promise. */
export function halfOf(view: TableView, message: TalkMessage): Owed | null {
  if (!view.acts || message.bot !== true || view.about?.lesson != null) return null
  if ((view.section('talk_policy')?.mode ?? 'closed') === 'closed') return null
  const owed = view.game.owed?.(view, message) ?? null
  return owed === null || isFull(view) || isPromised(view, owed, message.at) ? null : owed
}

/** Promises this half, and tells the person why if the hub refuses it. */
export async function promiseHalf(view: TableView, owed: Owed): Promise<void> {
  const verdict = await view.table.promise({ ...owed, to: [...owed.to], private: false, told: true })
  if (verdict.code !== null) notify(view.why(verdict))
}
