/**
 * A whole game of Subdivision with clicks on several pages; by touch and by keys alone: touch.soak.ts and
 * keys.soak.ts.
 */
import { expect } from 'vitest'
import { scene } from '../../livehub.ts'
import { CALM, Home } from '../../pages/home.ts'
import { SUBDIVISION, SubdivisionTable, built, playOn } from './page.ts'

scene('Subdivision: two people, a second tab and a watcher, to the result', async (liveHub) => {
  const [ann, bo, dee] = await liveHub.people('Ann', 'Bo', 'Dee')
  const { tables, code } = await built([ann, bo], { choose: CALM })
  const [anns, bos] = tables as [SubdivisionTable, SubdivisionTable]
  const tab = new SubdivisionTable(await bo.secondTab())
  const dees = await new SubdivisionTable(dee).visit(code)
  const all = [anns, bos, dees]
  await Promise.all([...all, tab].map((table) => table.board.waitFor()))

  // a size that does not fit says why before anything is sent
  await Promise.race([anns.myTurn.waitFor(), bos.myTurn.waitFor()])
  const first = (await anns.myTurn.isVisible()) ? anns : bos
  expect(await first.pick(1)).toBe(false)
  await first.size(1).click({ force: true })
  await first.page
    .getByText('No 1 fits: no free square is near a 1 or a 3 of another colour.')
    .first()
    .waitFor()
  await first.pick(3)
  await first.tap('a1')
  await first.page.getByText('That is a park. Choose another square.').first().waitFor()
  await first.tap('b2')
  await first.button(/^Place 3 on b2/).click()
  await Promise.all(
    [...all, tab].map((table) =>
      table.board
        .getByRole('gridcell', { name: /^b2: (Ann|Bo)’s high-rise, 3; latest move$/ })
        .waitFor({ state: 'attached' }),
    ),
  )
  await tab.page.close()

  let reloaded = false
  const turns = await playOn([anns, bos], async (table) => {
    if (table === bos && !reloaded) {
      await bos.page.reload()
      await bos.board.waitFor()
      reloaded = true
    }
    await table.build()
  })
  expect(turns).toBeGreaterThan(20)
  await Promise.all(all.map((table) => table.over.waitFor()))
  const results = await Promise.all(all.map((table) => table.totals.ariaSnapshot()))
  expect(new Set(results).size, results.join('\n')).toBe(1)
  await dee.page.getByRole('img', { name: 'Points earned and lost' }).waitFor()
  await dees.open('Log')
  await dees.log.getByText(/^The game is over\. .+ won\.$/).waitFor()
})

scene(
  'Subdivision: a pattern of parks that is not whole is refused in the rules’ own words',
  async (liveHub) => {
    const ann = await liveHub.person('Ann')
    await (
      await new Home(ann, SUBDIVISION).open()
    ).newTable({ seats: 2, choose: { Parks: 'Drawn by the host' } })
    await ann.page.getByRole('alert').getByText('Name 6 different squares on the board.').waitFor()
    await ann.page.getByRole('radio', { name: '9 each (ThreeHouse)', exact: true }).check()
    await ann.page.getByRole('textbox', { name: 'Seats' }).fill('4')
    await ann.page.getByRole('textbox', { name: 'Seats' }).blur()
    await ann.page.getByRole('group', { name: 'Parks' }).waitFor({ state: 'detached' })
  },
)
