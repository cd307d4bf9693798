import type { Locator, Page } from 'playwright-core'
import type { TablePage } from './table.ts'

/** The title of a group of wishes; null in a game that has only one, which is shown without its title. */
type Shelf = string | null

/** The deals panel at somebody's table. */
export class Deals {
  readonly table: TablePage
  readonly page: Page

  constructor(table: TablePage) {
    this.table = table
    this.page = table.page
  }

  async open(): Promise<this> {
    await this.table.open('Deals')
    return this
  }

  /** The notice of somebody's offer, shown while another panel is open. */
  noticeOf(name: string): Locator {
    return this.page.getByRole('button', { name: `${name} offers you a trade` })
  }

  // --- offers ---

  get incoming(): Locator {
    return this.page.getByRole('list', { name: 'Offers to you' }).getByRole('listitem')
  }

  /** This person's offers, including those that ended a moment ago. */
  get outgoing(): Locator {
    return this.page.getByRole('list', { name: 'Your open offers' }).getByRole('listitem')
  }

  get kept(): Locator {
    return this.page.getByRole('list', { name: 'Saved for later' }).getByRole('listitem')
  }

  from(name: string): Locator {
    return this.incoming.filter({ hasText: name })
  }

  to(name: string): Locator {
    return this.outgoing.filter({ hasText: name })
  }

  async press(offer: Locator, button: string): Promise<void> {
    await this.table.press(offer.getByRole('button', { name: button, exact: true }))
  }

  /** Accept an offer, with the goods that the panel suggests in return. */
  async accept(offer: Locator): Promise<void> {
    await this.press(offer, 'Accept…')
    await this.press(offer, 'Make the trade')
  }

  /** The choices of goods to give for an offer that is about to be accepted. */
  forIt(offer: Locator): Locator {
    return offer.getByRole('group', { name: 'What you give in return' }).getByRole('button')
  }

  // --- an offer being written ---

  async begin(): Promise<void> {
    await this.table.press(this.table.button('New offer'))
    await this.back.waitFor()
  }

  get back(): Locator {
    return this.table.button('Back to all offers')
  }

  async toWhom(name: string): Promise<void> {
    await this.page.getByRole('group', { name: 'Offer to' }).getByRole('radio', { name }).check()
  }

  private side(name: 'You give' | 'You want'): Locator {
    return this.page.getByRole('group', { name, exact: true })
  }

  /** The button that adds a thing to a side; for things that repeat, one more of it. */
  private more(side: Locator, what: string): Locator {
    return side
      .getByRole('button', { name: what, exact: true })
      .or(side.getByRole('button', { name: `One more: ${what}`, exact: true }))
  }

  /** The names of the things this person could give. */
  async mine(): Promise<string[]> {
    const goods = this.side('You give')
    await goods.waitFor()
    const labels = await goods
      .getByRole('button')
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label') ?? ''))
    return labels
      .filter((label) => !label.startsWith('One less: '))
      .map((label) => label.replace(/^One more: /, ''))
  }

  async give(...names: readonly string[]): Promise<void> {
    const goods = this.side('You give')
    for (const name of names) {
      await this.table.press(this.more(goods, name))
      await goods
        .getByRole('button', { name, exact: true, pressed: true })
        .or(goods.getByRole('button', { name: `One less: ${name}`, exact: true, disabled: false }))
        .waitFor()
    }
  }

  private async shelf(name: string): Promise<void> {
    await this.page
      .getByRole('radiogroup', { name: 'Kinds of things to ask for' })
      .getByRole('radio', { name: new RegExp(`^${name}`) })
      .check()
  }

  /** Add one more of this to the wish. */
  async wish(shelf: Shelf, what: string): Promise<void> {
    if (shelf !== null) await this.shelf(shelf)
    await this.table.press(this.more(this.side('You want'), what))
  }

  /** The text about what sending the offer would do. */
  says(sentence: string | RegExp): Locator {
    return this.page.getByRole('paragraph').filter({ hasText: sentence })
  }

  get send(): Locator {
    return this.page.getByRole('button', { name: /^(Send the offer|Offer the gift)$/ })
  }

  get keep(): Locator {
    return this.table.button('Save for later')
  }

  /** Write a whole offer and send it. */
  async offer(
    to: string | null,
    give: readonly string[],
    wish: readonly (readonly [Shelf, string])[],
  ): Promise<void> {
    await this.begin()
    if (to !== null) await this.toWhom(to)
    await this.give(...give)
    for (const [shelf, what] of wish) await this.wish(shelf, what)
    await this.table.press(this.send)
    await this.back.waitFor({ state: 'hidden' })
  }
}
