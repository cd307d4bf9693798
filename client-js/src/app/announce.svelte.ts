/** What is told in words to those who do not see it: a polite live region, and short notices on screen. */

import { untrack } from 'svelte'

let spoken = $state.raw<readonly string[]>([])
let notice = $state.raw<{ readonly text: string; readonly number: number } | null>(null)
let notices = 0

export const voice = {
  get spoken(): readonly string[] {
    return spoken
  },
  get notice() {
    return notice
  },
}

/** Say this to screen readers. The last few stay, so that two at once are both read. */
export function announce(text: string): void {
  spoken = [...untrack(() => spoken), text].slice(-6) // effects speak, and must not wait for their own words
}

/** Show this for a while, and say it. */
export function notify(text: string): void {
  const number = (notices += 1)
  notice = { text, number }
  announce(text)
  setTimeout(() => {
    if (notice?.number === number) notice = null
  }, 5_000)
}

export function hush(): void {
  notice = null
}
