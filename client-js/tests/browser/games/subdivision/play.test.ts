/** A whole game of Subdivision with clicks; by touch and by keys alone: touch.soak.ts and keys.soak.ts. */
import { expect } from 'vitest'
import type { Sections } from '../../../../src/sdk/index.ts'
import { lastOf, type Companion } from '../../companion.ts'
import { scene } from '../../livehub.ts'
import { CALM, Home } from '../../pages/home.ts'
import { beginAt } from '../../seating.ts'
import { SUBDIVISION, SubdivisionTable, THREE_HOUSE, playOn } from './page.ts'

scene('Subdivision: a page against somebody without one, to the result', async (liveHub) => {
  const ann = await liveHub.person('Ann')
  const { tables, companions } = await beginAt(
    SubdivisionTable,
    'subdivision',
    [ann],
    { seats: 2, choose: { ...CALM, ...THREE_HOUSE } },
    ['Bo'],
  )
  const [anns] = tables as [SubdivisionTable]
  const [bo] = companions as [Companion]
  // whoever begins with a 2 leaves no room for a 1
  bo.plays((offers) => {
    const places = offers.filter(({ move }) => move === 'place').toReversed() // the largest first
    return lastOf(isEmpty(bo) ? places.slice(1) : places, 'place')
  })

  // a size that does not fit says why before anything is sent
  await anns.myTurn.waitFor()
  await anns.pick(2) // waits until clicks count, which those that are forced do not
  expect(await anns.pick(1)).toBe(false)
  await anns.size(1).click({ force: true })
  await ann.page.getByText('No 1 fits: it must go near another colour’s 1 or 3.').first().waitFor()
  await anns.pick(3)
  await anns.tap('a1')
  await ann.page.getByText('That is a park. Choose another square.').first().waitFor()
  await anns.tap('b2')
  await anns.button(/^Place 3 on b2/).click()
  await anns.board.getByRole('gridcell', { name: /^b2: Ann’s 3\b/ }).waitFor({ state: 'attached' })

  // what somebody else has built appears, and outlives a reload
  const bos = anns.board.getByRole('gridcell', { name: /: Bo’s .*; latest move$/ })
  await bos.waitFor({ state: 'attached' })
  await ann.page.reload()
  await bos.waitFor({ state: 'attached' })
  let turns = 0
  await playOn([anns], (table) => {
    turns += 1
    return turns < 4 ? table.build() : table.tool('Let the bot play for me')
  })
  expect(turns).toBe(4)
  await anns.over.waitFor()
  await bo.when(({ table }) => table?.status === 'finished')
  const { score } = bo.sections as Sections<'subdivision'>
  const totals = await anns.totals.ariaSnapshot()
  for (const { total } of score?.totals ?? []) expect(totals).toContain(String(total))
  await ann.page.getByRole('img', { name: 'Points earned and lost' }).waitFor()
  await anns.open('Log')
  await anns.log.getByText(/^The game is over\. .+ won\.$/).waitFor()
})

function isEmpty({ sections }: Companion): boolean {
  return (sections as Sections<'subdivision'>).board?.squares.every((piece) => piece === null) === true
}

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
