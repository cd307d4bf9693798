import type { Locator } from 'playwright-core'
import type { Person } from '../../livehub.ts'
import type { TableWish } from '../../pages/home.ts'
import { beginAt, seatAt } from '../../seating.ts'
import { TablePage, Turns } from '../../pages/table.ts'

export const SUCKER = 'So Long Sucker'

/** The prompts that a seat may get. */
export type Asked = 'turn' | 'choose' | 'kill' | 'rescue' | 'continue'

/** A table of So Long Sucker. */
export class SuckerTable extends TablePage {
  get name(): string {
    return this.person.name
  }

  get piles(): Locator {
    return this.page.getByRole('group', { name: 'Piles', exact: true })
  }

  /** A pile by its number. */
  pile(number: number): Locator {
    return this.piles.getByRole('button', { name: new RegExp(`^Pile ${number},`) })
  }

  get newPile(): Locator {
    return this.piles.getByRole('button', { name: 'New pile', exact: true })
  }

  get hands(): Locator {
    return this.page.getByRole('region', { name: 'Chips', exact: true })
  }

  get row(): Locator {
    return this.page.getByRole('region', { name: 'Your secret row' })
  }

  /** That row in one line, for screens where it is not next to the piles. */
  get glance(): Locator {
    return this.page.getByRole('list', { name: 'Enemy and ally, at a glance' })
  }

  /** A line in the tray about what happened. */
  news(text: RegExp): Locator {
    return this.page.getByRole('main').getByText(text)
  }

  get trail(): Locator {
    return this.page.getByRole('region', { name: 'How the turn has moved' })
  }

  /** The region that shows how a round ended. */
  get winners(): Locator {
    return this.page.getByRole('region', { name: 'Winners', exact: true })
  }

  /** What somebody who has been eliminated reads about it. */
  get fallen(): Locator {
    return this.page.getByRole('region', { name: 'You were eliminated' })
  }

  get cards(): Locator {
    return this.page.getByRole('region', { name: 'Blackmail cards' })
  }

  /** The panel of an open rescue. */
  get rescue(): Locator {
    return this.page.getByRole('region', { name: 'A rescue', exact: true })
  }

  get over(): Locator {
    return this.page.getByRole('heading', {
      name: /^(You (win|share the win)!|.+ wins?( together)?|Nobody has won)$/,
    })
  }

  // --- the tray ---

  private slots(label: string): Locator {
    return this.page.getByRole('group', { name: label, exact: true })
  }

  /** The row of slots that answers this prompt. */
  prompted(kind: Asked): Locator {
    const rows = {
      turn: 'Your chips',
      choose: 'Who plays next',
      kill: 'Which chip dies',
      rescue: 'Which prisoner to give',
    } as const
    return kind === 'continue' ? this.button('Ready for the next round') : this.slots(rows[kind])
  }

  /** The chip of somebody's colour in the tray. */
  chip(kind: Exclude<Asked, 'choose' | 'continue'>, of: string): Locator {
    return this.prompted(kind).getByRole('button', { name: new RegExp(`^${of}’s chips: \\d+$`) })
  }

  receiver(of: string): Locator {
    return this.page
      .getByRole('group', { name: /^(Who plays next|Who gets it)$/ })
      .getByRole('button', { name: new RegExp(`^${of}, \\d+ chips?$`) })
  }

  prisoner(of: string): Locator {
    return this.slots('Your prisoners').getByRole('button', { name: new RegExp(`^${of}’s chips: \\d+$`) })
  }

  /** Choose a chip and a pile, and place the chip. */
  async place(of: string, where: number | 'new' = 'new'): Promise<void> {
    await this.press(this.chip('turn', of))
    await this.chip('turn', of).and(this.page.locator('[aria-pressed=true]')).waitFor()
    await this.press(where === 'new' ? this.newPile : this.pile(where))
    const does = this.button(where === 'new' ? 'Start a new pile' : `Place on pile ${where}`)
    await this.press(does)
    await does.waitFor({ state: 'hidden' })
  }

  /** Give the move once this seat is asked to. */
  async give(to: string): Promise<void> {
    await this.press(this.receiver(to))
    const does = this.button(`Give ${to} the turn`)
    await this.press(does)
    await does.waitFor({ state: 'hidden' })
  }

  /** The button that kills a chip of somebody's from a captured pile. */
  killing(of: string): Locator {
    const whose = of === this.person.name ? 'your own' : `${of}’s`
    return this.button(`Kill one of ${whose} chips`)
  }

  /** Kill a chip from a captured pile. */
  async kill(of: string): Promise<void> {
    await this.press(this.chip('kill', of))
    const does = this.killing(of)
    await this.press(does)
    await does.waitFor({ state: 'hidden' })
  }

  /** Refuse a rescue. */
  async refuse(): Promise<void> {
    await this.press(this.button('Refuse'))
    const does = this.button('Refuse now')
    await this.press(does)
    await does.waitFor({ state: 'hidden' })
  }

  /** A player whose chips may be killed or, if this seat has none of its own left, placed. */
  async anyChip(kind: 'turn' | 'kill'): Promise<string> {
    const label = await this.prompted(kind)
      .getByRole('button', { disabled: false })
      .first()
      .getAttribute('aria-label')
    return /^(.+)’s chips: \d+$/.exec(label ?? '')?.[1] ?? ''
  }

  /** The player with the fewest chips among those who may get the move. */
  async poorest(): Promise<string> {
    const labels = await this.prompted('choose')
      .getByRole('button', { disabled: false })
      .evaluateAll((found) => found.map((each) => each.getAttribute('aria-label') ?? ''))
    const held = labels.flatMap((label) => {
      const [, name, count] = /^(.+), (\d+) chips?$/.exec(label) ?? []
      return name === undefined || name === this.person.name ? [] : [{ name, count: Number(count) }]
    })
    return held.toSorted((one, other) => one.count - other.count)[0]?.name ?? ''
  }

  /** Press Tab until this element has focus. */
  async tabTo(what: Locator): Promise<void> {
    const focused = what.and(this.page.locator(':focus'))
    while ((await focused.count()) === 0) await this.page.keyboard.press('Tab')
  }
}

/** A table played with only the keyboard. */
export class KeyTable extends SuckerTable {
  readonly #names: readonly string[]

  /** `names` holds the names of all seats, in seat order. */
  constructor(person: Person, names: readonly string[]) {
    super(person)
    this.#names = names
  }

  /** Press the number key for somebody, or for their chips, in the tray. */
  async slot(of: string): Promise<void> {
    await this.page.keyboard.press(String(this.#names.indexOf(of) + 1))
  }

  /** Press Enter once this button is enabled, and wait until it is gone. */
  async enter(does: Locator): Promise<void> {
    await does.and(this.page.locator(':enabled')).waitFor()
    await this.page.keyboard.press('Enter')
    await does.waitFor({ state: 'hidden' })
  }

  async #aim(of: string, where: number | 'new'): Promise<Locator> {
    await this.prompted('turn').waitFor()
    await this.slot(of)
    if (where === 'new') await this.page.keyboard.press('0')
    else {
      const labels = await this.piles
        .getByRole('button')
        .evaluateAll((found) => found.map((each) => each.getAttribute('aria-label') ?? ''))
      for (let step = labels.findIndex((label) => label.startsWith(`Pile ${where},`)); step >= 0; step -= 1)
        await this.page.keyboard.press('ArrowRight')
    }
    return this.button(where === 'new' ? 'Start a new pile' : `Place on pile ${where}`)
  }

  override async place(of: string, where: number | 'new' = 'new'): Promise<void> {
    await this.enter(await this.#aim(of, where))
  }

  override async give(to: string): Promise<void> {
    await this.prompted('choose').waitFor()
    await this.slot(to)
    await this.enter(this.button(`Give ${to} the turn`))
  }

  override async kill(of: string): Promise<void> {
    await this.prompted('kill').waitFor()
    await this.slot(of)
    await this.enter(this.killing(of))
  }

  override async refuse(): Promise<void> {
    await this.prompted('rescue').waitFor()
    await this.page.keyboard.press('k')
    await this.enter(this.button('Refuse now'))
  }
}

/** A waiting table created by the first of these people, with all of them seated in this order. */
export function seated(
  people: readonly Person[],
  wish: TableWish = {},
): Promise<{ tables: SuckerTable[]; code: string }> {
  return seatAt(SuckerTable, 'sucker', people, { seats: Math.max(4, people.length), ...wish })
}

/** A table whose game has begun, with these people seated in this order and bots in the free seats. */
export function opened(
  people: readonly Person[],
  wish: TableWish = {},
): Promise<{ tables: SuckerTable[]; code: string }> {
  return beginAt(SuckerTable, 'sucker', people, { seats: Math.max(4, people.length), ...wish })
}

/** The tables in seat order, starting with whoever begins. */
export async function fromFirst(tables: readonly SuckerTable[]): Promise<readonly SuckerTable[]> {
  const at = tables.indexOf(await new Turns(tables, (table) => table.prompted('turn')).next())
  return [...tables.slice(at), ...tables.slice(0, at)]
}

/** A seat that makes these moves, at a page or without one. */
interface Seat {
  readonly name: string
  place(of: string): Promise<void>
  give(to: string): Promise<void>
}

/** The roles of the tables in the run-up to a rescue. `Other` is who needs no page for it. */
export interface Roles<Other extends Seat = SuckerTable> {
  /** Places all its chips and needs a rescue. */
  readonly a: Other
  /** Has also placed all its chips. */
  readonly b: Other
  /** Captures a pile and holds a chip of `a` as a prisoner. */
  readonly c: SuckerTable
  /** Has done nothing. */
  readonly d: Other
}

/**
 * Take four tables, one of them `c`, to an open rescue: C captures a pile and takes one of A's chips, then A
 * and B give each other the move until both have placed all their chips. `inspect` is called when C is about
 * to kill and before each of A's turns; `move` makes C's only move in between, which by default begins a pile
 * and gives A the move.
 */
export async function toRescue(
  tables: readonly SuckerTable[],
  c: SuckerTable,
  inspect?: (turn: number, roles: Roles) => Promise<void>,
  move?: (roles: Roles) => Promise<void>,
): Promise<Roles> {
  const order = await fromFirst(tables)
  const [a, b, d] = order.filter((table) => table !== c)
  if (a === undefined || b === undefined || d === undefined) throw new Error('a rescue takes four tables')
  const roles = { a, b, c, d }
  await rescueNeeded(roles, order[0] === c, inspect, move)
  return roles
}

/** The same with these roles; `begins`: C has the first move, rather than A. */
export async function rescueNeeded<Other extends Seat>(
  roles: Roles<Other>,
  begins: boolean,
  inspect?: (turn: number, roles: Roles<Other>) => Promise<void>,
  move?: (roles: Roles<Other>) => Promise<void>,
): Promise<void> {
  const { a, b, c } = roles
  const [A, B, C] = [a.name, b.name, c.name] as const
  if (begins) {
    await c.place(C)
    await c.give(A)
  }
  await a.place(A)
  await a.give(C)
  const pile = begins ? 2 : 1
  await c.place(C, pile)
  await c.give(B)
  await b.place(B)
  await b.give(C)
  await c.place(C, pile)
  await inspect?.(0, roles)
  await c.kill(C)
  if (move === undefined) {
    await c.place(C)
    await c.give(A)
  } else await move(roles)
  for (let turn = 1; turn <= 6; turn += 1) {
    await inspect?.(turn, roles)
    await a.place(A)
    await a.give(B)
    await b.place(B)
    await b.give(A)
  }
  await c.rescue.waitFor()
}

/**
 * Have the four players put chips on one pile in turn. The fourth chip makes it full; from then on each chip
 * earns a blackmail card.
 */
export async function piledUp(order: readonly SuckerTable[], chips: number): Promise<void> {
  for (let turn = 0; turn < chips; turn += 1) {
    const table = order[turn % order.length]
    await table?.place(table.person.name, turn === 0 ? 'new' : 1)
    if (turn < 2) await table?.give(order[turn + 1]?.person.name ?? '')
  }
}

/**
 * Play until the round is over: whoever is asked begins new piles, kills any chip, gives the move to whoever
 * has the fewest chips, and refuses rescues.
 */
export async function playOut(tables: readonly SuckerTable[]): Promise<void> {
  const turns = new Turns(tables, (each) =>
    each
      .prompted('turn')
      .or(each.prompted('kill'))
      .or(each.prompted('choose'))
      .or(each.prompted('rescue'))
      .or(each.prompted('continue'))
      .or(each.over),
  )
  for (;;) {
    const table = await turns.next()
    if (await table.prompted('turn').isVisible()) {
      const own = table.chip('turn', table.person.name)
      await table.place(
        (await own.count()) > 0 && (await own.isEnabled()) ? table.person.name : await table.anyChip('turn'),
      )
    } else if (await table.prompted('kill').isVisible()) await table.kill(await table.anyChip('kill'))
    else if (await table.prompted('choose').isVisible()) await table.give(await table.poorest())
    else if (await table.prompted('rescue').isVisible()) await table.refuse()
    else return
  }
}
