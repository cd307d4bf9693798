/** Somebody's half of a deal with a bot, which they can promise by one press under the bot's word (PromiseHalf.svelte). */
import type { TalkMessage } from '../../sdk/wire.gen.ts'
import type { Owed } from '../game.ts'
import type { TableView } from '../tableview.svelte.ts'
import { promisesOf } from './promises.ts'

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
  return owed === null || isPromised(view, owed, message.at) ? null : owed
}
