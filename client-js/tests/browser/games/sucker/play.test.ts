/** A whole game of So Long Sucker with clicks on several pages; touch and keys alone are in play.soak.ts. */
import { expect } from 'vitest'
import { scene } from '../../livehub.ts'
import { CALM } from '../../pages/home.ts'
import { opened, playOut, SuckerTable, toRescue } from './page.ts'

scene('So Long Sucker: a rescue that succeeds, two falls at once, and the end', async (liveHub) => {
  const people = await liveHub.people('Ann', 'Bo', 'Cy', 'Dee')
  const watcher = await liveHub.person('Eve')
  const { tables, code } = await opened(people, { choose: CALM })
  const [rescuer] = tables as [SuckerTable]
  const eves = await new SuckerTable(watcher).visit(code)
  const { a, b, c, d } = await toRescue(tables, rescuer)
  const [A, B, C, D] = [a, b, c, d].map((table) => table.person.name) as [string, string, string, string]

  // everybody sees each answer; after a reload the rescue is unchanged
  await Promise.all(
    [a, b, d, eves].map((table) =>
      table.rescue.getByRole('listitem').filter({ hasText: C }).filter({ hasText: 'deciding' }).waitFor(),
    ),
  )
  expect(await eves.row.count()).toBe(0)
  const before = await c.secondsLeft()
  await c.page.reload()
  await c.rescue.getByText('1 prisoner', { exact: true }).waitFor()
  expect(await c.secondsLeft()).toBeLessThanOrEqual(before)

  // nothing is done before it is confirmed
  await c.button('Refuse').click()
  await c.page
    .getByText(`You are the last to answer, so ${A} is eliminated.`)
    .first()
    .waitFor({ state: 'attached' })
  await c.page.keyboard.press('Escape')
  await c.chip('rescue', A).click()
  await c.page.getByText(`${A} is saved and must place a chip.`).first().waitFor({ state: 'attached' })
  await c.button(`Save ${A}`).click()
  await Promise.all([a, b, c, d, eves].map((table) => table.rescue.waitFor({ state: 'detached' })))

  // the rescued player places a chip and gives the move to another who has none either: both are out
  await a.place(A)
  await a.receiver(B).click()
  const out = people.map(({ name }) => name).filter((name) => name === A || name === B)
  await a.page
    .getByText(new RegExp(`Eliminated: (${out.join('|')}).* Then ${C} plays next\\.`))
    .first()
    .waitFor({ state: 'attached' })
  await a.button(`Give ${B} the turn`).click()
  await Promise.all(
    [a, b, c, d, eves].map((table) => table.hands.getByText(`${A}: no chips`).waitFor({ state: 'attached' })),
  )
  await b.page.getByText('You have been eliminated. You can still talk.').waitFor()
  await b.say('So long!')
  await playOut([c, d])

  const all = [a, b, c, d, eves]
  await Promise.all(all.map((table) => table.over.waitFor()))
  const ends = await Promise.all(all.map((table) => table.winners.ariaSnapshot()))
  expect(new Set(ends).size, ends.join('\n')).toBe(1)
  expect(ends[0]).toContain(`${B}, ${A}, ${C}, and ${D}`)
  expect(
    await eves.winners
      .getByRole('listitem')
      .filter({ hasText: /: enemy \w+, ally \w+/ })
      .count(),
  ).toBe(4)
  await eves.page.getByRole('img', { name: 'Chips in hand, and what became of each pile' }).waitFor()
  await eves.open('Log')
  await eves.log.getByText(/was saved\./).waitFor()
})
