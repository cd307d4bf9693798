/**
 * Seats people at a new table through the hub's API, and only then loads their pages: that takes a third of the time
 * that forms and the waiting room would, and these have tests of their own.
 */
import { readFileSync } from 'node:fs'
import { Api, type NewRoom, type Wire } from '../../src/sdk/index.ts'
import { JOINED, PERSON } from '../../src/app/early.ts'
import { Companion, makeRoom } from './companion.ts'
import type { Address, Person } from './livehub.ts'
import type { TableWish } from './pages/home.ts'
import type { TablePage } from './pages/table.ts'

type Game = keyof Wire.Games
type TableOf<Page extends TablePage> = new (person: Person) => Page

const DELAY = 'Spectators see the game'
const DELAYS: Readonly<Record<string, NewRoom['watch_delay']>> = {
  live: 'none',
  '30 seconds late': '30s',
  '2 minutes late': '2min',
  '10 minutes late': '10min',
  'after each round': 'round',
}
const OPEN = 'Open to everybody'
const WITHOUT_SEAT = 'Host on this screen without playing'
/** The seats that the form and *Play now* offer first. */
const SEATS: Readonly<Record<Game, number>> = { almost: 5, shares: 4, subdivision: 3, sucker: 4, takeover: 4 }

/**
 * A waiting table of the first of these people, with all of them seated in this order; their pages go there later.
 * Returns the table's name in links: the id of a private table, the code of an open one.
 */
export async function seatAll(game: Game, people: readonly Person[], wish: TableWish): Promise<string> {
  const [host, ...guests] = people
  if (host === undefined) throw new Error('a table needs a host')
  const { api, token } = await introduce(host)
  const { room, code } = await makeRoom(api, newRoom(game, wish))
  const name = wish.switchOn?.includes(OPEN) === true ? code : room
  await rememberTable(host, name, token, code)
  const first = wish.switchOn?.includes(WITHOUT_SEAT) === true ? 0 : 1
  for (const [index, guest] of guests.entries()) {
    const own = await introduce(guest)
    await own.api.sit(room, first + index)
    await rememberTable(guest, name, own.token, code)
  }
  return name
}

/** A waiting table created by the first of these people, with all of them seated in this order, on their pages. */
export async function seatAt<Page extends TablePage>(
  TableOf: TableOf<Page>,
  game: Game,
  people: readonly Person[],
  wish: TableWish,
): Promise<{ tables: Page[]; code: string }> {
  const name = await seatAll(game, people, wish)
  const tables = people.map((person) => new TableOf(person))
  await Promise.all(tables.map((table) => table.visit(name)))
  const [first, ...others] = tables
  await Promise.all([first?.start.waitFor(), ...others.map((table) => table.ready.waitFor())])
  return { tables, code: name }
}

/**
 * The same once the game has begun, with people without pages in the next seats and bots in the rest. All pages show
 * the stage.
 */
export async function beginAt<Page extends TablePage>(
  TableOf: TableOf<Page>,
  game: Game,
  people: readonly Person[],
  wish: TableWish,
  others: readonly string[] = [],
  hub?: Address,
): Promise<{ tables: Page[]; code: string; companions: Companion[] }> {
  const [host] = people
  if (host === undefined) throw new Error('a table needs a host')
  const name = await seatAll(game, people, wish)
  const companions = await Companion.sitAll(others, name, hub)
  const starter = await begin(host, name)
  const tables = people.map((each) => new TableOf(each))
  await Promise.all(tables.map((table) => table.visit(name)))
  await Promise.all(tables.map((table) => table.stage.waitFor()))
  starter.leave()
  return { tables, code: name, companions }
}

/** Begins the game of a host whose page is not there yet; returns the connection that stands in for it. */
export async function begin(host: Person, name: string): Promise<Companion> {
  const starter = await Companion.beside(host, name, { port: Number(new URL(host.page.url()).port) })
  await starter.manages({ do: 'start' })
  return starter
}

/** A game against bots that has begun, without clocks, as *Play now* starts it. */
export async function playAlone(person: Person, game: Game): Promise<void> {
  const { api, token } = await introduce(person)
  const alone = { ...newRoom(game, {}), options: { timers: 'off' }, play_now: true }
  const { room, code } = await makeRoom(api, alone)
  await rememberTable(person, room, token, code)
  await person.go(`/t/${room}`)
}

/** The page remembers who joined this table. */
function rememberTable({ page }: Person, name: string, token: string, code: string): Promise<void> {
  return page.evaluate(([key, rows]) => localStorage.setItem(key, rows), [
    JOINED,
    JSON.stringify([[name, token, code]]),
  ] as const)
}

/** This person's API; the page becomes theirs if it is nobody's yet. */
async function introduce({ page, name }: Person): Promise<{ api: Api; token: string }> {
  if (page.url() === 'about:blank') await page.goto('/healthz') // a page of the same origin without scripts
  const base = new URL(page.url()).origin
  const kept = await page.evaluate((key) => localStorage.getItem(key), PERSON)
  if (kept !== null) {
    const { token } = JSON.parse(kept) as { readonly token: string }
    return { api: new Api(base, token), token }
  }
  const person = await new Api(base).makePerson(name, 3)
  await page.evaluate(([key, text]) => localStorage.setItem(key, text), [
    PERSON,
    JSON.stringify(person),
  ] as const)
  return { api: new Api(base, person.token), token: person.token }
}

/** What the form for a new table would send for these choices. */
function newRoom(
  game: Game,
  { seats, choose = {}, switchOn = [], switchOff = [], numbers = {} }: TableWish,
): NewRoom {
  const { [DELAY]: delay, ...chosen } = choose
  const options = optionsOf(game)
  const named = (label: string): Option => {
    const option = options.find(({ title }) => title === label)
    if (option === undefined) throw new Error(`${game} has no option called ${label}`)
    return option
  }
  const words = Object.entries(chosen).map(([label, value]) => {
    const { key, values = {} } = named(label)
    const [word] = Object.entries(values).find(([, text]) => text === value) ?? []
    if (word === undefined) throw new Error(`${label} cannot be ${value}`)
    return [key, word] as const
  })
  const switches = (labels: readonly string[], on: boolean) =>
    labels
      .filter((label) => label !== OPEN && label !== WITHOUT_SEAT)
      .map((label) => [named(label).key, on] as const)
  return {
    game,
    seats: seats ?? SEATS[game],
    options: Object.fromEntries([
      ...words,
      ...switches(switchOn, true),
      ...switches(switchOff, false),
      ...Object.entries(numbers).map(([label, value]) => [named(label).key, value] as const),
    ]),
    open: switchOn.includes(OPEN),
    without_seat: switchOn.includes(WITHOUT_SEAT),
    play_now: false,
    bots: null,
    ...(delay !== undefined && { watch_delay: delayCalled(delay) }),
  }
}

function delayCalled(label: string): NonNullable<NewRoom['watch_delay']> {
  const delay = DELAYS[label]
  if (delay === undefined) throw new Error(`no delay is called ${label}`)
  return delay
}

interface Option {
  readonly key: string
  readonly title: string
  readonly values?: Readonly<Record<string, string>>
}

interface Catalogue {
  readonly options?: Readonly<Record<string, Omit<Option, 'key'>>>
}

/** A game's options as the catalogue names them in English. */
function optionsOf(game: Game): readonly Option[] {
  const read = <Content>(folder: string): Content =>
    JSON.parse(
      readFileSync(new URL(`../../../games/${folder}/texts/en.json`, import.meta.url), 'utf8'),
    ) as Content
  const own = read<Catalogue & { readonly kit: readonly string[] }>(game)
  const kit = read<Readonly<Record<string, Catalogue>>>('kit')
  return [own, ...own.kit.map((part) => kit[part])].flatMap((part) =>
    Object.entries(part?.options ?? {}).map(([key, option]) => ({ key, ...option })),
  )
}
