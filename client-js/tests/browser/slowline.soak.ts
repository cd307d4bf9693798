/**
 * First loads on a slow line and a slow device: prints how long it takes until home and a running table can be used,
 * and what was loaded until then. Nothing is asserted about time: docs/PERFORMANCE.md has the figures.
 */
import type { BrowserContextOptions } from 'playwright-core'
import { browser } from './browser.ts'
import { PHONE, scene, type LiveHub } from './livehub.ts'
import { Home } from './pages/home.ts'

const GAMES = ['Almost', 'Share and Share Alike', 'Subdivision', 'So Long Sucker', 'Takeover'] as const
const KILOBIT = 1000 / 8
const LINE = {
  offline: false,
  latency: 150,
  downloadThroughput: 400 * KILOBIT,
  uploadThroughput: 400 * KILOBIT,
}
const CPU = 4
const RUNS = 3

/** What can be used, once it is there. */
const PLAY_NOW = 'article button:enabled'
const OWN_ACTION = ':is(.tray, .board) :is(button, input):enabled'

/** Begins the line in which the page says what it measured: the hub's policy forbids to evaluate anything in it. */
const MEASURED = 'first load: '

/** In a browser's storage: that it has loaded the typefaces before. */
const FONTS_LOADED = 'parley.fonts'

interface Load {
  /** Milliseconds from the start of the navigation. */
  readonly drawn: number
  readonly usable: number
  /** What had come over the line by then, with headers. */
  readonly bytes: number
  readonly requests: number
  /** The fonts among it. */
  readonly fonts: number
}

/** A script that notes when something that matches is shown, and what has been loaded by then. */
const watchFor = (selector: string): string => `{
  const look = () => {
    const shown = [...document.querySelectorAll(${JSON.stringify(selector)})].some((each) => each.checkVisibility())
    if (!shown) return requestAnimationFrame(look)
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const files = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .filter(({ responseEnd, transferSize }) => responseEnd > 0 && transferSize > 0)
      const sum = (some) => some.reduce((total, { transferSize }) => total + transferSize, 0)
      console.log(${JSON.stringify(MEASURED)} + JSON.stringify({
        drawn: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
        usable: performance.now(),
        bytes: sum(files),
        requests: files.length,
        fonts: sum(files.filter(({ name }) => name.endsWith('.woff2'))),
      }))
    }))
  }
  look()
}`

/** Loads a page with an empty cache, as the person whose storage this is. */
async function load(
  liveHub: LiveHub,
  path: string,
  selector: string,
  storageState?: BrowserContextOptions['storageState'],
): Promise<Load> {
  const wish = { screen: PHONE, ...(storageState && { more: { storageState } }) }
  const { page, context } = await liveHub.person('Slow', wish)
  const device = await context.newCDPSession(page)
  await device.send('Network.enable')
  await device.send('Network.emulateNetworkConditions', LINE)
  await device.send('Emulation.setCPUThrottlingRate', { rate: CPU })
  await page.addInitScript(watchFor(selector))
  const measured = page.waitForEvent('console', (message) => message.text().startsWith(MEASURED))
  await page.goto(path, { waitUntil: 'commit' })
  const text = (await measured).text()
  await context.close()
  return JSON.parse(text.slice(MEASURED.length)) as Load
}

async function report(name: string, measure: () => Promise<Load>): Promise<void> {
  const loads: Load[] = []
  for (let run = 0; run < RUNS; run += 1) loads.push(await measure())
  const [median] = loads.toSorted((a, b) => a.usable - b.usable).slice(RUNS >> 1)
  if (median === undefined) return
  const { drawn, usable, bytes, requests, fonts } = median
  const all = loads.map((each) => (each.usable / 1000).toFixed(1)).join(', ')
  process.stdout.write(
    `${name}: drawn after ${(drawn / 1000).toFixed(1)} s, usable after ${(usable / 1000).toFixed(1)} s (${all}), ` +
      `${(bytes / 1000).toFixed(0)} KB in ${requests} requests, of which fonts ${(fonts / 1000).toFixed(0)} KB\n`,
  )
}

scene('first loads at 400 kbit/s with 150 ms latency, CPU slowed by 4', async (liveHub) => {
  process.stdout.write(`Chromium ${(await browser()).version()}\n`)
  await report('home', () => load(liveHub, '/', PLAY_NOW))
  for (const game of GAMES) {
    const ann = await liveHub.person('Ann')
    const home = await new Home(ann, game).open()
    await ann.press(home.play)
    await ann.page.locator(OWN_ACTION).first().waitFor({ timeout: 60_000 })
    const storage = await ann.context.storageState()
    for (const { localStorage } of storage.origins)
      localStorage.splice(0, Infinity, ...localStorage.filter(({ name }) => name !== FONTS_LOADED))
    const path = new URL(ann.page.url()).pathname
    await ann.context.close()
    await report(game, () => load(liveHub, path, OWN_ACTION, storage))
  }
})
