/** A whole game of Subdivision by keyboard alone. */
import { scene } from '../../livehub.ts'
import { CALM } from '../../pages/home.ts'
import { THREE_HOUSE, built, playOn, type SubdivisionTable } from './page.ts'

scene('Subdivision by keys alone, against a bot', async (liveHub) => {
  const ann = await liveHub.person('Ann')
  const { tables } = await built([ann], { choose: { ...THREE_HOUSE, ...CALM } })
  const [table] = tables as [SubdivisionTable]
  const { keyboard } = ann.page
  await playOn([table], async () => {
    for (const pips of [3, 2, 1] as const) {
      if ((await table.size(pips).getAttribute('aria-disabled')) === 'true') continue
      await keyboard.press(String(pips))
      const [square = ''] = await table.fitting()
      const focused = table.board.and(ann.page.locator(':focus'))
      while ((await focused.count()) === 0) await keyboard.press('Tab')
      await keyboard.press('Space')
      await table.walk(square)
      await table.place.filter({ hasText: /→/ }).waitFor()
      await keyboard.press('Enter')
      await table.board
        .getByRole('gridcell', { name: new RegExp(`^${square}: free`) })
        .waitFor({ state: 'detached' })
      return
    }
    throw new Error('it is Ann’s turn, and nothing fits')
  })
  await table.over.waitFor()
})
