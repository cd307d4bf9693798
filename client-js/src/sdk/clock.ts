/**
 * Table time, in milliseconds, as the hub counts it.
 *
 * The clock estimates one number: table time minus a steady local clock. Every message gives a
 * bound: its table time was read before the message arrived, and in a pong also after the ping was sent. The
 * bounds are intersected; if they no longer overlap, the hub's clock stopped for a while or the local one
 * drifted, and only the newest bounds apply. The device's time of day is never read, so a phone whose clock
 * is five minutes off shows the same countdown as everybody else. While the table is not live, its time does
 * not advance.
 */

/** Milliseconds on a steady local clock; only differences are meaningful. */
export type Steady = () => number

export class TableClock {
  readonly #steady: Steady
  #least = -Infinity
  #most = Infinity
  #still: number | null = 0

  constructor(steady: Steady = () => performance.now()) {
    this.#steady = steady
  }

  /** A reading of the local clock, to be passed back to `pong`. */
  steady(): number {
    return this.#steady()
  }

  get live(): boolean {
    return this.#still === null
  }

  /** Takes in the table time from a view or frame, and whether time is running at the table. */
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

  /** Takes in the table time from the answer to a ping that left at `sent`. */
  pong(now: number, sent: number): void {
    if (this.#still === null) this.#bound(now - this.#steady(), now - sent)
    else this.#still = Math.max(this.#still, now)
  }

  /** Discard all measurements: a new owner of the room uses a different clock. */
  forget(): void {
    this.#least = -Infinity
    this.#most = Infinity
  }

  /** The current table time; 0 before the first message. */
  now(): number {
    if (this.#still !== null) return this.#still
    if (this.#least === -Infinity) return 0
    const offset = this.#most === Infinity ? this.#least : (this.#least + this.#most) / 2
    return this.#steady() + offset
  }

  /** Milliseconds left in a window: computed from `end` while it runs, `left` while it is held. */
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
