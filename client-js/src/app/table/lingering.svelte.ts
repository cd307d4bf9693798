/** Keeps the last board of a game in view for a moment before the result takes its place. */
import { untrack } from 'svelte'
import type { TableView } from '../tableview.svelte.ts'

/** Says whether the board of a finished game is still shown. Call this from a component. */
export function linger(of: () => TableView): { readonly on: boolean } {
  const view = $derived(of())
  let on = $state(false)
  let before: string | null = null
  $effect.pre(() => {
    const { status } = view
    const lingers = untrack(() => (view.about?.abandoned === true ? 0 : (view.game.lingers ?? 0)))
    const ended = status === 'finished' && before === 'running'
    before = status
    if (!ended || lingers === 0) return
    on = true
    const timer = setTimeout(() => (on = false), lingers)
    return () => {
      clearTimeout(timer)
      on = false
    }
  })
  return {
    get on() {
      return on
    },
  }
}
