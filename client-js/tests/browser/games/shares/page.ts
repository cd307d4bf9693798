import type { Locator } from 'playwright-core'
import type { Person } from '../../livehub.ts'
import type { TableWish } from '../../pages/home.ts'
import { beginAt, seatAt } from '../../seating.ts'
import { TablePage, Turns } from '../../pages/table.ts'

export const SHARES = 'Share and Share Alike'
export const SHORT = { Rounds: '5' } as const
export const LONGER = { Rounds: '10' } as const

export const COMPANIES = ['Anchor', 'Beacon', 'Comet', 'Dynamo', 'Ember'] as const
export type Company = (typeof COMPANIES)[number]
export type Suit = 'hearts' | 'spades' | 'clubs' | 'diamonds'
/** The cards that a test needs. */
export type Wanted = Suit | 'royals' | 'any'
const ROYAL = /^(Jack|Queen|King|Ace) of /

/** A tower, as described by its label. */
export interface Tower {
  readonly company: string
  readonly floors: number
  readonly prize: number
}

/** A share of this company, as the deals panel calls it. */
export function shareOf(company: string): string {
  return `a share of ${company}`
}

/** The labels of all these elements, read in a single call to the page. */
function labelsOf(what: Locator): Promise<string[]> {
  return what.evaluateAll((found) =>
    found.map((each) => each.getAttribute('aria-label') ?? each.textContent ?? ''),
  )
}

/** A table of Share and Share Alike. */
export class SharesTable extends TablePage {
  get towers(): Locator {
    return this.page.getByRole('group', { name: 'The five towers' })
  }

  get hand(): Locator {
    return this.page.getByRole('list', { name: 'Your hand' })
  }

  get middle(): Locator {
    return this.page.getByRole('region', { name: 'Cards in the middle' })
  }

  /** The region with the public information about each player. */
  get players(): Locator {
    return this.page.getByRole('region', { name: 'Players' })
  }

  /** The rows of this seat's own tracker. */
  get tracker(): Locator {
    return this.page.getByRole('list', { name: 'Your tracker' }).getByRole('listitem')
  }

  get estimates(): Locator {
    return this.page.getByRole('region', { name: 'What your shares may be worth' })
  }

  get truth(): Locator {
    return this.page.getByRole('region', { name: 'The Whole Truth' })
  }

  /** The content of a peek, while it lasts. */
  get looks(): Locator {
    return this.page.getByRole('dialog', { name: /’s (hand|tracker)$/ })
  }

  get over(): Locator {
    return this.page.getByRole('heading', { name: /( wins| win together|^You (win|share the win)!)$/ })
  }

  /** Everybody's trackers at the end. */
  get trackers(): Locator {
    return this.page.getByRole('region', { name: 'Everybody’s trackers' })
  }

  /** The table of share values at the end. */
  get worths(): Locator {
    return this.page.getByRole('region', { name: 'What the shares are worth' })
  }

  // --- the board ---

  async allTowers(): Promise<Tower[]> {
    return (await labelsOf(this.towers.getByRole('button'))).map((label) => {
      const [, company = '', floors, prize] = /^(\w+): (\d+) floors?, .*?prize ([\d,]+)/.exec(label) ?? []
      return { company, floors: Number(floors), prize: Number(prize?.replace(',', '')) }
    })
  }

  /** A tower, found by its label. */
  tower(said: RegExp): Locator {
    return this.towers.getByRole('button', { name: said })
  }

  /** The number of this seat's shares in each company, according to its tracker. */
  async holdings(): Promise<number[]> {
    return (await labelsOf(this.tracker)).map((label) => Number(/: (\d+) shares?/.exec(label)?.[1]))
  }

  /** A company in which this seat has the most shares. */
  async richest(): Promise<string> {
    const held = await this.holdings()
    return COMPANIES[held.indexOf(Math.max(...held))] ?? ''
  }

  /** Everybody's points at the end, the winner's first. */
  async scores(): Promise<number[]> {
    const said = await labelsOf(
      this.page.getByRole('figure', { name: 'Points by company' }).getByRole('listitem'),
    )
    return said.flatMap((each) => {
      const points = /: ([\d,.]+) points/.exec(each)?.[1]
      return points === undefined ? [] : [Number(points.replaceAll(',', ''))]
    })
  }

  /** The sum of the prizes of all companies in which somebody has a share. */
  async paid(): Promise<number> {
    const rows = await this.worths
      .getByRole('row')
      .evaluateAll((found) =>
        found.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? '')),
      )
    return rows.reduce(
      (sum, [, prize = '0', claimed]) => sum + (Number(claimed) > 0 ? Number(prize.replace(',', '')) : 0),
      0,
    )
  }

  async cards(): Promise<string[]> {
    return labelsOf(this.hand.getByRole('button'))
  }

  card(name: string): Locator {
    return this.hand.getByRole('button', { name, exact: true })
  }

  /** The first card of this kind in the hand. */
  async first(of: Wanted): Promise<string | undefined> {
    return (await this.cards()).find((card) =>
      of === 'royals' ? ROYAL.test(card) : of === 'any' || card.endsWith(of),
    )
  }

  // --- the prompts for this seat ---

  get lock(): Locator {
    return this.page.getByRole('button', { name: /^Lock/ })
  }

  get endTurn(): Locator {
    return this.page.getByRole('button', { name: /^End turn,? and/ })
  }

  get done(): Locator {
    return this.page.getByRole('button', { name: /^Stop here/ })
  }

  /** The button for a company in the tray. */
  company(name: string): Locator {
    return this.button(name)
  }

  /** The button for a person in the tray. */
  whom(name: string): Locator {
    return this.page.getByRole('group', { name: 'Which player' }).getByRole('button', { name, exact: true })
  }

  /** The names of everybody in the tray. */
  async whoms(): Promise<string[]> {
    const names = this.page.getByRole('group', { name: 'Which player' }).getByRole('button')
    await names.first().waitFor()
    return labelsOf(names)
  }

  /** Note a share and lock it. */
  async mark(company: Company): Promise<void> {
    await this.press(this.company(company))
    await this.press(this.button(`Lock ${company}`))
    await this.page
      .getByText(`Locked: ${company}.`)
      .or(this.endTurn)
      .or(this.stageIs(/^(.*’s turn|Lowball)$/))
      .first()
      .waitFor()
  }

  /** Choose a card, and press a button that uses it. */
  async use(card: string, button: string | RegExp): Promise<void> {
    await this.press(this.card(card))
    await this.hand.getByRole('button', { name: card, exact: true, pressed: true }).waitFor()
    await this.press(this.page.getByRole('button', { name: button }))
    await this.card(card).waitFor({ state: 'detached' })
  }

  async play(card: string): Promise<void> {
    await this.use(card, `Play: ${card}`)
  }

  /** Choose a tower, and raise or lower it. */
  async build(company: string): Promise<void> {
    await this.press(this.company(company))
    await this.press(this.builds)
    await this.builds.waitFor({ state: 'hidden' })
  }

  /** The button that raises or lowers the chosen tower, but not a phrase such as "Raise Anchor!". */
  get builds(): Locator {
    return this.page.getByRole('button', { name: /^(Raise|Lower) \w+(?!\w|!)/ })
  }

  /** End the turn. If all others are out, this seat also gets the next turn, whose button differs. */
  async passOn(): Promise<void> {
    const label = (await this.endTurn.getAttribute('aria-label')) ?? ''
    await this.press(this.button(label))
    await this.button(label).waitFor({ state: 'hidden' })
  }

  /** The button that lets cards be chosen to be discarded. */
  get beginsDiscard(): Locator {
    return this.button('Discard…')
  }

  /** Discard these cards, in this order. */
  async discard(...cards: readonly string[]): Promise<void> {
    await this.press(this.beginsDiscard)
    for (const card of cards) await this.press(this.card(card))
    await this.press(this.page.getByRole('button', { name: /^Discard \d+ cards?$/ }))
    await this.card(cards[0] ?? '').waitFor({ state: 'detached' })
  }

  /** Draw from the deck until this seat has no more cards to draw. */
  async drawAll(): Promise<void> {
    const draws = this.page.getByRole('button', { name: /^From the Draw Deck/ })
    await draws.waitFor()
    while (await draws.isVisible()) {
      const before = (await this.cards()).length
      await this.press(draws)
      await this.hand.getByRole('button').nth(before).waitFor()
    }
  }

  /** In Lowball, note the first card and lock it. */
  async offerCard(): Promise<void> {
    const [card] = await this.cards()
    if (card === undefined) return // a seat without cards has nothing to lock
    await this.press(this.card(card))
    await this.press(this.button(`Lock ${card}`))
    await this.page
      .getByText(`Locked: ${card}.`)
      .or(this.endTurn)
      .or(this.stageIs(/’s turn$/))
      .first()
      .waitFor()
  }

  /** Press Tab until this element has focus. */
  async tabTo(what: Locator): Promise<void> {
    const focused = what.and(this.page.locator(':focus'))
    for (let steps = 0; (await focused.count()) === 0; steps += 1) {
      if (steps > 150) throw new Error('Tab never reaches it')
      await this.page.keyboard.press('Tab')
    }
  }
}

/** A waiting table created by the first of these people, with all of them seated in this order. */
export function seated(
  people: readonly Person[],
  wish: TableWish = {},
): Promise<{ tables: SharesTable[]; code: string }> {
  return seatAt(SharesTable, 'shares', people, { seats: 4, ...wish })
}

/** A table whose game has begun, with these people seated in this order and bots in the free seats. */
export async function opened(
  people: readonly Person[],
  wish: TableWish = {},
): Promise<{ tables: SharesTable[]; code: string }> {
  const made = await beginAt(SharesTable, 'shares', people, { seats: 4, ...wish })
  await Promise.all(made.tables.map((table) => table.towers.waitFor()))
  return made
}

/** Have everybody mark a share: all in one company, or each in a company of their own. */
export async function marked(
  tables: readonly SharesTable[],
  ...companies: readonly Company[]
): Promise<void> {
  await Promise.all(tables.map((table, index) => table.mark(companies[index % companies.length] ?? 'Anchor')))
}

/** Have everybody offer a card, in Lowball. */
export async function offered(tables: readonly SharesTable[]): Promise<void> {
  await Promise.all(tables.map((table) => table.stageIs('Lowball').waitFor()))
  for (const table of tables) await table.offerCard()
}

const turnsOf = new WeakMap<readonly SharesTable[], Turns<SharesTable>>()

/** The table of the player who may spend actions; null once a new round has begun or the game is over. */
export async function active(tables: readonly SharesTable[]): Promise<SharesTable | null> {
  const turns =
    turnsOf.get(tables) ?? new Turns(tables, (table) => table.endTurn.or(table.lock).or(table.over))
  turnsOf.set(tables, turns)
  for (;;) {
    const table = await turns.next()
    if (await table.endTurn.isVisible()) return table
    if (await table.lock.or(table.over).first().isVisible()) return null
  }
}

/** Play the rest of a round: on each turn, call `act` and pass the turn on. */
export async function playRound(
  tables: readonly SharesTable[],
  act: (table: SharesTable) => Promise<unknown> = async () => undefined,
): Promise<void> {
  for (let table = await active(tables); table !== null; table = await active(tables)) {
    await act(table)
    if (await table.endTurn.isVisible()) await table.passOn()
  }
}

/**
 * The table of a player whose turn it is and who has a wanted card and actions left. Players without one
 * exchange their hands and pass the turn on until somebody has one.
 */
export async function supplied(tables: readonly SharesTable[], wanted: Wanted): Promise<SharesTable> {
  const [first] = tables as [SharesTable, ...SharesTable[]]
  for (let tries = 0; tries < 40; tries += 1) {
    const table = await active(tables)
    if (table === null) {
      await marked(tables, 'Ember')
      await first.stageIs('Take a share').waitFor({ state: 'hidden' })
      if (await first.stageIs('Lowball').isVisible()) await offered(tables)
      continue
    }
    if ((await table.first(wanted)) !== undefined) return table
    const draws = table.page.getByRole('button', { name: /^Draw up to five/ })
    const cards = await table.cards()
    if (cards.length > 3) await table.discard(...cards)
    else if (await draws.isEnabled()) {
      await table.press(draws)
      await table.drawAll()
      continue
    }
    if (await table.endTurn.isVisible()) await table.passOn()
  }
  throw new Error(`nobody ever got ${wanted}`)
}

/** Play to the end: everybody only marks this company and offers a card in Lowball. */
export async function toEnd(
  tables: readonly SharesTable[],
  company: Company,
  lowball = false,
): Promise<void> {
  const [first] = tables as [SharesTable, ...SharesTable[]]
  for (;;) {
    await playRound(tables)
    await first.lock.or(first.over).first().waitFor() // another page may show the end first
    if (await first.over.isVisible()) return
    await marked(tables, company)
    if (lowball) await offered(tables)
  }
}

/** The table of somebody who plays with only the keyboard. */
export class KeyTable extends SharesTable {
  /** Answer all prompts until the next turn; returns whether there is one before the game ends. */
  async turnComes(): Promise<boolean> {
    for (;;) {
      await this.endTurn.or(this.deciding).or(this.over).first().waitFor({ timeout: 120_000 })
      if (await this.over.isVisible()) return false
      if (await this.endTurn.isVisible()) return true
      await this.decide()
    }
  }

  /** Shown while the table is waiting for this seat, or for all seats, to do anything but take a turn. */
  private get deciding(): Locator {
    const alone = this.stage.filter({ hasNotText: 'Waiting for' })
    const kinds =
      /^(Build up|Pull down|Take a look|Your secret look|Adjust the roll|Choose who rolls|Take a card( from somebody)?|Swap two hands|A free action|Draw (up|two cards))$/
    return this.stageIs('Take a share').or(alone.getByRole('heading', { name: kinds, exact: true }))
  }

  /** Answer a prompt other than a turn: choose option 2 with its key and Enter, or decline with Tab. */
  private async decide(): Promise<void> {
    const { keyboard } = this.page
    const [before] = await this.stage.allInnerTexts()
    if (before === undefined) return // the game has just ended
    for (const key of ['1', '2', 'Enter']) await keyboard.press(key)
    const leave = this.page
      .getByRole('button', { name: /^(Decline|Stop looking|From the Draw Deck|Stop here)/, disabled: false })
      .first()
    const focused = leave.and(this.page.locator(':focus'))
    while ((await this.stage.innerText().catch(() => '')) === before && (await leave.isVisible())) {
      const there = (await focused.count()) > 0
      await keyboard.press(there ? 'Enter' : 'Tab')
      if (there) return
    }
  }

  /** Play the first card with its key and Enter; without cards, draw some or, if that fails, end the turn. */
  async spend(): Promise<void> {
    const { keyboard } = this.page
    const [card] = await this.cards()
    const draws = this.page.getByRole('button', { name: /^Draw up to five/ })
    if (card !== undefined) {
      await keyboard.press('Escape') // undo a choice made with a number key meant for an earlier prompt
      await keyboard.press('1')
      await this.hand.getByRole('button', { name: card, exact: true, pressed: true }).waitFor()
      await keyboard.press('Enter')
      await this.card(card).waitFor({ state: 'detached' })
      return
    }
    const does = (await draws.isEnabled()) ? draws : this.endTurn
    await this.tabTo(does)
    await keyboard.press('Enter')
    await this.endTurn.waitFor({ state: 'hidden' })
  }
}
