import type { Locator, Page } from 'playwright-core'
import type { Person } from '../livehub.ts'

/** Nobody has to hurry. */
export const CALM = { Clocks: 'Relaxed' } as const
/** Nobody is hurried at all. */
export const UNTIMED = { Clocks: 'None' } as const
/** Nor to talk. */
export const UNTIL_READY = { 'Talk before each round': 'Until all are ready' } as const
/** Straight to the bids. */
export const NO_TALK = { 'Talk before each round': 'None' } as const
export const BANBURY = { 'Which game': 'Banbury Merton Street' } as const

/** What is chosen in the form of a new table; the rest stays as it is. */
export interface TableWish {
  readonly seats?: number
  /** What is chosen of a few, by what stands over them. */
  readonly choose?: Readonly<Record<string, string>>
  readonly switchOn?: readonly string[]
  readonly switchOff?: readonly string[]
  readonly numbers?: Readonly<Record<string, number>>
}

/** The front page: games, a way in by code, open and live tables; and the form of a new table. */
export class Home {
  readonly page: Page
  readonly person: Person
  readonly #game: string

  /** `game`: whose card is used. */
  constructor(person: Person, game = 'Almost') {
    this.person = person
    this.page = person.page
    this.#game = game
  }

  async open(): Promise<this> {
    await this.person.go('/')
    await this.play.waitFor()
    return this
  }

  private get card(): Locator {
    return this.page.getByRole('article', { name: this.#game, exact: true })
  }

  get play(): Locator {
    return this.card.getByRole('button', { name: 'Play now' })
  }

  get newTableLink(): Locator {
    return this.card.getByRole('link', { name: 'New table' })
  }

  rooms(list: 'Open tables' | 'Live tables to watch'): Locator {
    return this.page.getByRole('region', { name: list }).getByRole('listitem')
  }

  async join(codeOrLink: string): Promise<void> {
    await this.page.getByLabel('Join with a code or a link').fill(codeOrLink)
    await this.person.press(this.page.getByRole('button', { name: 'Join', exact: true }))
  }

  /** By its title, with which its name begins. */
  private switch(title: string): Locator {
    return this.page.getByRole('switch', { name: new RegExp(`^${title} `) })
  }

  /** From the front page, by the form, to the waiting room. */
  async newTable(wish: TableWish = {}): Promise<void> {
    await this.person.press(this.newTableLink)
    await this.fillTable(wish)
  }

  /** From the form to the waiting room. */
  async fillTable(wish: TableWish): Promise<void> {
    const make = this.page.getByRole('button', { name: 'Create the table' })
    await make.waitFor()
    const name = this.page.getByLabel('Your name') // asked once
    if (await name.isVisible()) await name.fill(this.person.name)
    if (wish.seats !== undefined) await this.number('Seats', wish.seats)
    for (const [label, value] of Object.entries(wish.choose ?? {}))
      await this.page
        .getByRole('group', { name: label, exact: true })
        .getByRole('radio', { name: value, exact: true })
        .check()
    for (const each of wish.switchOn ?? []) await this.switch(each).check()
    for (const each of wish.switchOff ?? []) await this.switch(each).uncheck()
    for (const [label, value] of Object.entries(wish.numbers ?? {})) await this.number(label, value)
    await this.person.press(make)
  }

  private async number(label: string, value: number): Promise<void> {
    const box = this.page.getByRole('textbox', { name: label, exact: true })
    await box.fill(String(value))
    await box.blur()
  }
}
