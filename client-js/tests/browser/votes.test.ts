/** A table without its host: it starts, pauses, goes on and ends, and somebody else becomes host. */
import { expect } from 'vitest'
import { Companion } from './companion.ts'
import { scene } from './livehub.ts'
import { AlmostTable } from './games/almost/page.ts'
import { CALM } from './pages/home.ts'
import { seatAll } from './seating.ts'

scene('a table goes on without its host, and ends by a vote', async (liveHub) => {
  const ann = await liveHub.person('Ann')
  const bo = await liveHub.person('Bo', { screen: { width: 390, height: 844 } })
  const cy = await liveHub.person('Cy')
  const code = await seatAll('almost', [ann, bo, cy], { seats: 4, choose: CALM })
  const dee = await Companion.sit('Dee', code)
  const [anns, bos, cys] = [new AlmostTable(ann), new AlmostTable(bo), new AlmostTable(cy)]
  const host = await Companion.beside(ann, code)
  for (const table of [bos, cys]) await table.visit(code)
  await Promise.all([bos, cys].map((table) => table.ready.waitFor()))
  host.leave() // Ann's page comes later
  await bo.page.getByText('The game starts when everybody else is ready.').waitFor()
  await bo.page
    .getByText(/^Ann, the host, is not connected\. Within \d+ s, somebody else becomes the host\.$/)
    .waitFor()
  await bo.photograph('votes-waiting')
  for (const table of [bos, cys]) await table.press(table.button('I am ready'))
  await dee.manages({ do: 'ready', ready: true })
  const tools = bo.page.getByRole('button', { name: 'Game menu' })
  await tools.waitFor()

  await bos.press(tools)
  await bo.photograph('votes-menu')
  await bos.press(bos.button('Vote to pause'))
  const banner = cy.page.getByRole('region', { name: 'Vote' })
  await banner.getByText('Pause the game?').waitFor()
  expect(await cys.coveredBy(banner)).toEqual([])
  await cy.photograph('votes-banner')
  await cys.press(banner.getByRole('button', { name: 'Yes' }))
  await cy.page.getByText('The table voted to pause.').waitFor()
  await bo.photograph('votes-paused')
  await bos.press(bos.button('Resume'))
  await cy.page.getByText('The table voted to pause.').waitFor({ state: 'hidden' })

  // a bot sits down for somebody who is away, until they come back
  for (const table of [bos, cys]) await table.press(table.readyToBid)
  await dee.does({ move: 'ready' })
  await cys.stage.getByText('Ann is not connected. A bot will step in if this takes too long.').waitFor()
  await bo.photograph('votes-away')
  await cys.press(cy.page.getByRole('button', { name: 'Game menu' }))
  await cys.press(cys.button('Vote to let a bot play for Ann'))
  const phones = bo.page.getByRole('region', { name: 'Vote' })
  await phones.getByText('Let a bot play for Ann?').waitFor()
  await bos.press(phones.getByRole('button', { name: 'Yes' }))
  await cys.seat('Ann').getByText('away; a bot is playing').waitFor({ state: 'attached' })
  await cy.page.getByRole('log').getByText('Bo became the host.').waitFor({ state: 'attached' })
  await anns.visit(code)
  await cys.seat('Ann').getByText('away; a bot is playing').waitFor({ state: 'detached' })

  // removing somebody takes more than half of all players
  await anns.press(ann.page.getByRole('button', { name: 'Game menu' }))
  await anns.button('Vote to remove Cy').waitFor()
  await dee.manages({ do: 'call_vote', kind: 'remove', seat: 2 })
  await phones.getByText('1 yes, 0 no; 3 yes needed').waitFor()
  await cy.page.getByText('The vote is about you.').waitFor()
  await cy.photograph('votes-remove')
  await bos.press(phones.getByRole('button', { name: 'Yes' }))
  await anns.page.keyboard.press('Escape')
  await anns.press(ann.page.getByRole('region', { name: 'Vote' }).getByRole('button', { name: 'Yes' }))
  await cy.page.getByRole('heading', { name: 'You were removed from this table.' }).waitFor()

  await anns.press(ann.page.getByRole('button', { name: 'Game menu' }))
  await anns.press(anns.button('Vote to end the game')) // a person calls one vote in two minutes
  await phones.getByText('End the game without a result?').waitFor()
  expect(await bos.coveredBy(phones)).toEqual([])
  await bo.photograph('votes-ending')
  await bos.press(phones.getByRole('button', { name: 'Yes' }))
  for (const { page } of [bo, ann]) {
    await page.getByRole('heading', { name: 'No result' }).waitFor()
    await page.getByText('Download the record').waitFor()
  }
  await bo.photograph('votes-end')
  // Cy's page has asked to enter again since.
  expect(await cy.page.getByRole('heading', { name: 'You were removed from this table.' }).count()).toBe(1)
})
