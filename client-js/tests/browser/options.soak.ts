/**
 * Every pair of options and numbers of seats, seen by a watcher from the first position to the result.
 *
 * The tables are made over HTTP and played by bots that do not ponder. The host's seat waits for the page.
 */
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import WebSocket from 'ws'
import { Api, Table, type OpenSocket, type Sections, type Wire } from '../../src/sdk/index.ts'
import { Hub, printed, QUICK } from '../hub.ts'
import { scene, type House, type Person } from './house.ts'
import { SharesTable } from './pages/shares.ts'
import { SubdivisionTable } from './pages/subdivision.ts'
import { SuckerTable } from './pages/sucker.ts'
import { TakeoverTable } from './pages/takeover.ts'

/** Almost is left out: fifty rounds at ten seats take longer than all others together. */
type Key = Exclude<keyof Wire.Games, 'almost'>

interface Setting {
  readonly game: Key
  readonly seats: number
  readonly options: Readonly<Record<string, unknown>>
}

/** Parts of a picture, and how many the hub has told of. */
type Drawn = readonly [parts: Locator, told: number]

interface Watched {
  /** What is seen of the first position. */
  readonly board: Locator
  readonly first: (told: Sections) => Drawn
  /** What is seen when all is over. */
  readonly over: Locator
  readonly last: (told: Sections) => Drawn
}

/** Of a section that must be there by now. */
function there<Data>(data: Data | undefined): Data {
  if (data === undefined) throw new Error('the hub has not told of this')
  return data
}

const GAMES: { readonly [Game in Key]: (person: Person, seats: number) => Watched } = {
  shares: (person, seats) => {
    const table = new SharesTable(person)
    return {
      board: table.towers,
      first: (told: Sections<'shares'>) => [
        table.towers.getByRole('button'),
        there(told.towers).companies.length,
      ],
      over: table.over,
      // a row for each company on each tracker, and each seat's own part of the list
      last: (told: Sections<'shares'>) => [
        table.trackers.getByRole('listitem'),
        seats * (1 + there(told.reckoning).companies.length),
      ],
    }
  },
  subdivision: (person, seats) => {
    const table = new SubdivisionTable(person)
    return {
      board: table.board,
      first: (told: Sections<'subdivision'>) => [
        table.board.getByRole('gridcell'),
        there(told.board).squares.length,
      ],
      over: person.page.getByRole('figure', { name: 'The board at the end' }),
      last: () => [table.totals.getByRole('rowheader'), seats],
    }
  },
  sucker: (person, seats) => {
    const table = new SuckerTable(person)
    return {
      board: table.piles,
      first: () => [table.hands.getByRole('listitem'), seats],
      over: table.over,
      // its title, the secret rows and the blackmail cards of the last round
      last: (told: Sections<'sucker'>) => {
        const result = there(there(told.match).results.at(-1))
        return [
          table.winners.getByRole('heading', { level: 2 }).or(table.winners.getByRole('listitem')),
          1 + result.rows.filter((row) => row.length > 0).length + result.deck.length,
        ]
      },
    }
  },
  takeover: (person, seats) => {
    const table = new TakeoverTable(person)
    return {
      board: table.draftTable,
      // a square for each value, or for each coin where suits are shown
      first: (told: Sections<'takeover'>) => [
        table.draftTable.getByRole('gridcell'),
        there(told.draft).coins === null ? 6 : 24,
      ],
      over: table.over,
      last: (told: Sections<'takeover'>) => [
        table.hands.getByRole('listitem'),
        seats + there(told.reckoning).hands.flat().length,
      ],
    }
  },
}
/** Tables looked at side by side. */
const PAGES = 3
const open: OpenSocket = (url, subprotocol) => new WebSocket(url, subprotocol) as never

let hub: Hub

beforeAll(async () => {
  hub = await Hub.start(QUICK)
})
afterAll(async () => {
  await hub.close()
})

/** A game of bots, begun; the host's seat waits. The hardest level thinks for longest, and shows nothing more. */
async function begin(
  { game, seats, options }: Setting,
  level: number,
): Promise<{ code: string; host: Table }> {
  const api = new Api(hub.url)
  const levels = (await api.games()).find(({ key }) => key === game)?.bots ?? []
  api.as((await api.makePerson('Host', 3)).token)
  const place = await api.makeRoom({
    game,
    seats,
    options,
    open: false,
    play_now: true,
    bots: levels[level % (levels.length - 1)] ?? '',
  })
  const host = new Table({ url: place.socket, ticket: place.ticket, open, resume: null })
  host.connect()
  await until(host, (state) => state.seen)
  return { code: place.code, host }
}

function until(table: Table, holds: (state: Table['state']) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const peek = (state: Table['state']): void => {
      if (!holds(state)) return
      unsubscribe()
      resolve()
    }
    const unsubscribe = table.subscribe(peek)
    peek(table.state)
  })
}

async function seen([parts, told]: Drawn): Promise<void> {
  await parts.first().waitFor({ state: 'attached' })
  expect(await parts.count()).toBe(told)
}

async function watch(person: Person, setting: Setting, level: number): Promise<void> {
  const { code, host } = await begin(setting, level)
  const watched = GAMES[setting.game](person, setting.seats)
  try {
    await person.go(`/t/${code}`)
    await watched.board.waitFor()
    await seen(watched.first(host.state.sections as Sections))
    expect((await host.manage({ do: 'stand_in' })).code).toBeNull()
    await watched.over.waitFor()
    await until(host, ({ sections }) => (sections as Sections).result !== undefined)
    await seen(watched.last(host.state.sections as Sections))
    expect(person.trouble).toEqual([])
  } catch (error) {
    throw new Error(`at ${JSON.stringify(setting)}`, { cause: error })
  } finally {
    host.leave()
  }
}

/** More rounds show what fewer show, for several times as long. */
function shorter(setting: Setting): Setting {
  const { game, options } = setting
  if (game === 'shares') return { ...setting, options: { ...options, rounds: '5' } }
  return options.rounds === 10 ? { ...setting, options: { ...options, rounds: 2 } } : setting
}

/** All of these tables, a few at a time. */
async function watchAll(house: House, game: Key): Promise<void> {
  const settings = printed('tests.games.tables', game).map((line) => shorter(JSON.parse(line) as Setting))
  const left = settings.entries()
  const watchers = Array.from({ length: PAGES }, async (_, index) => {
    const person = await house.person(`Dee ${index + 1}`, {}, hub)
    for (const [turn, setting] of left) await watch(person, setting, turn)
  })
  await Promise.all(watchers)
}

for (const game of Object.keys(GAMES) as Key[])
  scene(`every pair of options: ${game}`, (house) => watchAll(house, game))
