import type { Locator } from 'playwright-core'
import type { Person } from '../../livehub.ts'
import type { TableWish } from '../../pages/home.ts'
import { beginAt, seatAt } from '../../seating.ts'
import { TablePage, Turns } from '../../pages/table.ts'

export const SUBDIVISION = 'Subdivision'
export const THREE_HOUSE = { Pyramids: '9 each (ThreeHouse)' } as const
export const IN_TURN = { Parks: 'Placed by the players' } as const

/** The layout of the squares in the board's picture, in the picture's units. */
const [UNIT, STRIP, EDGE] = [100, 32, 5]

export type Pips = 1 | 2 | 3

function squaresOf(cells: Locator): Promise<string[]> {
  return cells.evaluateAll((found) =>
    found.map((each) => (each.getAttribute('aria-label') ?? '').slice(0, 2)),
  )
}

/** A table of Subdivision. */
export class SubdivisionTable extends TablePage {
  get board(): Locator {
    return this.page.getByRole('grid', { name: /^The board/ })
  }

  /** The button that chooses a size; it exists only while this seat has to place a pyramid. */
  size(pips: Pips): Locator {
    return this.page
      .getByRole('group', { name: 'Size' })
      .getByRole('button', { name: new RegExp(`^Size ${pips}:`) })
  }

  get place(): Locator {
    return this.page.getByRole('button', { name: /^Place \d on [a-h]\d/ })
  }

  get park(): Locator {
    return this.page.getByRole('button', { name: /^Place a park on/ })
  }

  get over(): Locator {
    return this.page.getByRole('heading', { name: /( wins| win together|^You (win|share the win)!)$/ })
  }

  get totals(): Locator {
    return this.page.getByRole('region', { name: 'Totals' })
  }

  /** Shown while this seat is asked for a park and has not chosen a square yet. */
  get prompted(): Locator {
    return this.page.getByText('Choose a square for the park', { exact: true })
  }

  /** Shown while another seat is asked for a park. */
  get waits(): Locator {
    return this.page.getByText(/^\w+ is choosing\.$/)
  }

  /** Shown on this seat's turn until it has placed a pyramid. */
  get myTurn(): Locator {
    return this.page.getByRole('group', { name: 'Size' })
  }

  async pick(pips: Pips): Promise<boolean> {
    const button = this.size(pips)
    if ((await button.getAttribute('aria-disabled')) === 'true') return false
    await this.press(button)
    await this.page.getByRole('button', { name: new RegExp(`^Size ${pips}:`), pressed: true }).waitFor()
    return true
  }

  /** The names of the squares on which the chosen size fits, or a park may be placed. */
  async fitting(): Promise<string[]> {
    return squaresOf(this.board.getByRole('gridcell', { name: /: free, (a \d fits|may become a park)$/ }))
  }

  /** Tap or click a square at its position on the screen. */
  async tap(square: string): Promise<void> {
    const rows = await this.board.getByRole('row').count()
    const box = await this.board.boundingBox()
    if (box === null) throw new Error('the board is not visible')
    const scale = box.width / (STRIP + rows * UNIT + EDGE)
    const column = 'abcdefgh'.indexOf(square[0] ?? '')
    const row = rows - Number(square[1])
    const position = { x: (STRIP + (column + 0.5) * UNIT) * scale, y: (EDGE + (row + 0.5) * UNIT) * scale }
    if (this.onPhone) await this.board.tap({ position })
    else await this.board.click({ position })
  }

  private get onPhone(): boolean {
    return (this.page.viewportSize()?.width ?? 1000) < 600
  }

  /** Move with the arrow keys from the chosen square to this one. */
  async walk(square: string): Promise<void> {
    const chosen = this.board.getByRole('gridcell', { selected: true })
    await chosen.waitFor({ state: 'attached' })
    const at = (await chosen.getAttribute('aria-label')) ?? ''
    const right = square.charCodeAt(0) - at.charCodeAt(0)
    const up = Number(square[1]) - Number(at[1])
    for (let step = 0; step < Math.abs(right); step += 1)
      await this.page.keyboard.press(right > 0 ? 'ArrowRight' : 'ArrowLeft')
    for (let step = 0; step < Math.abs(up); step += 1)
      await this.page.keyboard.press(up > 0 ? 'ArrowUp' : 'ArrowDown')
    await this.board
      .getByRole('gridcell', { selected: true, name: new RegExp(`^${square}:`) })
      .waitFor({ state: 'attached' })
  }

  /**
   * The first of these squares with the most free squares around it: a 3 there keeps its owner's other 3s off
   * the most squares.
   */
  private async widest(squares: readonly string[]): Promise<string> {
    const free = await squaresOf(this.board.getByRole('gridcell', { name: /: free/ }))
    const near = (one: string, other: string): boolean =>
      one !== other && [0, 1].every((at) => Math.abs(one.charCodeAt(at) - other.charCodeAt(at)) <= 1)
    const around = (square: string): number => free.filter((other) => near(square, other)).length
    return squares.toSorted((one, other) => around(other) - around(one))[0] ?? ''
  }

  /**
   * Place one pyramid: the first of these sizes that fits anywhere, on the first square, or where it takes up
   * the most room.
   */
  async build(order: readonly Pips[] = [3, 2, 1], { wide = false } = {}): Promise<string> {
    for (const pips of order) {
      if (!(await this.pick(pips))) continue
      const squares = await this.fitting()
      const square = wide && pips === 3 ? await this.widest(squares) : (squares[0] ?? '')
      await this.tap(square)
      const does = this.button(new RegExp(`^Place ${pips} on ${square}`))
      await does.waitFor()
      await this.press(does)
      await does.waitFor({ state: 'hidden' })
      return `${pips} on ${square}`
    }
    throw new Error('it is this seat’s turn, and nothing fits')
  }

  async setPark(): Promise<void> {
    await this.prompted.or(this.park).first().waitFor()
    const [square = ''] = await this.fitting()
    await this.tap(square)
    await this.press(this.park)
    await this.park.waitFor({ state: 'hidden' })
  }

  /** The contents of every square, and every total. */
  async results(): Promise<string> {
    return `${await this.board.ariaSnapshot()}\n${await this.totals.ariaSnapshot()}`.replaceAll(
      ' [selected]',
      '',
    )
  }
}

/** A waiting table created by the first of these people, with all of them seated in this order. */
export function seated(
  people: readonly Person[],
  wish: TableWish = {},
): Promise<{ tables: SubdivisionTable[]; code: string }> {
  return seatAt(SubdivisionTable, 'subdivision', people, { seats: Math.max(2, people.length), ...wish })
}

/** A table whose game has begun, with these people seated in this order and bots in the free seats. */
export function built(
  people: readonly Person[],
  wish: TableWish = {},
): Promise<{ tables: SubdivisionTable[]; code: string }> {
  return beginAt(SubdivisionTable, 'subdivision', people, { seats: Math.max(2, people.length), ...wish })
}

/** Have the two players take turns placing this many parks. */
export async function parksSet(one: SubdivisionTable, other: SubdivisionTable, count: number): Promise<void> {
  await one.prompted.or(one.park).or(one.waits).first().waitFor()
  const begins = (await one.waits.isVisible()) ? 1 : 0
  for (let set = 0; set < count; set += 1) await ((set + begins) % 2 === 0 ? one : other).setPark()
}

/** Let whoever's turn it is act until the game is over; returns the number of turns. */
export async function playOn(
  tables: readonly SubdivisionTable[],
  act: (table: SubdivisionTable) => Promise<unknown>,
): Promise<number> {
  const due = new Turns(tables, (table) => table.myTurn.or(table.over))
  for (let turns = 0; turns <= 80; turns += 1) {
    const table = await due.next()
    if (await table.over.isVisible()) return turns
    await act(table)
  }
  throw new Error('this game went on for too long')
}
