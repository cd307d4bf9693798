/** The SDK in Node against a real hub, used as another program would use it. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import {
  Api,
  ApiError,
  Table,
  type NewPlace,
  type OpenSocket,
  type Sections,
  type TableState,
} from '../../src/sdk/index.ts'
import { Hub, QUICK } from '../hub.ts'

const open: OpenSocket = (url, subprotocol) => new WebSocket(url, subprotocol) as never

let hub: Hub
const tables: Table[] = []

beforeAll(async () => {
  hub = await Hub.start(QUICK)
}, 60_000)
afterAll(async () => {
  for (const table of tables) table.leave()
  await hub.close()
}, 60_000)

async function person(name: string): Promise<Api> {
  const api = new Api(hub.url)
  api.as((await api.makePerson(name, 3)).token)
  return api
}

function sit(
  place: Pick<NewPlace, 'socket' | 'ticket'>,
  resume: { session: number; n: number } | null = null,
): Table {
  const table = new Table({ url: place.socket, ticket: place.ticket, open, resume })
  tables.push(table)
  table.connect()
  return table
}

/** The first state of a table that satisfies this condition. */
function when(
  table: Table,
  holds: (state: TableState, sections: Sections<'almost'>) => boolean,
): Promise<TableState> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () =>
        reject(
          new Error(`waited too long; last seen: ${JSON.stringify(table.state.sections).slice(0, 2_000)}`),
        ),
      30_000,
    )
    const check = (state: TableState): void => {
      if (!state.seen || !holds(state, state.sections as Sections<'almost'>)) return
      clearTimeout(late)
      unsubscribe()
      resolve(state)
    }
    const unsubscribe = table.subscribe(check)
    check(table.state)
  })
}

test('the hub names its games, and refuses in a way that can be shown', async () => {
  const api = await person('Ann')
  expect((await api.games()).map(({ key }) => key)).toContain('almost')
  await expect(api.room('BCDFGH')).rejects.toMatchObject({ status: 404, code: 'NO_SUCH_ROOM' })
  const nobody = new Api(hub.url)
  await expect(nobody.enter('BCDFGH')).rejects.toBeInstanceOf(ApiError)
})

test('a hub that is not there is an ApiError too', async () => {
  await expect(new Api('http://127.0.0.1:1').games()).rejects.toMatchObject({
    status: 0,
    code: 'UNREACHABLE',
  })
})

test('a whole game against bots: every choice the hub offers is taken from its sections', async () => {
  const api = await person('Ann')
  const place = await api.makeRoom({
    game: 'almost',
    seats: 3,
    options: {},
    open: false,
    play_now: true,
    bots: 'normal',
  })
  const table = sit(place)
  const choose = async (kind: string, move: Record<string, unknown>): Promise<void> => {
    const prompt = (table.state.sections as Sections).prompts?.prompts.find((each) => each.kind === kind)
    expect((await table.do(prompt?.id ?? '', move)).code).toBeNull()
  }
  for (const round of [1, 2]) {
    await when(table, (_, { stage }) => stage?.phase === 'discuss' && stage.round === round)
    await choose('ready', { move: 'ready' })
    await when(table, (_, { stage }) => stage?.phase === 'bid' && stage.round === round)
    await choose('bid', { move: 'lock', number: round })
    await when(table, (_, { stage }) => stage?.phase === 'reveal' && stage.round === round)
    await choose('continue', { move: 'continue' })
  }
  const over = await when(
    table,
    (_, { table: about, result }) => about?.status === 'finished' && result !== undefined,
  )
  expect(over.lines.map(([, key]) => key)).toContain('almost.revealed')
  const record = await fetch(api.recordUrl(place.room))
  expect(record.ok).toBe(true)
  expect(await api.record(place.room)).toBe(await record.text())
  expect((await table.manage({ do: 'close_watching', closed: true })).code).toBeNull()
  expect((await fetch(api.recordUrl(place.room))).status).toBe(401)
  expect(await api.record(place.room)).toContain('"parley_record":1')
  await expect((await person('Eve')).record(place.room)).rejects.toMatchObject({ code: 'RECORD_CLOSED' })
}, 60_000)

test('the same command twice counts once, also from the next page of the same instance', async () => {
  const api = await person('Ann')
  const place = await api.makeRoom({
    game: 'almost',
    seats: 3,
    options: {},
    open: false,
    play_now: false,
    bots: null,
  })
  const first = sit(place)
  await when(first, () => true)
  await vi.dynamicImportSettled() // the salt comes first
  expect((await first.manage({ do: 'lock', locked: true })).code).toBeNull()
  const { resume } = first
  first.leave()

  const again = await api.enter(place.room)
  expect(again.seat).toBe(place.seat)
  const repeating = sit(again, resume === null ? null : { ...resume, n: resume.n - 2 })
  await when(repeating, () => true)
  await vi.dynamicImportSettled()
  const lines = (state: TableState): number => state.lines.filter(([, key]) => key === 'table.locked').length
  expect((await repeating.manage({ do: 'lock', locked: true })).code).toBeNull()
  expect((await repeating.note('after')).code).toBeNull()
  expect(lines(await when(repeating, (_, { note }) => note?.text === 'after'))).toBe(1)
  repeating.leave()

  const reloaded = sit(await api.enter(place.room), resume)
  await when(reloaded, () => true)
  expect(reloaded.resume?.session).toBe(resume?.session)
  expect(sit(await api.enter(place.room)).resume).toBeNull()
}, 60_000)

test('watchers see the table, talk among themselves, and are refused the rest', async () => {
  const api = await person('Ann')
  const place = await api.makeRoom({
    game: 'almost',
    seats: 3,
    options: {},
    open: false,
    play_now: true,
    bots: 'easy',
  })
  const seated = sit(place)
  const watching = await (await person('Bo')).enter(place.room)
  expect(watching.seat).toBeNull()
  const table = sit(watching)
  const state = await when(table, (_, { stage }) => stage !== undefined)
  expect(state.seat).toBeNull()
  expect(Object.keys(state.sections)).not.toContain('mine')
  expect((await table.say('watchers', { text: 'who wins?' })).code).toBeNull()
  await when(table, ({ talk }) => talk.some(({ channel, name }) => channel === 'watchers' && name === 'Bo'))
  expect((await table.manage({ do: 'pause' })).code).toBe('NOT_SEATED')
  expect(seated.state.talk.filter(({ channel }) => channel === 'watchers')).toEqual([])
}, 60_000)

test('a hub killed and started again: the table is where it was, and the command is answered', async () => {
  const api = await person('Ann')
  const place = await api.makeRoom({
    game: 'almost',
    seats: 3,
    options: {},
    open: false,
    play_now: false,
    bots: null,
  })
  const table = sit(place)
  await when(table, () => true)
  expect((await table.note('before')).code).toBeNull()
  const { lines } = table.state
  expect(lines).not.toEqual([])
  await hub.end('SIGKILL')
  const prompted = table.note('meanwhile')
  await hub.begin()
  expect((await prompted).code).toBeNull()
  await when(table, ({ link }, { note }) => link.is === 'open' && note?.text === 'meanwhile')
  expect(table.state).toMatchObject({ stepsBack: 0, lines })
}, 60_000)
