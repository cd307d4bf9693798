/** The sounds of a table: what happens on the board, and its end. Turns and offers call people by themselves. */
import { settings } from '../settings.svelte.ts'
import { EVENTS, hear } from '../sounds.ts'
import type { TableView } from '../tableview.svelte.ts'

/** Plays the sound of new log lines and of the end of the game. Call this from a component. */
export function hearTable(of: () => TableView): void {
  const view = $derived(of())
  let heard = -1
  $effect(() => {
    const { lines } = view.state
    const fresh = heard < 0 ? [] : lines.filter(([number]) => number > heard)
    heard = lines.at(-1)?.[0] ?? 0
    const sounds = fresh.map(([, key]) => view.game.sounds?.[key])
    const event = EVENTS.find((event) => sounds.some((sound) => sound === event))
    if (event !== undefined) hear(event)
  })
  /** The one seat that the table waits for, and the prompt it has to answer; null if it waits for several. */
  const actor = $derived(
    settings.callMode && view.status === 'running' && view.due.length === 1 ? (view.due[0] ?? null) : null,
  )
  const asked = $derived(view.main?.id)
  /** The seat before; undefined until there is one. */
  let last: number | null | undefined
  $effect(() => {
    void asked
    if (actor !== null && actor !== view.seat && last !== undefined && actor !== last) hear(actor)
    last = actor
  })
  let before: string | null = null
  $effect(() => {
    const { status } = view
    if (status === 'finished' && before === 'running') hear('end')
    before = status
  })
}
