/** A whole game of Takeover by keyboard alone. */
import { scene } from '../../livehub.ts'
import { CALM } from '../../pages/home.ts'
import { inTurn, opened, type TakeoverTable } from './page.ts'

scene('Takeover by keys alone, against a bot', async (liveHub) => {
  const ann = await liveHub.person('Ann')
  const { tables } = await opened([ann], { choose: CALM })
  const [table] = tables as [TakeoverTable]
  const { keyboard } = ann.page
  await inTurn(
    [table],
    (each) => each.take,
    (each) => each.lock,
    async () => {
      const label =
        (await table.draftTable
          .getByRole('gridcell', { name: /: [1-4] left$/ })
          .last()
          .getAttribute('aria-label')) ?? ''
      await keyboard.press(label[0] ?? '')
      const take = table.button(`Take a ${label[0]}`)
      await take.waitFor()
      await keyboard.press('Enter')
      await take.waitFor({ state: 'hidden' })
    },
  )
  const [coin = ''] = await table.coins()
  await table.tabTo(table.coin(coin))
  await keyboard.press('Space')
  await table.hand.getByRole('button', { name: coin, pressed: true }).waitFor()
  await table.tabTo(table.lock)
  await keyboard.press('Enter')
  await table.lock.waitFor({ state: 'hidden' })
  await table.pass.waitFor()
  const free = (await table.pairs()).find(({ cost, touch }) => cost === 0 && touch)
  if (free === undefined) throw new Error('no two corporations on a full grid belong to the same industry')
  await table.walk(free.source.coin)
  await keyboard.press('Enter')
  await table.walk(free.onto.coin)
  await keyboard.press('Enter')
  await table.button(/^Merge, free/).waitFor()
  await keyboard.press('Enter')
  await table.square(free.onto.coin).waitFor({ state: 'detached' })
  await table.pass.waitFor()
  const [left] = await table.corporations() // the bot may have moved any of them
  await table.walk(left?.coin ?? '')
  await keyboard.press('Enter')
  await keyboard.press('Escape')
  await table.page.getByText('Choose the stack to move.').waitFor()
  await inTurn(
    [table],
    (each) => each.pass,
    (each) => each.over,
    () =>
      table.passOn(async () => {
        await table.tabTo(table.pass)
        await keyboard.press('Enter')
      }),
  )
})
