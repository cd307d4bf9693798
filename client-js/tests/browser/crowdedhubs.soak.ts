/** Eight pages among 60 tables of two hubs behind a proxy; then one of the hubs is killed under them. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { crowdedBehind, Hub } from '../hub.ts'
import { AlmostTable } from './games/almost/page.ts'
import { scene, type LiveHub, type Person } from './livehub.ts'
import { CALM, Home, NO_TALK } from './pages/home.ts'

/** Phones both ways round, and desks. */
const SCREENS = [
  { width: 390, height: 844 },
  { width: 844, height: 390 },
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
] as const
const TABLES = [
  ['Ann', 'Bo', 'Cy', 'Di'],
  ['Eve', 'Fay', 'Gus', 'Hal'],
] as const
/** Milliseconds within which people play again after a kill -9. */
const AT_ONCE = 5_000

class Seat extends AlmostTable {
  /** Everything that the console called an error. */
  readonly errors: string[] = []
  /** The label of the hub to which its newest socket was to lead. */
  label = ''

  constructor(person: Person) {
    super(person)
    this.page.on('console', (message) => {
      if (message.type() === 'error') this.errors.push(message.text())
    })
    this.page.on('websocket', (socket) => {
      this.label = new URL(socket.url()).pathname.split('/').at(-2) ?? ''
    })
  }
}

/** Everybody at one table, in the seat at the first try, and playing. */
async function begin(liveHub: LiveHub, hub: Hub, names: readonly string[]): Promise<Seat[]> {
  const people = SCREENS.map((screen, index) =>
    liveHub.person(names[index] ?? '', { fresh: true, screen }, hub),
  )
  const seats = (await Promise.all(people)).map((person) => new Seat(person))
  const [first, ...others] = seats as [Seat, ...Seat[]]
  const home = await new Home(first.person, 'Almost').open()
  await home.newTable({ seats: names.length, choose: { ...CALM, ...NO_TALK } })
  const code = await first.code()
  for (const seat of others) await (await seat.visit(code)).sit()
  for (const seat of others) await seat.press(seat.ready)
  await first.press(first.start)
  for (const seat of seats) await seat.pad.waitFor()
  return seats
}

/** Everybody locks a number, and goes on to the next round. */
async function playRound(seats: readonly Seat[]): Promise<void> {
  for (const [index, seat] of seats.entries()) await seat.bid(index + 1)
  for (const seat of seats) await seat.press(seat.goOn)
  for (const seat of seats) await seat.pad.waitFor()
}

const PROXIES = [
  ['haproxy', 'haproxy'],
  ['round-robin', 'haproxy'],
  ['nginx', 'nginx'],
] as const

for (const [proxy, program] of PROXIES) {
  const folders = (process.env.PATH ?? '').split(':')
  if (!folders.some((folder) => existsSync(join(folder, program)))) {
    test.skip(`${program} is not on this machine`)
    continue
  }
  scene(`eight pages among sixty tables of two hubs behind ${proxy}`, async (liveHub) => {
    const hub = await Hub.start(crowdedBehind(proxy))
    try {
      const tables = await Promise.all(TABLES.map((names) => begin(liveHub, hub, names)))
      const seats = tables.flat()
      await Promise.all(tables.map(playRound))
      expect(seats.flatMap(({ errors }) => errors)).toEqual([])

      for (const { page } of seats) await page.evaluate(() => Object.assign(globalThis, { wasLoaded: true }))
      const [{ label }] = seats as [Seat, ...Seat[]]
      hub.signal(label === 'a' ? 'SIGUSR1' : 'SIGUSR2')
      const killed = performance.now()
      const waits = await Promise.all(
        seats
          .filter((seat) => seat.label === label)
          .map(async ({ lost }) => {
            await lost.waitFor()
            await lost.waitFor({ state: 'hidden' })
            return performance.now() - killed
          }),
      )
      console.log(
        `${proxy}: back ${waits.map((wait) => (wait / 1000).toFixed(1)).join(', ')} s after the kill`,
      )
      expect(Math.max(...waits)).toBeLessThan(AT_ONCE)
      await Promise.all(tables.map(playRound))
      const loaded = await Promise.all(
        seats.map(({ page }) => page.evaluate(() => 'wasLoaded' in globalThis)),
      )
      expect(loaded).not.toContain(false)
    } finally {
      await hub.close()
    }
  })
}
