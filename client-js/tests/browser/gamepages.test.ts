/**
 * The pages about the games, without JavaScript: they fit any screen, and axe finds nothing; gamepages.soak.ts lets
 * it look at the other games' pages.
 */
import { expect, inject, test } from 'vitest'
import { GAMES } from '../../build/firstview.ts'
import { browser } from './browser.ts'
import { inspectPage, SCREENS } from './gamepages.ts'
import { PHONE, scene } from './livehub.ts'
import { Home } from './pages/home.ts'

const LEAST_TARGET = 44
test('the pages about the games need no script', async () => {
  const base = `http://127.0.0.1:${inject('hubPort')}`
  const context = await (await browser()).newContext({ baseURL: base, javaScriptEnabled: false })
  try {
    const page = await context.newPage()
    const refused: string[] = []
    page.on('console', (message) => refused.push(message.text()))
    for (const game of GAMES) {
      expect((await page.goto(`/g/${game}`))?.status()).toBe(200)
      // every part of the rules, and the ids of rulings
      const closed = page.locator('details:not([open])')
      await closed.first().locator('summary').click()
      await closed.evaluateAll((parts) => parts.forEach((part) => ((part as HTMLDetailsElement).open = true)))
      await page.getByRole('checkbox').check()
      for (const { name, screen, colorScheme } of SCREENS) {
        await page.setViewportSize(screen)
        await page.emulateMedia({ colorScheme })
        const wide = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
        expect(wide[0], `${game}, ${name}: scrolls sideways`).toBeLessThanOrEqual(wide[1] ?? 0)
        const small = await page.evaluate(
          (least) =>
            [...document.querySelectorAll('a, summary, label')].flatMap((target) => {
              const { width, height } = target.getBoundingClientRect()
              return width < least - 0.5 || height < least - 0.5 ? [target.textContent.trim()] : []
            }),
          LEAST_TARGET,
        )
        expect(small, `${game}, ${name}: small targets`).toEqual([])
      }
    }
    expect(refused.filter((text) => !/Cross-Origin-Opener-Policy/.test(text))).toEqual([])
  } finally {
    await context.close()
  }
})

test('axe finds nothing on the page about almost', () => inspectPage('almost'))

scene('a card leads to the game’s page, and that page to a new table and to the open tables', async (hub) => {
  const ann = await hub.person('Ann', { screen: PHONE })
  const { page } = ann
  await new Home(ann).open()
  await ann.press(page.getByRole('link', { name: 'About the game: Almost' }))
  await page.getByRole('heading', { name: 'The rules in a minute' }).waitFor()
  await ann.press(page.getByRole('link', { name: 'Play', exact: true }))
  await page.getByRole('heading', { name: 'New Almost table' }).waitFor()
  await page.goBack()
  await ann.press(page.getByRole('link', { name: 'Watch' }))
  const lists = page.getByRole('heading', { name: 'Open tables' })
  await expect
    .poll(async () => (await lists.boundingBox())?.y ?? Infinity, { timeout: 20_000 })
    .toBeLessThan(PHONE.height)
})
