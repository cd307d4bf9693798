/** Something that cannot be chosen says why when it is pressed, in the games that whynot.test.ts leaves out. */
import { expect } from 'vitest'
import { scene } from './livehub.ts'
import { CALM, UNTIMED } from './pages/home.ts'
import * as shares from './games/shares/page.ts'
import { built, type SubdivisionTable } from './games/subdivision/page.ts'
import * as sucker from './games/sucker/page.ts'
import * as takeover from './games/takeover/page.ts'
import { gone, photograph, why } from './whynot.ts'

scene('Why not? Subdivision: a size that fits nowhere, and a square', async (liveHub) => {
  const people = await liveHub.people('Ann', 'Bo')
  const { tables } = await built(people, { choose: CALM })
  const [anns, bos] = tables as [SubdivisionTable, SubdivisionTable]
  await Promise.race([anns.myTurn.waitFor(), bos.myTurn.waitFor()])
  const first = (await anns.myTurn.isVisible()) ? anns : bos
  await first.tap('b2')
  const place = first.place
  await place.waitFor()
  await why(first, first.size(1), 'No 1 fits: it must go near another colour’s 1 or 3.', 'Enter')
  await photograph(first.person, 'subdivision')
  expect(await place.isVisible()).toBe(true)
  await first.tap('a1')
  await first.page.getByText('That is a park. Choose another square.').first().waitFor()
})

scene('Why not? Takeover: a coin that was taken', async (liveHub) => {
  const people = await liveHub.people('Ann', 'Bo')
  const { tables } = await takeover.opened(people, { choose: { ...UNTIMED, ...takeover.SHOWN } })
  const [anns, bos] = tables as [takeover.TakeoverTable, takeover.TakeoverTable]
  await Promise.race([anns.take.waitFor(), bos.take.waitFor()])
  const [first, second] = (await anns.take.isVisible()) ? [anns, bos] : [bos, anns]
  await first.pick()
  await second.take.waitFor()
  const taken = second.draftTable.getByRole('gridcell', { disabled: true })
  expect(await taken.count()).toBe(1)
  await why(second, taken, 'That coin is no longer on the table. Choose another.')
  await photograph(second.person, 'takeover')
  await second.pick()
  await gone(second, 'That coin is no longer on the table. Choose another.')
})

scene('Why not? Share and Share Alike: a company while another is locked', async (liveHub) => {
  const people = await liveHub.people('Ann', 'Bo')
  const { tables } = await shares.opened(people, { choose: UNTIMED })
  const [anns, bos] = tables as [shares.SharesTable, shares.SharesTable]
  await anns.mark('Comet')
  await why(anns, anns.tower(/^Ember/), 'You have locked your choice. Unlock it first.')
  await photograph(anns.person, 'shares')
  await why(anns, anns.company('Beacon'), 'You have locked your choice. Unlock it first.', 'Space')
  await anns.button('Unlock').waitFor()
  await bos.mark('Comet')
  await gone(anns, 'You have locked your choice. Unlock it first.')
})

scene('Why not? So Long Sucker: a chip, a player and a pile', async (liveHub) => {
  const people = await liveHub.people('Ann', 'Bo', 'Cy', 'Di')
  const { tables } = await sucker.opened(people, { choose: UNTIMED })
  const [first, second] = (await sucker.fromFirst(tables)) as [sucker.SuckerTable, sucker.SuckerTable]
  const [one, two] = [first.person.name, second.person.name]
  const chip = first.prompted('turn').getByRole('button', { name: new RegExp(`^${two}`) })
  await why(first, chip, 'You can use only chips that you hold: your own or prisoners.', 'Space')
  await photograph(first.person, 'sucker')
  await first.place(one)
  await gone(first, 'You can use only chips that you hold: your own or prisoners.')
  const own = first.prompted('choose').getByRole('button', { name: new RegExp(`^${one}`) })
  await why(first, own, 'That player’s colour is in the pile. Choose somebody whose colour is missing.')
  await first.press(first.pile(1))
  await first.stage.getByText('Your chip is placed. Choose who plays next.').waitFor()
})
