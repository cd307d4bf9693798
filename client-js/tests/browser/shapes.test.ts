/**
 * A table on a desktop, on a landscape phone, at 200 %, and on large screens, in every game, on one's own turn; and a full
 * table on a small phone. The other games' full tables: fulltables.soak.ts; every screen: games/<game>/screens.soak.ts.
 */
import { expect } from 'vitest'
import { DESK, scene, type Person } from './livehub.ts'
import { testFullTable, TITLES } from './fulltables.ts'
import { Inspector } from './inspector.ts'
import { BOARD_SHARE, boardShare, smallLetters } from './layout.ts'
import { TablePage } from './pages/table.ts'
import { playAlone } from './seating.ts'
import { GAMES } from '../../src/games/index.ts'

const LOW = [
  { width: 640, height: 360 },
  { width: 844, height: 390 },
  { width: 932, height: 430 },
]
const HUGE = { width: 2560, height: 1440 }

/** Play this game with bots until it is this person's turn. */
async function ownTurn(person: Person, game: keyof typeof TITLES): Promise<TablePage> {
  await playAlone(person, game)
  const table = new TablePage(person)
  await table.stage.waitFor()
  if (game === 'almost') await table.button(/^I am ready to pick/).click()
  const ready =
    game === 'almost'
      ? person.page.getByRole('group', { name: 'Your number' })
      : person.page.locator('.stage.acting')
  await ready.waitFor()
  return table
}

for (const [game, title] of Object.entries(TITLES) as [keyof typeof TITLES, string][])
  scene(`${title} has room for its board on every shape of screen`, async (liveHub) => {
    const ann = await liveHub.person('Ann', { screen: DESK })
    const { page } = ann
    await ownTurn(ann, game)
    const inspector = new Inspector('nobody', page)
    await inspector.inspect('own turn')
    expect(inspector.findings).toEqual([])
    for (const screen of LOW) {
      await page.setViewportSize(screen)
      await page
        .waitForFunction(() => document.querySelector('.page.short') !== null, null, { timeout: 5_000 })
        .catch(() => undefined)
      const size = `${game} at ${screen.width}x${screen.height}`
      expect(await boardShare(page), size).toBeGreaterThanOrEqual(BOARD_SHARE)
      const tray = await page.locator('.content > .tray').boundingBox()
      const stage = await page.locator('.stage').boundingBox()
      expect((tray?.y ?? 0) + 0.5, `${size}: the tray is below the stage`).toBeGreaterThanOrEqual(
        (stage?.y ?? 0) + (stage?.height ?? 0),
      )
      expect(
        (tray?.y ?? 0) + (tray?.height ?? 0),
        `${size}: the tray ends above the tabs`,
      ).toBeLessThanOrEqual(screen.height - 43)
      expect(await smallLetters(page), size).toEqual([])
    }
    const text = (): Promise<number> =>
      page.evaluate(() => parseFloat(getComputedStyle(document.documentElement).fontSize))
    await page.setViewportSize(DESK)
    const before = await text()
    await page.setViewportSize(HUGE)
    expect(await text()).toBeGreaterThan(1.3 * before)
  })

testFullTable('almost')

scene('the front page shows all five games on a desktop, and joining first on a phone', async (liveHub) => {
  const { page } = await liveHub.person('Ann', { screen: DESK })
  await page.goto('/')
  const cards = page.getByRole('article')
  await expect.poll(() => cards.count()).toBe(Object.keys(GAMES).length)
  for (const card of await cards.all()) {
    const box = await card.boundingBox()
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(DESK.height)
  }
  await page.setViewportSize({ width: 360, height: 640 })
  const join = await page.getByLabel('Join with a code or a link').boundingBox()
  expect((join?.y ?? Infinity) + (join?.height ?? 0)).toBeLessThan(
    (await cards.first().boundingBox())?.y ?? 0,
  )
})
