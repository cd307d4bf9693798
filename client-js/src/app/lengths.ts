/**
 * How long each window was when this tab first saw it, or since it was lengthened.
 *
 * Kept in the tab for the table it was last at, so that a ring is as full after a reload as before it.
 */
const KEY = 'parley.windows'

interface Kept {
  readonly room: string
  readonly lengths: Readonly<Record<string, number>>
}

/** What stands in the tab's storage may be of another table, or of another time. */
function read(room: string): Readonly<Record<string, number>> {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Partial<Kept> | null
    return kept?.room === room ? (kept.lengths ?? {}) : {}
  } catch {
    return {}
  }
}

export class Lengths {
  readonly #room: string
  #known: Readonly<Record<string, number>>

  constructor(room: string) {
    this.#room = room
    this.#known = read(room)
  }

  of(window: string): number {
    return Math.max(this.#known[window] ?? 0, 1)
  }

  /** These windows are open, with so many milliseconds left; all others are over. */
  seen(left: Readonly<Record<string, number>>): void {
    const lengths = Object.fromEntries(Object.entries(left).map(([window, now]) => [window, Math.max(now, this.#known[window] ?? 0)]))
    const anew = JSON.stringify({ room: this.#room, lengths })
    if (anew !== JSON.stringify({ room: this.#room, lengths: this.#known })) sessionStorage.setItem(KEY, anew)
    this.#known = lengths
  }
}
