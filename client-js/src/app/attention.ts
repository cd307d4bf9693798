/**
 * Signals that it is your turn: the page title, the tab icon, a short sound if allowed, a short vibration.
 */
import { settings } from './settings.svelte.ts'

const SIGN =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
  '<path fill="#0b6249" d="M4 3h9.5A1.5 1.5 0 0 1 15 4.5v12L9.5 22H4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z"/>' +
  '<path fill="#f3b63f"' +
  ' d="M28 29h-9.5a1.5 1.5 0 0 1-1.5-1.5v-12L22.5 10H28a2 2 0 0 1 2 2v15a2 2 0 0 1-2 2z"/>'
const DOT = `<circle cx="24" cy="8" r="8" fill="#fff"/><circle cx="24" cy="8" r="6" fill="#d93a2b"/>`

let context: AudioContext | null = null

/** Plays two soft notes. Browsers require a gesture before the first sound; switching sound on is one. */
export function chime(): void {
  context ??= new AudioContext()
  const start = context.currentTime
  for (const [index, pitch] of [587.33, 880].entries()) {
    const tone = context.createOscillator()
    const loudness = context.createGain()
    tone.frequency.value = pitch
    tone.type = 'sine'
    const at = start + index * 0.13
    loudness.gain.setValueAtTime(0, at)
    loudness.gain.linearRampToValueAtTime(0.12, at + 0.02)
    loudness.gain.exponentialRampToValueAtTime(0.001, at + 0.45)
    tone.connect(loudness).connect(context.destination)
    tone.start(at)
    tone.stop(at + 0.5)
  }
}

/** Signal, by every allowed means, that something is waiting for this person. */
export function call(): void {
  if (settings.sound) chime()
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

/**
 * Keep the screen on until the returned function is called. The lock is lost whenever the page is hidden, and
 * reacquired when it is shown.
 */
export function stayAwake(): () => void {
  if (!('wakeLock' in navigator)) return () => undefined
  let lock: WakeLockSentinel | null = null
  let over = false
  const take = (): void => {
    if (document.visibilityState !== 'visible' || over) return
    navigator.wakeLock.request('screen').then(
      (sentinel) => {
        if (over) void sentinel.release()
        else lock = sentinel
      },
      () => undefined, // refused in order to save power: the screen may go dark, which does no other harm
    )
  }
  document.addEventListener('visibilitychange', take)
  take()
  return () => {
    over = true
    document.removeEventListener('visibilitychange', take)
    void lock?.release()
  }
}
