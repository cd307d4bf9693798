/**
 * Table time, in milliseconds, as the hub counts it.
 *
 * What is sought is one number: table time minus a steady local clock. Every message bounds it: table time
 * cannot have been later than when the message came, nor, for the answer to a ping, earlier than when the
 * ping left. The bounds are intersected; bounds that no longer meet mean that the hub's clock stood still or
 * the local one drifted, and then the newest stand alone. The device's time of day is never read, so a phone
 * that is five minutes wrong shows the same countdown as everybody else. While the table is not live, time
 * stands still.
 */

/** Milliseconds of a steady local clock; only differences mean anything. */
export type Steady = () => number

export class TableClock {
  readonly #steady: Steady
  #least = -Infinity
  #most = Infinity
  #still: number | null = 0

  constructor(steady: Steady = () => performance.now()) {
    this.#steady = steady
  }

  /** A reading of the local clock, to be given back to `pong`. */
  steady(): number {
    return this.#steady()
  }

  get live(): boolean {
    return this.#still === null
  }

  /** A view or frame says what time it was at the table, and whether time runs there. */
  heard(now: number, live: boolean): void {
    if (!live) {
      this.#still = now
      return
    }
    if (this.#still !== null) {
      this.#still = null
      this.forget()
    }
    this.#bound(now - this.#steady(), Infinity)
  }

  /** The answer to a ping that left at `sent` says what time it was at the table in between. */
  pong(now: number, sent: number): void {
    if (this.#still === null) this.#bound(now - this.#steady(), now - sent)
    else this.#still = Math.max(this.#still, now)
  }

  /** Forget what was measured: another owner of the room counts on another clock. */
  forget(): void {
    this.#least = -Infinity
    this.#most = Infinity
  }

  /** The table's time now; 0 before anything was heard. */
  now(): number {
    if (this.#still !== null) return this.#still
    if (this.#least === -Infinity) return 0
    const offset = this.#most === Infinity ? this.#least : (this.#least + this.#most) / 2
    return this.#steady() + offset
  }

  /** Milliseconds left of a window: `end` while it runs, `left` while it is held. */
  left(window: { readonly end?: number | null; readonly left?: number | null }): number {
    if (window.left != null) return window.left
    if (window.end == null) return 0
    return Math.max(0, window.end - this.now())
  }

  #bound(least: number, most: number): void {
    this.#least = Math.max(this.#least, least)
    this.#most = Math.min(this.#most, most)
    if (this.#least > this.#most) {
      this.#least = least
      this.#most = most
    }
  }
}
