/** Why not? Something on the board or in the tray that cannot be chosen says why when it is tapped. */
import { words } from './language.ts'
import type { Move } from './selection.svelte.ts'
import type { TableView } from './tableview.svelte.ts'

/**
 * Ask the hub about the move that a tap would have made, and show the reason if the rules refuse it. `kind` is the kind
 * of the prompt that the move answers; nothing happens while this person is not asked for one. Nothing is sent as a
 * move, so nothing can change; and if the hub has no answer, as when it was asked too often, nothing is shown.
 */
export async function whyNot(view: TableView, kind: string | null, move: Move): Promise<void> {
  const prompt = view.acts && kind !== null ? view.prompt(kind) : undefined
  if (prompt === undefined) return
  const { main } = view
  const { refused } = await view.table.preview(prompt.id, move)
  if (refused === null || view.main?.id !== main?.id) return
  // The hub's own refusals, such as SLOW_DOWN, are not about the move.
  if (view.game.texts.refusals[refused.code ?? ''] !== undefined) view.showWhyNot(refused)
}

/**
 * A tap on one of the controls' buttons that is disabled says what the table waits for this person to do. Such a button
 * takes no taps itself (Play.svelte): they reach `controls`, which holds it.
 */
export function whyDisabled(
  view: TableView,
  controls: HTMLElement,
  { clientX: x, clientY: y }: MouseEvent,
): void {
  const isMeant = [...controls.querySelectorAll('button:disabled')].some((button) => {
    const { left, right, top, bottom } = button.getBoundingClientRect()
    return x >= left && x <= right && y >= top && y <= bottom
  })
  const { main, seat } = view
  const texts = main && view.game.texts.prompts[main.kind]
  if (!isMeant || texts === undefined || seat === null) return
  const isDue = view.due.includes(seat)
  const hint = isDue ? (view.game.hint?.(view) ?? '') : ''
  const why = hint === '' ? words.format((isDue ? texts.you : texts.done) ?? '') : hint
  if (why !== '') view.showReason(why)
}
