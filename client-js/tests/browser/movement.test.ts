/** What moves on a table: only what is seen to happen, briefly, in nobody's way, and not for whoever wants it still. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { AlmostTable } from './games/almost/page.ts'
import { fromFirst, opened, SuckerTable } from './games/sucker/page.ts'
import { scene } from './livehub.ts'
import { CALM, Home, NO_TALK, UNTIMED } from './pages/home.ts'

interface Movement {
  readonly of: string
  readonly ms: number
}

/** Notes every movement that a script begins, and every animation of the style sheets. */
const NOTE_MOVEMENTS = `{
  globalThis.movements = []
  const { animate } = Element.prototype
  Element.prototype.animate = function (keyframes, options) {
    const ms = typeof options === 'number' ? options : (options?.duration ?? 0)
    if (ms > 0) movements.push({ of: this.parentElement?.className?.baseVal ?? this.parentElement?.className ?? '', ms })
    return animate.call(this, keyframes, globalThis.slow && ms > 0 ? { ...options, duration: 60_000 } : options)
  }
}`

const MOVES = { reducedMotion: 'no-preference' } as const
const movements = (page: Page): Promise<Movement[]> => page.evaluate('movements.splice(0)')
const idle = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    () => document.querySelector('.flights') === null && document.getAnimations().length === 0,
  )

scene('a chip travels to its pile, and only for those who see it happen', async (liveHub) => {
  const names = ['Ann', 'Bo', 'Cy', 'Dee'] as const
  const people = await Promise.all(
    names.map((name) => liveHub.person(name, { more: name === 'Dee' ? {} : MOVES })),
  )
  const [ann, bo, cy, dee] = people as [
    (typeof people)[0],
    (typeof people)[0],
    (typeof people)[0],
    (typeof people)[0],
  ]
  for (const { context } of people) await context.addInitScript(NOTE_MOVEMENTS)
  await cy.context.addInitScript(
    `localStorage.setItem('parley.settings', JSON.stringify({ soundOffered: true, motion: 'less' }))`,
  )
  const { tables } = await opened(people, { choose: CALM })
  const order = await fromFirst(tables)
  const [first, second, third] = order as [SuckerTable, SuckerTable, SuckerTable]
  for (const { page } of people) await movements(page)
  await first.place(first.person.name)
  await Promise.all(tables.map((table) => table.pile(1).waitFor()))
  for (const { page } of [ann, bo]) {
    const seen = await movements(page)
    expect(seen.map(({ of }) => of)).toContain('flights')
    expect(Math.max(...seen.map(({ ms }) => ms))).toBeLessThan(200)
    await idle(page)
  }
  for (const { page } of [cy, dee]) expect(await movements(page)).toEqual([])

  // after a reload, everything stands where it is
  await ann.page.reload()
  await tables[0]?.pile(1).waitFor()
  expect(await movements(ann.page)).toEqual([])

  // however long a chip travels, everybody may act at once, and the next change ends its flight
  for (const { page } of [ann, bo]) await page.evaluate('slow = true')
  await first.give(second.person.name)
  await second.place(second.person.name, 1)
  await Promise.all([ann, bo].map(({ page }) => page.locator('.flights').waitFor({ state: 'attached' })))
  await second.give(third.person.name)
  await Promise.all([ann, bo].map(({ page }) => page.locator('.flights').waitFor({ state: 'detached' })))
})

scene('hands open one by one, and the score counts', async (liveHub) => {
  const ann = await liveHub.person('Ann', { more: MOVES })
  await ann.context.addInitScript(NOTE_MOVEMENTS)
  await (await new Home(ann).open()).newTable({ seats: 3, choose: { ...UNTIMED, ...NO_TALK } })
  const table = new AlmostTable(ann)
  await table.press(table.start)
  await table.bid(7)
  await table.revealed.waitFor()
  const unfolded = (await movements(ann.page)).filter(({ of }) => of.includes('hand')).map(({ ms }) => ms)
  expect(new Set(unfolded).size, 'each a little later than the one before').toBe(3)
  await idle(ann.page)
  await ann.page.reload()
  await table.revealed.waitFor()
  expect(await movements(ann.page)).toEqual([])
})
