/** Plays a whole game of each in a browser that is not Chromium, and measures its screens on the way. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, inject, test, type TestContext } from 'vitest'
import { BOARD_SHARE, boardShare, coveredAids, misfits, smallLetters, type Measured } from '../layout.ts'
import { DESK, PHONE, RESULTS } from '../livehub.ts'
import type { Engine, Size } from './engine.ts'
import { listen } from './listener.ts'
import { play } from './robot.ts'

const GAMES = ['Almost', 'Share and Share Alike', 'So Long Sucker', 'Subdivision', 'Takeover']
const SIDE: Size = { width: 844, height: 390 }
/** The last is the size at which the game is played. */
const SIZES: readonly Size[] = [PHONE, SIDE, DESK]
const LEAST_TARGET = 44
/** One game in each of these browsers takes up to two minutes on two cores that also do other work. */
const LIMIT = 600_000

const SETTINGS = { soundOffered: true }

function measured(engine: Engine): Measured {
  const evaluate = (work: unknown, given?: unknown): Promise<unknown> =>
    engine.evaluate(`(${String(work)})(${JSON.stringify(given)})`)
  return { evaluate: evaluate as Measured['evaluate'] }
}

/** How often to look again at what seems wrong: boards follow their size a frame or two later. */
const LOOKS = 5

/** What is wrong with the layout at any size. Leaves the page at the last. */
async function measure(engine: Engine, screen: string): Promise<string[]> {
  const found: string[] = []
  for (const size of SIZES) {
    await engine.resize(size)
    await engine.evaluate(`document.querySelector('.content > .deck > .board')?.scrollTo(0, 0)`)
    let faults: readonly string[] = []
    for (let looks = 0; looks < LOOKS; looks += 1) {
      await engine.evaluate(DRAWN)
      faults = await faultsAt(measured(engine), size)
      if (faults.length === 0) break
    }
    if (faults.length > 0) await keep(engine, `${screen} ${size.width}`)
    found.push(...faults.map((fault) => `${screen}, ${size.width} x ${size.height}: ${fault}`))
  }
  return found
}

async function faultsAt(page: Measured, size: Size): Promise<readonly string[]> {
  const isDialog = await page.evaluate(() => document.querySelector('dialog[open], [role=dialog]') !== null)
  const share = size === SIDE && !isDialog ? await boardShare(page) : null
  return [
    ...(await misfits(page, LEAST_TARGET)),
    ...(await smallLetters(page)).map((letter) => `a small letter, ${letter}`),
    ...(size === DESK && !isDialog ? await coveredAids(page) : []).map((aid) => `covered: ${aid}`),
    ...(share !== null && share < BOARD_SHARE
      ? [`the board has ${Math.round(100 * share)} % of the height`]
      : []),
  ]
}

/** In the page: done two frames later, or after a second: WebKitGTK sometimes draws none in a virtual display. */
const DRAWN = `Promise.race([
  new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(0)))),
  new Promise((late) => setTimeout(() => late(0), 1_000)),
])`

/** In the page: the middle of what this expression finds, once it is there. */
function middle(found: string): string {
  return `new Promise((resolve) => {
    const look = () => {
      const box = ${found}?.getBoundingClientRect()
      if (box === undefined) setTimeout(look, 50)
      else resolve([Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)])
    }
    look()
  })`
}

async function playWhole(engine: Engine, url: string, game: string): Promise<void> {
  await engine.resize(DESK)
  await engine.go(`${url}icon-192.png`) // of the same origin, and no page of the app
  await engine.evaluate(
    `localStorage.setItem('parley.settings', ${JSON.stringify(JSON.stringify(SETTINGS))})`,
  )
  await engine.go(url)
  const card = `[...document.querySelectorAll('article')].find((card) => card.textContent.includes(${JSON.stringify(game)}))`
  const [x, y] = await engine.evaluate<[number, number]>(middle(`${card}?.querySelector('button')`))
  await engine.click(x, y)
  const faults: string[] = []
  await play(engine, async (title) => void faults.push(...(await measure(engine, title))))
  expect(faults).toEqual([])
  expect(await engine.errors()).toEqual([])
}

/** A test for each game. `start` begins the browser, of which there is one for each game. */
export function playAll(name: string, start: () => Promise<Engine>): void {
  test(
    `an error in the console of ${name} is heard`,
    async ({ onTestFinished }) => {
      await within(onTestFinished, start, 'errors', async (engine, url) => {
        await engine.go(url)
        for (const planted of [
          `console.error('planted 1')`,
          `setTimeout(() => { throw new Error('planted 2') })`,
          `void Promise.reject(new Error('planted 3'))`,
        ])
          await engine.evaluate(`((${'() =>'} { ${planted} })(), 0)`)
        await expect
          .poll(async () => (await engine.errors()).join())
          .toMatch(/planted 1.*planted [23].*planted [23]/)
      })
    },
    LIMIT,
  )
  test.for(GAMES)(`a whole game of %s in ${name}`, { timeout: LIMIT }, async (game, { onTestFinished }) => {
    await within(onTestFinished, start, game, (engine, url) => playWhole(engine, url, game))
  })
}

/** Also ends the browser of a test that took too long, so that the next one has the machine to itself. */
async function within(
  onTestFinished: TestContext['onTestFinished'],
  start: () => Promise<Engine>,
  name: string,
  work: (engine: Engine, url: string) => Promise<void>,
): Promise<void> {
  const listener = await listen(inject('hubPort'))
  onTestFinished(() => listener.close())
  const engine = await start()
  onTestFinished(() => engine.close())
  try {
    await work(engine, `http://127.0.0.1:${listener.port}/`)
  } catch (error) {
    await keep(engine, name)
    throw error
  }
}

/** Save a picture, to help find out why a test failed. */
async function keep(engine: Engine, name: string): Promise<void> {
  mkdirSync(RESULTS, { recursive: true })
  const file = `${engine.name} ${name}`.replace(/\W+/g, '-')
  writeFileSync(`${RESULTS}${file}.png`, Buffer.from(await engine.picture(), 'base64'))
}
