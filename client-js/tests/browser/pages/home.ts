import type { Locator, Page } from 'playwright-core'
import type { Wire } from '../../../src/sdk/index.ts'
import type { Person } from '../livehub.ts'

/** Long timers. */
export const CALM = { Timers: 'Relaxed' } as const
/** No timers, except for talk. */
export const UNTIMED = { Timers: 'Off' } as const
/** No timer for talk either. */
export const UNTIL_READY = { 'Talk before each round': 'Until everyone is ready' } as const
/** Bidding begins immediately. */
export const NO_TALK = { 'Talk before each round': 'None' } as const
export const BANBURY = { 'Which game': 'Banbury Merton Street' } as const

/** The choices to make in the form for a new table; everything else keeps its default. */
export interface TableWish {
  readonly seats?: number
  /** The option to choose in each group, by the group's label. */
  readonly choose?: Readonly<Record<string, string>>
  readonly switchOn?: readonly string[]
  readonly switchOff?: readonly string[]
  readonly numbers?: Readonly<Record<string, number>>
}

/** Create a table by the form's own address, without the front page. */
export async function createTable(host: Person, game: keyof Wire.Games, wish: TableWish): Promise<void> {
  await host.go(`/?new=${game}`)
  await new Home(host).fillTable(wish)
}

/** The front page (games, joining by code, open and live tables) and the form for a new table. */
export class Home {
  readonly page: Page
  readonly person: Person
  readonly #game: string

  /** `game` is the game whose card is used. */
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

  /** The level of the bots for *Play now*. */
  get level(): Locator {
    return this.card.getByRole('combobox', { name: 'Bots in a game that starts now' })
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

  /** The switch whose name begins with this title. */
  private switch(title: string): Locator {
    return this.page.getByRole('switch', { name: new RegExp(`^${title} `) })
  }

  /** Go from the front page, through the form, to the waiting room. */
  async newTable(wish: TableWish = {}): Promise<void> {
    await this.person.press(this.newTableLink)
    await this.fillTable(wish)
  }

  /** Fill in the form and go to the waiting room. */
  async fillTable(wish: TableWish): Promise<void> {
    const make = this.page.getByRole('button', { name: 'Create the table' })
    await make.waitFor()
    const name = this.page.getByLabel('Your name') // the form asks for it only once
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
