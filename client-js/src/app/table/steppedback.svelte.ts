/** Whether to tell this person that the table has stepped back. */
import type { TableView } from '../tableview.svelte.ts'
import { page } from '../visible.svelte.ts'

/** How long, in milliseconds, whoever only watches reads it: a shared screen has no mouse. */
export const READ = 15_000

/** Whoever takes part is told until they call `close`. Call this from a component. */
export function noticeStepsBack(of: () => TableView): { readonly shown: boolean; close(): void } {
  const view = $derived(of())
  const { stepsBack } = $derived(view.state)
  /** How many of the table's steps back this person has been told about. */
  let known = $state(0)
  const close = (): void => void (known = stepsBack)
  $effect(() => {
    if (view.takesPart || !page.visible || known === stepsBack) return undefined
    const timer = setTimeout(close, READ)
    return () => clearTimeout(timer)
  })
  return {
    get shown() {
      return known < stepsBack
    },
    close,
  }
}
