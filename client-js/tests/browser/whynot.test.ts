/** Something that cannot be chosen says why when it is pressed. The other games: whynot.soak.ts. */
import { expect } from 'vitest'
import { scene } from './livehub.ts'
import { BANBURY, NO_TALK, UNTIMED } from './pages/home.ts'
import * as almost from './games/almost/page.ts'
import { gone, photograph, why } from './whynot.ts'

scene('Why not? Almost: a number while another one is locked, and one out of range', async (liveHub) => {
  const [ann, bo] = await liveHub.people('Ann', 'Bo')
  const { tables } = await almost.begun([ann, bo], { choose: { ...UNTIMED, ...NO_TALK } })
  const [anns, bos] = tables as [almost.AlmostTable, almost.AlmostTable]
  await anns.bid(4)
  await why(anns, anns.key(7), 'Your number is locked. Unlock it first.')
  await why(anns, anns.key(4), 'Your number is locked. Unlock it first.', 'Enter')
  await anns.locked(4).waitFor()
  await photograph(ann, 'almost')
  await bos.bid(5)
  await anns.revealed.waitFor()
  await gone(anns, 'Your number is locked. Unlock it first.')

  const cy = await liveHub.person('Cy')
  const { table } = await almost.alone(liveHub, {
    person: cy,
    choose: { ...UNTIMED, ...NO_TALK, ...BANBURY },
  })
  await table.entry.fill('0')
  await table.stage.getByText('Choose a whole number from 1 to 1,000,000,000.').waitFor()
  expect(await table.entry.inputValue()).toBe('')
})
