/**
 * Games that cover every pair of options and seat counts, watched from the first position to the result.
 *
 * The tables are created over HTTP and played by bots that do not ponder. The host's seat waits for the page.
 */
import { afterAll, beforeAll, expect } from 'vitest'
import WebSocket from 'ws'
import { Api, Table, type OpenSocket, type Sections } from '../../src/sdk/index.ts'
import { Hub, printed, QUICK } from '../hub.ts'
import { scene, type LiveHub, type Person } from './livehub.ts'
import type { Drawn, Visit } from './visit.ts'
import { VISITS } from './visits.ts'

interface Setting {
  readonly game: string
  readonly seats: number
  readonly options: Readonly<Record<string, unknown>>
}

type Watch = NonNullable<Visit['watch']>

/** The number of tables watched at the same time. */
const PAGES = 3
const open: OpenSocket = (url, subprotocol) => new WebSocket(url, subprotocol) as never

let hub: Hub

beforeAll(async () => {
  hub = await Hub.start(QUICK)
})
afterAll(async () => {
  await hub.close()
})

/**
 * Begin a game between bots, in which the host's seat waits. The hardest level is left out because it thinks
 * longest and shows nothing new.
 */
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
  return { code: place.room, host }
}

function until(table: Table, holds: (state: Table['state']) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = (state: Table['state']): void => {
      if (!holds(state)) return
      unsubscribe()
      resolve()
    }
    const unsubscribe = table.subscribe(check)
    check(table.state)
  })
}

async function seen([parts, count]: Drawn): Promise<void> {
  await parts.first().waitFor({ state: 'attached' })
  expect(await parts.count()).toBe(count)
}

async function watch(person: Person, watches: Watch, setting: Setting, level: number): Promise<void> {
  const { code, host } = await begin(setting, level)
  const watched = watches(person, setting.seats)
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

/** Watch all tables of a game, a few at a time. */
async function watchAll(liveHub: LiveHub, game: string, watches: Watch, { shorter }: Visit): Promise<void> {
  const settings = printed('tests.games.tables', game).map((line) => {
    const setting = JSON.parse(line) as Setting
    return shorter === undefined ? setting : { ...setting, options: shorter(setting.options) }
  })
  const left = settings.entries()
  const watchers = Array.from({ length: PAGES }, async (_, index) => {
    const person = await liveHub.person(`Dee ${index + 1}`, {}, hub)
    for (const [turn, setting] of left) await watch(person, watches, setting, turn)
  })
  await Promise.all(watchers)
}

for (const [game, visit] of VISITS) {
  const { watch: watches } = visit
  if (watches !== undefined)
    scene(`every pair of options: ${game}`, (liveHub) => watchAll(liveHub, game, watches, visit))
}
