/** What is told in words to those who do not see it: a polite live region, and short notices on screen. */

import { untrack } from 'svelte'

interface Spoken {
  readonly text: string
  /** Each has its own: the same text twice is told twice, and none again when another is. */
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

/** Say this to screen readers. The last few stay, so that two at once are both read. */
export function announce(text: string): void {
  // effects speak, and must not depend on their own words
  spoken = [...untrack(() => spoken), { text, number: (said += 1) }].slice(-6)
}

/** Show this for a while, and say it. */
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
