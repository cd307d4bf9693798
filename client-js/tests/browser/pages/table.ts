import type { Locator, Page } from 'playwright-core'
import { PATIENCE, type Person } from '../livehub.ts'

/** The files that a page loads after the first view of a running game, from the cache or over its line. */
const LATER = ['later.js', 'dialogs.js', 'fonts.css', 'Result.js'] as const

export type Tab = 'Table' | 'Deals' | 'Chat' | 'Log' | 'Notes' | 'Rules'

/** The shell of a table, whatever the game: door, seats, stage, panels. */
export class TablePage {
  readonly page: Page
  readonly person: Person

  constructor(person: Person) {
    this.person = person
    this.page = person.page
  }

  async press(what: Locator): Promise<void> {
    await this.person.press(what)
  }

  /** Press, and release only after something else has appeared. */
  async pressSlowly(what: Locator, until: Locator): Promise<void> {
    await what.hover()
    await this.page.mouse.down()
    await until.waitFor()
    await this.page.mouse.up()
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }

  // --- the door and the waiting room ---

  get start(): Locator {
    return this.button('Start the game')
  }

  get ready(): Locator {
    return this.button('I am ready')
  }

  get sitDown(): Locator {
    return this.page.getByRole('button', { name: /^Take seat/ })
  }

  get share(): Locator {
    return this.page.getByRole('region', { name: 'Invite others to this table' })
  }

  /** The link for joining, once the waiting room is shown. */
  async link(): Promise<string> {
    return this.share.getByText(/\/t\//).innerText()
  }

  /** The last part of the link: the id of a private table, the code of an open one. */
  async code(): Promise<string> {
    return (await this.link()).split('/t/')[1] ?? ''
  }

  /** Follow the link to the door. */
  async visit(code: string): Promise<this> {
    await this.person.go(`/t/${code}`)
    return this
  }

  /** From the door, take the first free seat. */
  async sit(name = this.person.name): Promise<this> {
    await this.sitDown.waitFor()
    const label = this.page.getByLabel('Your name')
    if (await label.isVisible()) await label.fill(name) // not after asking to come in
    await this.press(this.sitDown)
    await this.ready.waitFor()
    return this
  }

  /** One seat in the waiting room or the strip. */
  seat(name: string): Locator {
    return this.page.getByRole('list', { name: 'Seats' }).getByRole('listitem').filter({ hasText: name })
  }

  /** The name of whoever has this seat, such as a bot's character. */
  async nameAt(letter: string): Promise<string> {
    const seats = this.page.getByRole('list', { name: 'Seats' }).getByRole('listitem')
    return (
      await seats
        .nth(letter.charCodeAt(0) - 65)
        .locator('bdi')
        .first()
        .innerText()
    ).trim()
  }

  /** Choose something from a seat's menu in the waiting room. */
  async seatMenu(name: string, item: string): Promise<void> {
    await this.press(this.button(`Actions for ${name}`))
    await this.press(this.button(item))
  }

  // --- the running table ---

  get stage(): Locator {
    return this.page.getByRole('region', { name: 'What the table is waiting for' })
  }

  /** The stage's heading, if it has this title. */
  stageIs(title: string | RegExp): Locator {
    return this.stage.getByRole('heading', { name: title, exact: true })
  }

  /** Wait for the page's later files. Without them, the page reloads when the line is cut. */
  async isWhole(...more: readonly string[]): Promise<void> {
    await this.page.waitForFunction(
      (files) => {
        const loaded = performance
          .getEntriesByType('resource')
          .map(({ name }) => name.replace(/^.*\/assets\/|-[\w-]{8}(?=\.\w+$)/g, ''))
        return files.every((file) => loaded.includes(file))
      },
      [...LATER, ...more],
    )
  }

  get timer(): Locator {
    return this.page.getByRole('timer')
  }

  /** The seconds that the countdown shows. */
  async secondsLeft(): Promise<number> {
    const [shown] = /\d+/.exec((await this.timer.getAttribute('aria-label')) ?? '') ?? []
    if (shown === undefined) throw new Error('no countdown is shown')
    return Number(shown)
  }

  /** Wait until the countdown shows no more than this. */
  async countsDownTo(seconds: number): Promise<void> {
    const low = Array.from({ length: Math.max(0, seconds) + 1 }, (_, each) => each).join('|')
    await this.page
      .getByRole('timer', { name: new RegExp(`^(${low}) seconds? left$`) })
      .waitFor({ timeout: 70_000 })
  }

  get lost(): Locator {
    return this.page.getByRole('status').filter({ hasText: /^Reconnecting/ })
  }

  get takeBack(): Locator {
    return this.button('Take over from the bot')
  }

  /** The status message about the last request. */
  answer(text: string | RegExp): Locator {
    return this.page.getByRole('status').filter({ hasText: text })
  }

  /** The controls that an element covers, even partly. */
  async coveredBy(what: Locator): Promise<string[]> {
    return what.evaluate((over) => {
      const { left, right, top, bottom } = over.getBoundingClientRect()
      const controls = [...document.querySelectorAll<HTMLElement>('button, a[href], input, [role=tab]')]
      return controls.flatMap((each) => {
        const box = each.getBoundingClientRect()
        const meets =
          each.checkVisibility() &&
          !over.contains(each) &&
          box.left < right &&
          left < box.right &&
          box.top < bottom &&
          top < box.bottom
        return meets ? [each.getAttribute('aria-label') ?? each.textContent ?? ''] : []
      })
    })
  }

  /** The menu for the table and the seat. */
  async tools(): Promise<Locator> {
    await this.press(this.button('Game menu'))
    return this.page.getByRole('dialog', { name: 'Game menu' })
  }

  async tool(name: string): Promise<void> {
    await this.press((await this.tools()).getByRole('button', { name, exact: true }))
  }

  /** Let a bot play this seat from now on, and close the page. */
  async leaveToBot(): Promise<void> {
    await this.tool('Let the bot play for me')
    await this.takeBack.waitFor()
    await this.page.close()
  }

  /** Add a minute to the clock. */
  async longer(): Promise<void> {
    await this.button(/^\+60 s/).click()
    await this.page.getByRole('timer', { name: /^([6-9]\d|\d{3}) seconds left$/ }).waitFor()
  }

  // --- panels ---

  tab(tab: Tab): Locator {
    return this.page.getByRole('tab', { name: new RegExp(`^${tab}`) })
  }

  async open(tab: Tab): Promise<void> {
    await this.press(this.tab(tab))
  }

  get talk(): Locator {
    return this.page.getByRole('list', { name: 'Messages' })
  }

  get log(): Locator {
    return this.page.getByRole('list', { name: 'Log' })
  }

  get talkBox(): Locator {
    return this.page.getByRole('textbox', { name: /^Say something/ })
  }

  get talkClosed(): Locator {
    return this.page.getByText(/^Chat is closed/)
  }

  async say(text: string): Promise<void> {
    if (!(await this.talkBox.isVisible())) await this.open('Chat')
    await this.talkBox.fill(text)
    await this.press(this.button('Send'))
    await this.talk.getByText(text).waitFor()
  }

  /** All the text on the board, the stage and the seats, except the seconds left and the transient status. */
  async story(): Promise<string> {
    const main = await this.page.getByRole('main').ariaSnapshot()
    const stage = (await this.stage.count()) > 0 ? await this.stage.ariaSnapshot() : ''
    const seats = this.page.getByRole('region', { name: 'Seats' })
    const strip = (await seats.count()) > 0 ? await seats.ariaSnapshot() : ''
    return `${stage}\n${strip}\n${main}`
      .replace(/\n\s*- status\b.*/g, '')
      .replace(/- timer .*/g, '- timer')
      .replaceAll(' [active]', '')
  }
}

/**
 * Finds out repeatedly whose turn it is. Each page has only one pending wait, which stays pending if another
 * page comes first.
 */
export class Turns<Page extends TablePage> {
  readonly #tables: readonly Page[]
  readonly #due: (table: Page) => Locator
  readonly #asks: string
  readonly #waits = new Map<Page, Promise<Page>>()

  /**
   * `due` is looked for only on pages that show `asks`: to compare the names of all controls of every page again
   * and again takes most of a long game's processor time.
   */
  constructor(tables: readonly Page[], due: (table: Page) => Locator, asks = '.stage.acting, .result') {
    this.#tables = tables
    this.#due = due
    this.#asks = asks
  }

  /** The first table whose turn it is. Throws if that takes longer than a person would wait. */
  async next(): Promise<Page> {
    for (const table of this.#tables) {
      if (!this.#waits.has(table)) this.#waits.set(table, this.#wait(table))
    }
    let bell: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      bell = setTimeout(() => reject(new Error('it is nobody’s turn')), PATIENCE)
    })
    try {
      return await Promise.race([...this.#waits.values(), late])
    } finally {
      clearTimeout(bell)
    }
  }

  async #wait(table: Page): Promise<Page> {
    try {
      await table.page.locator(this.#asks).first().waitFor({ timeout: 0 })
      await this.#due(table).first().waitFor({ timeout: 0 })
    } catch {
      return new Promise(() => undefined) // its page is closed
    }
    this.#waits.delete(table)
    return table
  }
}
