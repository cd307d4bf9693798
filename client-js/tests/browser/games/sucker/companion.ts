import type { Companion } from '../../companion.ts'

/** Somebody at a table of So Long Sucker without a page. */
export class SuckerCompanion {
  readonly name: string
  readonly #companion: Companion

  constructor(companion: Companion) {
    this.name = companion.name
    this.#companion = companion
  }

  /** Begin a new pile with a chip of this player's. */
  async place(of: string): Promise<void> {
    await this.#companion.does({ move: 'place', colour: this.#companion.seatOf(of) })
  }

  async give(to: string): Promise<void> {
    await this.#companion.does({ move: 'giveMove', to: this.#companion.seatOf(to) })
  }
}
