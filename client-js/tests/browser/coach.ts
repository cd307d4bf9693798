/** Tips on the first decisions, in every shape of screen. */
import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { PATIENCE, scene, type Person } from './livehub.ts'
import { Home } from './pages/home.ts'
import { TablePage } from './pages/table.ts'

export const TALL = { width: 390, height: 844 }
const SHORT = { width: 844, height: 390 }
const WIDE = { width: 1440, height: 900 }
const WITH_TIPS = `localStorage.getItem('parley.settings') ??
  localStorage.setItem('parley.settings', JSON.stringify({ soundOffered: true }))`

/** Where everything begins that must not move. */
export function places({ page }: Person): Promise<readonly number[]> {
  return page.evaluate(() =>
    ['.stage', '.content > .deck > .board', '.content > .tray button', '.panels [role=tab]'].map((part) =>
      Math.round([...document.querySelectorAll(part)].at(-1)?.getBoundingClientRect().top ?? 0),
    ),
  )
}

/** A page whose device has had no tips yet, though other scenes do without them. */
export async function newcomer(person: Person): Promise<void> {
  await person.page.goto('/healthz')
  await person.page.evaluate(`localStorage.removeItem('parley.settings'); ${WITH_TIPS}`)
}

/** The tip, once what bots ask has been put off: a request has its place until then. Waits up to `timeout` milliseconds. */
export async function shownTip(person: Person, timeout = PATIENCE): Promise<Locator> {
  const tip = person.page.locator('.tip')
  const later = person.page.getByRole('button', { name: 'Not now' })
  await tip.or(later).first().waitFor({ timeout })
  while (await later.isVisible()) await person.press(later)
  await tip.waitFor({ timeout })
  return tip
}

export function testTips(title: string): void {
  scene(`${title} shows tips in every shape of screen`, async (liveHub) => {
    const ann = await liveHub.person('Ann', { screen: WIDE })
    const { page } = ann
    await newcomer(ann)
    await (await new Home(ann, title).open()).play.click()
    await new TablePage(ann).stage.waitFor()
    const tip = await shownTip(ann, 3 * PATIENCE) // three bots may have turns before, and bargain over each
    for (const [shape, screen] of Object.entries({ WIDE, TALL, SHORT })) {
      await page.setViewportSize(screen)
      await page.locator(`.page.${shape.toLowerCase()}`).waitFor()
      await shownTip(ann)
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
}
