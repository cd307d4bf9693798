/** What a bot asks of somebody, or has been told they agreed to: one press under its words promises it (PromiseHalf.svelte). */
import type { TalkMessage } from '../../sdk/wire.gen.ts'
import { notify } from '../announce.svelte.ts'
import type { Owed } from '../game.ts'
import { isPromised, promisesOf } from '../promises.ts'
import type { TableView } from '../tableview.svelte.ts'

/** The most promises that a seat may have open: `MAX_OPEN` in games/kit/promises.py. */
const MAX_OPEN = 3

/** Whether this person has as many promises open as a seat may have. */
function isFull(view: TableView): boolean {
  const open = promisesOf(view).filter(({ by, judgement }) => by === view.seat && judgement == null)
  return open.length >= MAX_OPEN
}

/** The promise by which this person would do what a bot's message asks for, or has been told they agreed to; null for none. */
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
