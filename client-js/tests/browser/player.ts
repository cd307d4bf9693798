/** Somebody who plays any game by the page's own buttons, as fast as a quick person. */
import { look, numbers } from './look.ts'
import type { Person } from './livehub.ts'
import { TablePage } from './pages/table.ts'

export const QUICK = 150

/** In the page: what somebody presses before the game itself, and the way back from the rules on a phone. */
const SETTLE = `document.querySelector('.missed button')?.click(),
  document.querySelector('.content.hidden') && document.querySelector('[role=tab]')?.click()`

export class Player {
  readonly name: string
  table: TablePage
  /** Milliseconds before each look at the page. */
  pause = QUICK
  readonly #draw: () => number
  #last: string[] = []
  #stepping: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(person: Person, seed: number) {
    this.name = person.name
    this.table = new TablePage(person)
    this.#draw = numbers(seed)
  }

  get person(): Person {
    return this.table.person
  }

  get page(): Person['page'] {
    return this.table.page
  }

  /** Play on another page: a new one in the same browser, or another device. */
  moveTo(person: Person): void {
    this.table = new TablePage(person)
  }

  /** Play from now on. */
  play(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#stepping = this.#step()
        .catch(() => undefined) // the page is being loaded, or was closed
        .then(() => this.#timer === undefined || this.play())
        .then(() => undefined)
    }, this.pause)
  }

  /** Press nothing more until `play`. */
  async rest(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#stepping
  }

  async #step(): Promise<void> {
    const mains = !(this.#last.length === 3 && this.#last.every((step) => step === this.#last[0]))
    const seen = await this.page.evaluate(`${SETTLE}, (${look.toString()})(${this.#draw()}, ${mains})`)
    const offer = seen as ReturnType<typeof look>
    if (offer.is !== 'acts') return
    await this.page.touchscreen.tap(offer.x, offer.y)
    this.#last = [...this.#last, offer.name].slice(-3)
  }
}
