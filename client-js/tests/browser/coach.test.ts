/** Tips on the first decisions, in every shape of screen; and the goal on the stage in the first round. */
import { expect } from 'vitest'
import { PATIENCE, scene, type Person } from './livehub.ts'
import { Home } from './pages/home.ts'
import { TablePage } from './pages/table.ts'
import { AlmostTable } from './games/almost/page.ts'

const TALL = { width: 390, height: 844 }
const SHORT = { width: 844, height: 390 }
const WIDE = { width: 1440, height: 900 }
const WITH_TIPS = `localStorage.getItem('parley.settings') ??
  localStorage.setItem('parley.settings', JSON.stringify({ soundOffered: true }))`

/** Where everything begins that must not move. */
function places({ page }: Person): Promise<readonly number[]> {
  return page.evaluate(() =>
    ['.stage', '.content > .deck > .board', '.content > .tray button'].map((part) =>
      Math.round([...document.querySelectorAll(part)].at(-1)?.getBoundingClientRect().top ?? 0),
    ),
  )
}

/** A page whose device has had no tips yet, though other scenes do without them. */
async function newcomer(person: Person): Promise<void> {
  await person.page.goto('/')
  await person.page.evaluate(`localStorage.removeItem('parley.settings'); ${WITH_TIPS}`)
}

scene('a newcomer gets three tips for each kind of decision, which move nothing', async (liveHub) => {
  const ann = await liveHub.person('Ann', { screen: TALL })
  const { page } = ann
  await newcomer(ann)
  await (await new Home(ann, 'Almost').open()).play.click()
  const table = new AlmostTable(ann)
  const tip = page.locator('.tip')
  await page.getByText('Goal: Reach 10 points').waitFor()
  await tip.waitFor()
  await ann.photograph('tip-almost-talk')
  const before = await places(ann)
  await ann.press(page.getByRole('button', { name: 'Close this tip' }))
  await expect.poll(() => tip.count()).toBe(0)
  expect(await places(ann)).toEqual(before)
  await ann.press(table.readyToBid)
  await table.pad.waitFor()
  await tip.waitFor()
  await ann.photograph('tip-almost-bid')
  const counts = await page.evaluate(() => localStorage.getItem('parley.tips'))
  expect(JSON.parse(counts ?? '{}')).toEqual({ almost: { ready: 1, bid: 1 } })

  // the fourth decision of a kind brings none
  await page.evaluate(() =>
    localStorage.setItem('parley.tips', JSON.stringify({ almost: { ready: 3, bid: 3 } })),
  )
  await page.reload()
  await table.pad.waitFor()
  await page.waitForTimeout(1_000)
  expect(await tip.count()).toBe(0)

  // until they are wanted no more
  await page.evaluate(() => localStorage.removeItem('parley.tips'))
  await page.reload()
  await ann.press(page.getByRole('button', { name: 'No more tips' }))
  await expect.poll(() => tip.count()).toBe(0)
  const settings = await page.evaluate(() => localStorage.getItem('parley.settings'))
  expect(JSON.parse(settings ?? '{}')).toMatchObject({ tips: false })
})

for (const title of ['So Long Sucker', 'Subdivision', 'Takeover', 'Share and Share Alike'])
  scene(`${title} shows tips in every shape of screen`, async (liveHub) => {
    const ann = await liveHub.person('Ann', { screen: WIDE })
    const { page } = ann
    await newcomer(ann)
    await (await new Home(ann, title).open()).play.click()
    await new TablePage(ann).stage.waitFor()
    const tip = page.locator('.tip')
    await tip.waitFor({ timeout: 3 * PATIENCE }) // three bots may have turns before, and bargain over each
    for (const [shape, screen] of Object.entries({ WIDE, TALL, SHORT })) {
      await page.setViewportSize(screen)
      await page.locator(`.page.${shape.toLowerCase()}`).waitFor()
      await tip.waitFor()
      await ann.photograph(`tip-${title.split(' ')[0]?.toLowerCase() ?? ''}-${shape.toLowerCase()}`)
      const box = await tip.boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(screen.width)
    }
    const before = await places(ann)
    await ann.press(page.getByRole('button', { name: 'Close this tip' }))
    await expect.poll(() => tip.count()).toBe(0)
    expect((await places(ann)).slice(0, 2)).toEqual(before.slice(0, 2))
  })
