/** Something that cannot be chosen says why when it is pressed. The other games: whynot.soak.ts. */
import { expect } from 'vitest'
import { scene } from './livehub.ts'
import { BANBURY, NO_TALK, UNTIMED } from './pages/home.ts'
import * as almost from './games/almost/page.ts'
import * as sucker from './games/sucker/page.ts'
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
