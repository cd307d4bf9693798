/** What a page shows of a table while others may see the screen (../streamer.svelte.ts). */
import { streamer } from '../streamer.svelte.ts'
import type { TableView } from '../tableview.svelte.ts'

export interface Onlookers {
  /** Whether this person has something to hide from them. */
  readonly guarded: boolean
  /** Whether it is hidden right now. */
  readonly hides: boolean
  /** The table to show: without what only this person may know, while that is hidden. Null until that is there. */
  readonly shown: TableView | null
  /** Whether the tray is hidden, too: it need not be if nothing in it is secret. */
  readonly hidesTray: boolean
}

/** Call this from a component. */
export function guardTable(of: () => TableView): Onlookers {
  const view = $derived(of())
  const guarded = $derived(streamer.on && view.seated)
  const hides = $derived(guarded && streamer.hides)
  let open = $state.raw<TableView | null>(null)
  let secretive = $state(true)
  $effect(() => {
    if (!guarded) return
    const full = view
    let copy: TableView | null = null
    let over = false
    void import('./publicview.ts').then(({ publicView, hasSecrets }) => {
      if (over) return
      open = copy = publicView(full)
      secretive = hasSecrets(full)
    })
    return () => {
      over = true
      copy?.close()
      open = null
    }
  })
  return {
    get guarded() {
      return guarded
    },
    get hides() {
      return hides
    },
    get shown() {
      return hides ? open : view
    },
    get hidesTray() {
      return hides && secretive && view.game.openTray?.(view) !== true
    },
  }
}
