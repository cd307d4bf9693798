/** Tips on the first decisions, and the goal on the stage in the first round. The other games: coach.soak.ts. */
import { expect } from 'vitest'
import { newcomer, places, shownTip, TALL } from './coach.ts'
import { scene } from './livehub.ts'
import { AlmostTable } from './games/almost/page.ts'
import { playAlone } from './seating.ts'

scene('a newcomer gets three tips for each kind of decision, which move nothing', async (liveHub) => {
  const ann = await liveHub.person('Ann', { screen: TALL })
  const { page } = ann
  await newcomer(ann)
  await playAlone(ann, 'almost')
  const table = new AlmostTable(ann)
  const tip = page.locator('.tip')
  await page.getByText('Goal: Reach 10 points').waitFor()
  await shownTip(ann)
  await ann.photograph('tip-almost-talk')
  const before = await places(ann)
  await ann.press(page.getByRole('button', { name: 'Close this tip' }))
  await expect.poll(() => tip.count()).toBe(0)
  expect(await places(ann)).toEqual(before)
  await ann.press(table.readyToBid)
  await table.pad.waitFor()
  await shownTip(ann)
  await ann.photograph('tip-almost-bid')
  const counts = await page.evaluate(() => localStorage.getItem('parley.tips'))
  expect(JSON.parse(counts ?? '{}')).toMatchObject({ almost: { ready: 1, bid: 1 } })
  const [ready, bid] = Object.keys(
    (JSON.parse(counts ?? '{}') as { almost: Record<string, number> }).almost,
  ).filter((name) => name.startsWith('#')) as [string, string]

  // the fourth decision of a kind brings none that is known, but one that is new
  for (const known of [[bid], []]) {
    const almost = Object.fromEntries([['ready', 3], ['bid', 3], [ready, 1], ...known.map((key) => [key, 1])])
    await page.evaluate((text) => localStorage.setItem('parley.tips', text), JSON.stringify({ almost }))
    await page.reload()
    await table.pad.waitFor()
    if (known.length === 0) await shownTip(ann)
    else await page.waitForTimeout(1_000)
    expect(await tip.count()).toBe(1 - known.length)
  }

  // until they are wanted no more
  await page.evaluate(() => localStorage.removeItem('parley.tips'))
  await page.reload()
  await shownTip(ann)
  await ann.press(page.getByRole('button', { name: 'No more tips' }))
  await expect.poll(() => tip.count()).toBe(0)
  const settings = await page.evaluate(() => localStorage.getItem('parley.settings'))
  expect(JSON.parse(settings ?? '{}')).toMatchObject({ tips: false })
})
