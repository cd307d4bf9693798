/** Something that cannot be chosen says why when it is pressed. The other games: whynot.soak.ts. */
import { expect } from 'vitest'
import { scene } from './livehub.ts'
import { BANBURY, NO_TALK, UNTIMED } from './pages/home.ts'
import { begunBeside } from './games/almost/companions.ts'
import * as almost from './games/almost/page.ts'
import { gone, photograph, why } from './whynot.ts'

scene('Why not? Almost: a number while another one is locked, and one out of range', async (liveHub) => {
  const ann = await liveHub.person('Ann')
  const { tables, companions } = await begunBeside([ann], ['Bo'], { choose: { ...UNTIMED, ...NO_TALK } })
  const [anns] = tables as [almost.AlmostTable]
  await anns.bid(4)
  await why(anns, anns.key(7), 'Your number is locked. Unlock it first.')
  await why(anns, anns.key(4), 'Your number is locked. Unlock it first.', 'Enter')
  await anns.locked(4).waitFor()
  await photograph(ann, 'almost')
  await companions[0]?.does({ move: 'lock', number: 5 })
  await anns.revealed.waitFor()
  await gone(anns, 'Your number is locked. Unlock it first.')

  const { table } = await almost.alone(liveHub, {
    person: ann,
    choose: { ...UNTIMED, ...NO_TALK, ...BANBURY },
  })
  await table.entry.fill('0')
  await table.stage.getByText('Choose a whole number from 1 to 1,000,000,000.').waitFor()
  expect(await table.entry.inputValue()).toBe('')
})
