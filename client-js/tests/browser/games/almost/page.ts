import type { Locator } from 'playwright-core'
import type { LiveHub, Person } from '../../livehub.ts'
import type { TableWish } from '../../pages/home.ts'
import { beginAt, seatAt } from '../../seating.ts'
import { TablePage } from '../../pages/table.ts'

/** A table of Almost or Banbury. */
export class AlmostTable extends TablePage {
  get readyToBid(): Locator {
    return this.page.getByRole('button', { name: /^I am ready to pick/ })
  }

  get goOn(): Locator {
    return this.button('Continue')
  }

  get pad(): Locator {
    return this.page.getByRole('group', { name: 'Your number' })
  }

  get entry(): Locator {
    return this.pad.getByRole('textbox')
  }

  get unlock(): Locator {
    return this.button('Unlock')
  }

  get over(): Locator {
    return this.page.getByText('The game is over', { exact: true }).first()
  }

  get pastBids(): Locator {
    return this.page.getByRole('table')
  }

  key(number: number): Locator {
    return this.pad.getByRole('button', { name: String(number), exact: true })
  }

  /** The key for this number, in its chosen state. */
  chosen(number: number): Locator {
    return this.pad.getByRole('button', { name: String(number), exact: true, pressed: true })
  }

  lock(number: number): Locator {
    return this.button(`Lock ${number.toLocaleString('en')}`)
  }

  locked(number: number): Locator {
    return this.page.getByText(`Locked: ${number.toLocaleString('en')}`, { exact: true })
  }

  get revealed(): Locator {
    return this.stageIs('The numbers are out')
  }

  /** Choose and lock. The last player to lock never sees "Locked": the numbers are revealed immediately. */
  async bid(number: number): Promise<void> {
    await this.press(this.key(number))
    await this.press(this.lock(number))
    await this.locked(number).or(this.revealed).first().waitFor()
  }

  /** Type any number, in Banbury. */
  async enter(number: number): Promise<void> {
    await this.entry.fill(String(number))
    await this.press(this.lock(number))
    await this.locked(number).or(this.revealed).first().waitFor()
  }

  async round(number: number): Promise<void> {
    await this.stage.getByText(new RegExp(`^Round ${number} of`)).waitFor()
  }

  /** The rounds so far, read from the table of past bids. */
  async results(): Promise<string> {
    return this.pastBids.ariaSnapshot()
  }
}

/** A waiting table created by the first of these people, with all of them seated in this order. */
export function seated(
  people: readonly Person[],
  wish: TableWish = {},
): Promise<{ tables: AlmostTable[]; code: string }> {
  return seatAt(AlmostTable, 'almost', people, { seats: Math.max(3, people.length), ...wish })
}

/** A table whose game has begun, with bots in the free seats. */
export function begun(
  people: readonly Person[],
  wish: TableWish = {},
): Promise<{ tables: AlmostTable[]; code: string }> {
  return beginAt(AlmostTable, 'almost', people, { seats: Math.max(3, people.length), ...wish })
}

/** A table with this person and two bots. */
export async function alone(
  liveHub: LiveHub,
  wish: TableWish & { person?: Person } = {},
): Promise<{ person: Person; table: AlmostTable; code: string }> {
  const person = wish.person ?? (await liveHub.person('Ann'))
  const { tables, code } = await begun([person], wish)
  return { person, table: tables[0] as AlmostTable, code }
}
