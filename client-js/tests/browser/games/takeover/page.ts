import type { Locator } from 'playwright-core'
import type { Person } from '../../livehub.ts'
import type { TableWish } from '../../pages/home.ts'
import { beginAt, seatAt } from '../../seating.ts'
import { TablePage, Turns } from '../../pages/table.ts'

export const TAKEOVER = 'Takeover'
export const SHOWN = { 'Industries in the draft': 'Shown' } as const
export const FACES = { 'What others see of your coins': 'The upper sides' } as const

const COLUMNS = 6
const SUITS = ['Suns', 'Moons', 'Crowns', 'Arms']

/** A corporation, as described by its square's label. */
interface Corporation {
  readonly square: number
  readonly coin: string
  readonly suit: string
  readonly value: number
  readonly own: boolean
}

/** Two corporations whose positions on the grid allow a merger. */
export interface Pair {
  readonly source: Corporation
  readonly onto: Corporation
  readonly cost: number
  readonly touch: boolean
}

function labelsOf(what: Locator): Promise<string[]> {
  return what.evaluateAll((found) => found.map((each) => each.getAttribute('aria-label') ?? ''))
}

/** A table of Takeover. */
export class TakeoverTable extends TablePage {
  get grid(): Locator {
    return this.page.getByRole('grid', { name: 'The grid of companies' })
  }

  get draftTable(): Locator {
    return this.page.getByRole('grid', { name: 'Coins on the table' })
  }

  get hand(): Locator {
    return this.page.getByRole('region', { name: 'Your coins' })
  }

  /** The region with the public information about each player. */
  get players(): Locator {
    return this.page.getByRole('region', { name: 'Players' })
  }

  get hands(): Locator {
    return this.page.getByRole('region', { name: 'Everybody’s coins' })
  }

  get over(): Locator {
    return this.page.getByRole('heading', { name: /( wins| win together|^You (win|share the win)!)$/ })
  }

  // --- the prompts for this seat ---

  get take(): Locator {
    return this.page.getByRole('button', { name: /^Take( |$)/ })
  }

  get lock(): Locator {
    return this.page.getByRole('button', { name: /^Lock/ })
  }

  get unlock(): Locator {
    return this.button('Unlock')
  }

  get pass(): Locator {
    return this.page.getByRole('button', { name: /^Pass/ })
  }

  get merge(): Locator {
    return this.page.getByRole('button', { name: /^Merge/ })
  }

  // --- the draft ---

  /** Take a coin of any value that is left, or any coin that is left if suits are shown. */
  async pick(): Promise<void> {
    const left = this.draftTable.getByRole('gridcell', { disabled: false })
    await this.press(left.last())
    const does = this.page.getByRole('button', { name: /^Take .*\d$/ })
    await this.press(does)
    await does.waitFor({ state: 'hidden' })
  }

  // --- the flips ---

  /** One of this seat's coins. */
  coin(name: string | RegExp): Locator {
    return this.hand.getByRole('button', { name })
  }

  async coins(): Promise<string[]> {
    const labels = await labelsOf(this.hand.getByRole('button'))
    return labels.map((label) => label.replace(/: (stock|cash)$/, ''))
  }

  /** Mark these coins as stocks, and wait until the hub has received each mark. */
  async mark(...names: string[]): Promise<void> {
    for (const name of names) {
      await this.press(this.coin(name))
      await this.hand.getByRole('button', { name, pressed: true }).waitFor()
    }
  }

  // --- play ---

  square(coin: string): Locator {
    return this.grid.getByRole('gridcell', { name: new RegExp(`^${coin},`) })
  }

  async corporations(): Promise<Corporation[]> {
    const labels = await labelsOf(this.grid.getByRole('gridcell'))
    return labels.flatMap((label, square) => {
      const [coin, suit = '', value] = /^(\w+) (\d)(?=,)/.exec(label) ?? []
      return coin === undefined
        ? []
        : [{ square, coin, suit, value: Number(value), own: label.includes('your stock') }]
    })
  }

  /** All pairs that touch or share a row or column, cheapest first. */
  async pairs(): Promise<Pair[]> {
    const all = await this.corporations()
    const found = all.flatMap((source) =>
      all.flatMap((onto) => {
        const across = Math.abs((source.square % COLUMNS) - (onto.square % COLUMNS))
        const down = Math.abs(Math.floor(source.square / COLUMNS) - Math.floor(onto.square / COLUMNS))
        if (source === onto || (across > 0 && down > 0)) return []
        return [
          { source, onto, cost: source.suit === onto.suit ? 0 : onto.value, touch: across + down === 1 },
        ]
      }),
    )
    return found.toSorted(
      (one, other) =>
        one.cost - other.cost || SUITS.indexOf(one.source.suit) - SUITS.indexOf(other.source.suit),
    )
  }

  /** Two corporations that neither touch nor share a row or column. */
  async askew(): Promise<readonly [string, string]> {
    const [one, ...others] = await this.corporations()
    const other = others.find(
      ({ square }) =>
        square % COLUMNS !== (one?.square ?? 0) % COLUMNS &&
        Math.floor(square / COLUMNS) !== Math.floor((one?.square ?? 0) / COLUMNS),
    )
    if (one === undefined || other === undefined) throw new Error('all corporations are in one line')
    return [one.coin, other.coin]
  }

  /** Choose two corporations, so that the tray says what their merger would do. */
  async aim(pair: Pair | undefined): Promise<void> {
    if (pair === undefined) throw new Error('there is no such pair')
    const { source, onto } = pair
    await this.press(this.square(source.coin))
    await this.grid
      .getByRole('gridcell', { name: new RegExp(`^${source.coin},.*moves`), selected: true })
      .waitFor()
    await this.press(this.square(onto.coin))
    await this.grid.getByRole('gridcell', { name: new RegExp(`^${onto.coin},`), selected: true }).waitFor()
  }

  /** Pass, and wait until the hub has accepted it. */
  async passOn(pass: () => Promise<void> = () => this.press(this.pass)): Promise<void> {
    const turn = await this.stage.getByText(/^Turn \d+:/).innerText()
    await pass()
    await this.stage.getByText(turn, { exact: true }).waitFor({ state: 'hidden' })
  }

  /** Press Tab until this element has focus. */
  async tabTo(what: Locator): Promise<void> {
    const focused = what.and(this.page.locator(':focus'))
    while ((await focused.count()) === 0) await this.page.keyboard.press('Tab')
  }

  /** Move into the grid with Tab, and to this corporation's square with the arrow keys. */
  async walk(coin: string): Promise<void> {
    await this.tabTo(this.grid.locator('[role=gridcell][tabindex="0"]'))
    const cells = this.grid.getByRole('gridcell')
    const from = await cells.evaluateAll((found) =>
      found.findIndex((each) => each === each.ownerDocument.activeElement),
    )
    const to = (await labelsOf(cells)).findIndex((label) => label.startsWith(`${coin},`))
    const [right, down] = [
      (to % COLUMNS) - (from % COLUMNS),
      Math.floor(to / COLUMNS) - Math.floor(from / COLUMNS),
    ]
    for (let step = 0; step < Math.abs(right); step += 1)
      await this.page.keyboard.press(right > 0 ? 'ArrowRight' : 'ArrowLeft')
    for (let step = 0; step < Math.abs(down); step += 1)
      await this.page.keyboard.press(down > 0 ? 'ArrowDown' : 'ArrowUp')
    await this.square(coin).and(this.page.locator(':focus')).waitFor()
  }

  /** Merge two corporations, and check that they are merged. */
  async mergeThem(pair: Pair): Promise<void> {
    await this.aim(pair)
    const ready = this.page.getByRole('button', { name: /^Merge, / })
    await this.press(ready)
    await this.square(pair.onto.coin).waitFor({ state: 'detached' })
  }
}

/** A waiting table created by the first of these people, with all of them seated in this order. */
export function seated(
  people: readonly Person[],
  wish: TableWish = {},
): Promise<{ tables: TakeoverTable[]; code: string }> {
  return seatAt(TakeoverTable, 'takeover', people, { seats: Math.max(2, people.length), ...wish })
}

/** A table whose game has begun, with these people seated in this order and bots in the free seats. */
export function opened(
  people: readonly Person[],
  wish: TableWish = {},
): Promise<{ tables: TakeoverTable[]; code: string }> {
  return beginAt(TakeoverTable, 'takeover', people, { seats: Math.max(2, people.length), ...wish })
}

/** Let whoever's turn it is act until somebody sees `until`; returns the number of turns. */
export async function inTurn(
  tables: readonly TakeoverTable[],
  prompted: (table: TakeoverTable) => Locator,
  until: (table: TakeoverTable) => Locator,
  act: (table: TakeoverTable, turn: number) => Promise<unknown>,
  asks?: string,
): Promise<number> {
  const turns = new Turns(tables, (table) => prompted(table).or(until(table)), asks)
  for (let turn = 0; turn <= 80; turn += 1) {
    const table = await turns.next()
    if (await until(table).first().isVisible()) return turn
    await act(table, turn)
  }
  throw new Error('this went on for too long')
}

/** Play the whole draft: everybody takes the most valuable remaining coin. */
export async function drafted(
  tables: readonly TakeoverTable[],
  before: (table: TakeoverTable, pick: number) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await inTurn(
    tables,
    (table) => table.take,
    (table) => table.lock,
    async (table, pick) => {
      await before(table, pick)
      await table.pick()
    },
  )
}

/** Skip to the play phase, with each player's two most valuable coins as cash and all others as stocks. */
export async function inPlay(tables: readonly TakeoverTable[]): Promise<void> {
  await drafted(tables)
  for (const table of tables) {
    const coins = (await table.coins()).toSorted((one, other) => valueIn(other) - valueIn(one))
    for (const coin of coins.slice(2)) await table.press(table.coin(coin))
    await table.page.getByRole('button', { name: `Lock ${coins.length - 2} stocks` }).waitFor()
    await table.press(table.lock)
  }
  await Promise.all(tables.map((table) => table.stageIs(/^(Merge or pass|.*’s turn)$/).waitFor()))
}

/** The value that a coin's label names; 0 without one. */
export function valueIn(label: string): number {
  return Number(/\d/.exec(label)?.[0] ?? 0)
}
