/** A watching delay: chosen for a new table or in the waiting room, and told to everybody there. */
import { expect } from 'vitest'
import { Companion } from './companion.ts'
import { PHONE, scene } from './livehub.ts'
import { AlmostTable } from './games/almost/page.ts'
import { NO_TALK, UNTIMED, createTable } from './pages/home.ts'
import { TablePage } from './pages/table.ts'

scene('spectators of a delayed game do not see it begin', async (liveHub) => {
  const ann = await liveHub.person('Ann')
  const late = { 'Spectators see the game': '2 minutes late' }
  await createTable(ann, 'almost', { seats: 3, choose: { ...UNTIMED, ...NO_TALK, ...late } })
  const hers = new AlmostTable(ann)
  await ann.page.getByText('Spectators see the game 2 minutes late.', { exact: true }).waitFor()
  const delay = ann.page.getByRole('group', { name: 'Spectators see the game' })
  await delay.getByRole('radio', { name: '30 seconds late' }).check()
  await ann.page.getByText('Spectators see the game 30 seconds late.', { exact: true }).waitFor()
  await ann.page.getByText('Spectators will see the game 30 seconds late.').waitFor()

  const code = await hers.code()
  const eve = await liveHub.person('Eve', { screen: PHONE })
  await new TablePage(eve).visit(code)
  const notice = eve.page.getByText('Once the game has begun, you see it 30 seconds late.')
  await notice.waitFor()
  const fay = await Companion.watch('Fay', code)
  fay.leave() // one watching socket closes, another stays
  const bea = await Companion.sit('Bea', code)
  await eve.page.getByText('Bea').first().waitFor()

  await hers.press(hers.start)
  await bea.does({ move: 'lock', number: 7 })
  await hers.bid(3)
  expect(await notice.isVisible()).toBe(true)
})
