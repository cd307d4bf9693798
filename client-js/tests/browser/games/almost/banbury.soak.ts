/** A whole game of Banbury by five people. */
import { expect } from 'vitest'
import { scene } from '../../livehub.ts'
import { BANBURY, CALM } from '../../pages/home.ts'
import { AlmostTable, begun } from './page.ts'

scene('Banbury: five people, a second tab and a watcher, any number, most rounds won', async (liveHub) => {
  const people = await liveHub.people('Ann', 'Bo', 'Cy', 'Di', 'Ed')
  const { tables, code } = await begun(people, { choose: { ...BANBURY, ...CALM }, numbers: { Rounds: 3 } })
  const [ann, bo, cy] = tables as [AlmostTable, AlmostTable, AlmostTable]
  const tab = new AlmostTable(await people[2].secondTab())
  const dee = await liveHub.person('Dee')
  await dee.go(`/t/${code}`)
  const dees = new AlmostTable(dee)
  const all = [...tables, tab, dees]
  await bo.entry.fill('1')
  await bo.pressSlowly(bo.lock(1), bo.answer('Saved. Now lock it.'))
  await bo.locked(1).waitFor()
  await bo.unlock.click()
  await bo.entry.waitFor()
  for (const [index, bids] of [
    [1, 1, 1_000_000_000, 5, 5],
    [7, 12, 12, 9, 9],
    [2, 2, 40, 3, 3],
  ].entries()) {
    await Promise.all(all.map((table) => table.round(index + 1)))
    await Promise.all(tables.map((table, seat) => table.enter(bids[seat] ?? 1)))
    await Promise.all(all.map((table) => table.revealed.waitFor()))
    await Promise.all(tables.map((table) => table.goOn.click()))
  }
  await Promise.all(
    [ann, bo, dees].map((table) => table.page.getByRole('heading', { name: 'Cy wins' }).waitFor()),
  )
  await Promise.all([cy, tab].map((table) => table.page.getByRole('heading', { name: 'You win!' }).waitFor()))
  await cy.page.getByRole('img', { name: 'Rounds won, by round' }).waitFor()
  const results = await Promise.all(all.map((table) => table.results()))
  expect(new Set(results).size, results.join('\n')).toBe(1)

  await ann.button('Play again (0 of 5)').click()
  await ann.start.waitFor()
  await ann.page.getByText('Banbury Merton Street').first().waitFor()
  await ann.page.getByText('3 rounds', { exact: true }).waitFor()
  await cy.button('Play again (1 of 5)').click()
  await cy.button('Wait, I am not ready').waitFor()
})
