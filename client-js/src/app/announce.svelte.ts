/** Announcements: a polite live region for screen readers, and short notices on screen. */

import { untrack } from 'svelte'

interface Spoken {
  readonly text: string
  /** A unique number, so that a repeated message is announced twice, but an unchanged one only once. */
  readonly number: number
}

let spoken = $state.raw<readonly Spoken[]>([])
let notice = $state.raw<Spoken | null>(null)
let said = 0

export const voice = {
  get spoken(): readonly Spoken[] {
    return spoken
  },
  get notice() {
    return notice
  },
}

/** Announce a message to screen readers. The last few stay, so that two sent at once are both read. */
export function announce(text: string): void {
  // effects call this and must not depend on the messages they announce
  spoken = [...untrack(() => spoken), { text, number: (said += 1) }].slice(-6)
}

/** Show a message for a while, and announce it. */
export function notify(text: string): void {
  announce(text)
  const number = said
  notice = { text, number }
  setTimeout(() => {
    if (notice?.number === number) notice = null
  }, 5_000)
}

export function hush(): void {
  notice = null
}
