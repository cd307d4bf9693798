/** Announcements of what happens at a table, for screen readers. */
import type { AudienceLine } from '../../sdk/wire.gen.ts'
import { announce, notify } from '../announce.svelte.ts'
import { t, words } from '../language.ts'
import { streamer } from '../streamer.svelte.ts'
import type { TableView } from '../tableview.svelte.ts'
import { later } from './later.svelte.ts'
import { lineText } from './lines.ts'

function isAboutPromise(key: string): boolean {
  return key.startsWith('promise.')
}

/** Announce log lines, this person's turn and the connection's state. Call this from a component. */
export function announceTable(of: () => TableView, acting: () => boolean): void {
  const view = $derived(of())
  let heard = -1
  /** The same of lines about promises, which wait until their words are loaded. */
  let heardPromise = -1
  $effect(() => {
    const { lines } = view.state
    const isNew = ([number, key]: AudienceLine): boolean =>
      number > (isAboutPromise(key) ? heardPromise : heard)
    const due = heard < 0 ? [] : lines.filter(isNew)
    const waits = due.some(([, key]) => isAboutPromise(key)) && later.parts?.hasPromiseTexts(view) !== true
    for (const line of due) {
      const [, key, args, , isPrivate] = line
      if ((waits && isAboutPromise(key)) || (isPrivate === true && streamer.on)) continue
      if (key !== 'table.new_host') announce(lineText(view, line))
      else notify(args.seat === view.seat ? t('host.you') : lineText(view, line))
    }
    heard = lines.at(-1)?.[0] ?? -1
    if (!waits) heardPromise = heard
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
  const { stepsBack } = $derived(view.state)
  $effect(() => {
    if (stepsBack > 0) announce(t('link.steppedBack'))
  })
}
