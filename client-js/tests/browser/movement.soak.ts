/** A chip that moves on a board; hands that open are in movement.test.ts. */
import { expect } from 'vitest'
import { fromFirst, opened, SuckerTable } from './games/sucker/page.ts'
import { scene } from './livehub.ts'
import { idle, movements, MOVES, NOTE_MOVEMENTS } from './movement.ts'
import { CALM } from './pages/home.ts'

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
