/** Announcements of what happens at a table, for screen readers. */
import { announce, notify } from '../announce.svelte.ts'
import { t, words } from '../language.ts'
import { streamer } from '../streamer.svelte.ts'
import type { TableView } from '../tableview.svelte.ts'
import { later } from './later.svelte.ts'
import { lineText } from './lines.ts'

/** Announce log lines, this person's turn and the connection's state. Call this from a component. */
export function announceTable(of: () => TableView, acting: () => boolean): void {
  const view = $derived(of())
  let heard = -1
  $effect(() => {
    const { lines } = view.state
    const last = lines.at(-1)?.[0] ?? -1
    const promised = heard >= 0 && lines.some(([number, key]) => number > heard && key.startsWith('promise.'))
    if (promised && later.parts?.hasPromiseTexts(view) !== true) return // until its words are loaded
    if (heard >= 0 || lines.length === 0) {
      for (const line of lines) {
        if (line[0] <= heard || (line[4] === true && streamer.on)) continue
        if (line[1] !== 'table.new_host') announce(lineText(view, line))
        else notify(line[2].seat === view.seat ? t('host.you') : lineText(view, line))
      }
    }
    heard = last
  })
  $effect(() => {
    const prompt = view.main
    const texts = prompt && view.game.texts.prompts[prompt.kind]
    if (texts !== undefined && acting()) announce(words.format(texts.you ?? ''))
  })
  /** Once the hub has closed the table to this person, the page says why. */
  const offline = $derived(!view.online && view.state.link.is !== 'closed')
  const lost = $derived(t(view.seated ? 'link.lost' : 'link.lost.watching'))
  $effect(() => {
    if (offline || view.online) announce(offline ? lost : t('link.back'))
  })
}
