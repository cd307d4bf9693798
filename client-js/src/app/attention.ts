/**
 * Signals that it is your turn: the page title, the tab icon, a short sound if allowed, a short vibration.
 */
import { settings } from './settings.svelte.ts'
import { hear, type Call } from './sounds.ts'

const SIGN =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
  '<path fill="#0b6249" d="M4 3h9.5A1.5 1.5 0 0 1 15 4.5v12L9.5 22H4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z"/>' +
  '<path fill="#f3b63f"' +
  ' d="M28 29h-9.5a1.5 1.5 0 0 1-1.5-1.5v-12L22.5 10H28a2 2 0 0 1 2 2v15a2 2 0 0 1-2 2z"/>'
const DOT = `<circle cx="24" cy="8" r="8" fill="#fff"/><circle cx="24" cy="8" r="6" fill="#d93a2b"/>`

/** Signal, by every allowed means, that their turn or an offer is waiting for this person. */
export function call(sound: Call): void {
  hear(sound)
  if (settings.vibration && 'vibrate' in navigator && navigator.userActivation.hasBeenActive)
    navigator.vibrate([40, 60, 40])
}

/** Show in the tab whether something is waiting. */
export function tabSign(waits: boolean, title: string): void {
  document.title = waits ? `● ${title}` : title
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (link !== null)
    link.href = `data:image/svg+xml,${encodeURIComponent(SIGN + (waits ? DOT : '') + '</svg>')}`
}
