import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { mark } from '../../../src/app/texts/pseudo.ts'
import type { LiveHub, Person } from '../livehub.ts'
import { unmarked } from '../marks.ts'

/** A new table of somebody who uses the pseudo-language: its form, and then the game against bots. */
export class PseudoTable {
  readonly page: Page
  readonly #person: Person
  #code: readonly string[] = []

  private constructor(person: Person) {
    this.#person = person
    this.page = person.page
  }

  /** The form for a new table of this game. */
  static async open(liveHub: LiveHub, game: string): Promise<PseudoTable> {
    const person = await liveHub.person('Åŋŋ', { lang: 'x-pseudo' })
    await person.go(`/?new=${game}`)
    await person.page.getByLabel(mark('Your name')).fill(person.name)
    return new PseudoTable(person)
  }

  /** Expect only marked text, except for the table's code and `more`. */
  async inspect(...more: readonly string[]): Promise<void> {
    expect(await unmarked(this.#person, [...this.#code, ...more])).toEqual([])
  }

  /** Choose an option, by its titles in English. */
  async choose(option: string, value: string): Promise<void> {
    const group = this.page.getByRole('group', { name: mark(option) })
    await group.getByRole('radio', { name: mark(value) }).check()
  }

  /** Set an option that is a number. */
  async set(option: string, number: number): Promise<void> {
    const box = this.page.getByRole('textbox', { name: mark(option) })
    await box.fill(String(number))
    await box.blur()
  }

  /** Create the table and, after inspecting the waiting room, start the game. */
  async start(): Promise<void> {
    await this.button('Create the table').click()
    const start = this.button('Start the game')
    await start.waitFor()
    this.#code = [await this.page.locator('[data-code]').innerText()]
    await this.inspect()
    await start.click()
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name: mark(name), exact: true })
  }

  /** Open and inspect each of these panels. */
  async inspectPanels(...panels: readonly string[]): Promise<void> {
    for (const panel of panels) {
      await this.page.getByRole('tab', { name: mark(panel) }).click()
      await this.page.getByRole('tabpanel', { name: mark(panel) }).waitFor()
      await this.inspect()
    }
  }
}
