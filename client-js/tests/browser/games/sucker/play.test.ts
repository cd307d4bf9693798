/**
 * A whole game of So Long Sucker with clicks on two pages, of which one comes with the rescue; touch and keys alone are
 * in play.soak.ts.
 */
import { expect, onTestFinished } from 'vitest'
import { dealt, Hub } from '../../../hub.ts'
import { Companion, lastOf } from '../../companion.ts'
import { scene } from '../../livehub.ts'
import { CALM } from '../../pages/home.ts'
import { begin, seatAll } from '../../seating.ts'
import { SuckerCompanion } from './companion.ts'
import { playOut, rescueNeeded, SuckerTable } from './page.ts'

const HOST_BEGINS = dealt({ game: 'sucker', seats: 4, deck: [] })

scene('So Long Sucker: a rescue that succeeds, two falls at once, and the end', async (liveHub) => {
  const hub = await Hub.start(HOST_BEGINS)
  onTestFinished(() => hub.close())
  const people = [await liveHub.person('Ann', {}, hub), await liveHub.person('Bo', {}, hub)]
  const code = await seatAll('sucker', people, { seats: 4, choose: CALM })
  const [cy, dee] = (await Companion.sitAll(['Cy', 'Dee'], code, hub)) as [Companion, Companion]
  const [c, a] = people.map((person) => new SuckerTable(person)) as [SuckerTable, SuckerTable]
  const host = await begin(c.person, code)
  await (await c.visit(code)).stage.waitFor()
  host.leave()
  const [b, d] = [new SuckerCompanion(cy), new SuckerCompanion(dee)]
  const [A, B, C] = [a.name, b.name, c.name]
  const eve = await Companion.watch('Eve', code, hub)
  const placing = new SuckerCompanion(await Companion.beside(a.person, code, hub))
  await rescueNeeded({ a: placing, b, c, d }, true)
  await a.visit(code)

  // everybody sees each answer; after a reload the rescue is unchanged
  await a.rescue.getByRole('listitem').filter({ hasText: C }).filter({ hasText: 'deciding' }).waitFor()
  expect(eve.sections).toHaveProperty('rescue')
  expect(eve.sections).not.toHaveProperty('mine')
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
  await Promise.all([a, c].map((table) => table.rescue.waitFor({ state: 'detached' })))

  // the rescued player places a chip and gives the move to another who has none either: both are out
  await a.place(A)
  await a.receiver(B).click()
  await a.page
    .getByText(new RegExp(`Eliminated: (${A}|${B}).* Then ${C} plays next\\.`))
    .first()
    .waitFor({ state: 'attached' })
  await a.button(`Give ${B} the turn`).click()
  await Promise.all(
    [a, c].map((table) => table.hands.getByText(`${A}: no chips`).waitFor({ state: 'attached' })),
  )
  await a.page.getByText('You have been eliminated. You can still talk.').waitFor()
  await a.fallen.getByText('The turn went back to you, and you had no chips.').waitFor()
  expect(await c.fallen.count()).toBe(0)
  await a.person.photograph('sucker-eliminated')
  await a.say('So long!')
  dee.plays((offers) => lastOf(offers, 'refuse', 'kill', 'place', 'giveMove'))
  await playOut([c])

  const ends = await Promise.all(
    [a, c].map(async (table) => {
      await table.over.waitFor()
      return table.winners.evaluate((end) =>
        [...end.querySelectorAll('p, ul, ol')].map(({ textContent }) => textContent).join('\n'),
      )
    }),
  )
  expect(new Set(ends).size, ends.join('\n')).toBe(1)
  expect(ends[0]).toContain(`${B}, ${A}, `)
  expect(
    await c.winners
      .getByRole('listitem')
      .filter({ hasText: /: enemy \w+, ally \w+/ })
      .count(),
  ).toBe(4)
  await c.winners
    .getByText(/^You (were eliminated last|are the last one standing)|, eliminated last, was your enemy/)
    .waitFor()
  await a.fallen.getByText('Of those eliminated, only the last one can win, so you could not.').waitFor()
  await a.person.photograph('sucker-eliminated-end')
  await c.person.photograph('sucker-last-out-end')
  await c.page.getByRole('img', { name: 'Chips in hand, and what became of each pile' }).waitFor()
  await c.open('Log')
  await c.log.getByText(/was saved\./).waitFor()
})
