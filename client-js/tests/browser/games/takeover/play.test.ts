/** A whole game of Takeover with clicks on several pages; by touch and by keys alone: touch.soak.ts and keys.soak.ts. */
import { expect } from 'vitest'
import { scene } from '../../livehub.ts'
import { CALM } from '../../pages/home.ts'
import { drafted, inTurn, opened, TakeoverTable } from './page.ts'

scene('Takeover: two people, a second tab and a watcher, to the reckoning', async (liveHub) => {
  const [ann, bo, dee] = await liveHub.people('Ann', 'Bo', 'Dee')
  const { tables, code } = await opened([ann, bo], { choose: CALM })
  const [anns, bos] = tables as [TakeoverTable, TakeoverTable]
  const tab = new TakeoverTable(await bo.secondTab())
  const dees = await new TakeoverTable(dee).visit(code)
  await Promise.all([tab, dees].map((table) => table.draftTable.waitFor()))
  await drafted([anns, bos])
  expect(await dees.hand.count()).toBe(0)

  // marks survive a reload and appear in another tab
  const [one = '', other = '', third = ''] = await bos.coins()
  await bos.mark(one, other)
  await bo.page.reload()
  await bos.hand.getByRole('button', { name: one, pressed: true }).waitFor()
  await tab.hand.getByRole('button', { name: other, pressed: true }).waitFor()
  expect(await bos.hand.getByRole('button', { name: third, pressed: true }).count()).toBe(0)
  await bos.button('Lock 2 stocks').click()
  await bos.unlock.waitFor()
  await bos.unlock.click()
  await bos.button('Lock 2 stocks').click()
  await dees.seat('Bo').getByText(/^done/).waitFor({ state: 'attached' })
  await tab.page.close()
  await anns.mark(...(await anns.coins()).slice(0, 3))
  await anns.lock.click()
  await Promise.all([anns, bos, dees].map((table) => table.grid.getByRole('gridcell').first().waitFor()))

  // a company that can never be covered by the chosen one is chosen instead; one button starts again
  await Promise.race([anns.pass.waitFor(), bos.pass.waitFor()])
  const first = (await anns.pass.isVisible()) ? anns : bos
  const [from, askew] = await first.askew()
  await first.square(from).click()
  await first.square(askew).click()
  await first.page
    .getByText(/^Choose the stack to cover with /)
    .first()
    .waitFor()
  expect(await first.square(askew).getAttribute('aria-selected')).toBe('true')
  expect(await first.square(from).getAttribute('aria-selected')).toBe('false')
  expect(await first.merge.isDisabled()).toBe(true)
  await first.button('Start again').click()
  expect(await first.square(askew).getAttribute('aria-selected')).toBe('false')

  // the proposed payment can be changed: paying too much loses the excess, and paying too little is refused
  const paid = (await first.pairs()).find(({ cost, touch }) => cost > 0 && touch)
  if (paid === undefined) throw new Error('no merger on a full grid costs anything')
  await first.aim(paid)
  const pays = first.page.getByRole('group', { name: 'What you pay with' })
  await first.button(/^Merge, pay/).waitFor()
  const proposed = pays.getByRole('button', { pressed: true })
  while ((await proposed.count()) > 0) await proposed.first().click()
  await first.page.getByText('That is not enough money. Add cash.').first().waitFor()
  for (const coin of await pays.getByRole('button').all()) await coin.click()
  await first.page
    .getByText(/which is lost\./)
    .first()
    .waitFor()
  await first.page.keyboard.press('Escape')
  await first.page.keyboard.press('Escape')
  await first.mergeThem(paid)
  await Promise.all(
    [anns, bos, dees].map((table) => table.square(paid.onto.coin).waitFor({ state: 'detached' })),
  )
  await dees.players.getByText('Out of play').waitFor()
  await dee.page
    .getByRole('main')
    .getByText(new RegExp(`^${first.person.name} merged .* and paid .*\\.$`))
    .waitFor()

  let merged = 0
  await inTurn(
    [anns, bos],
    (table) => table.pass,
    (table) => table.over,
    async (table) => {
      const free =
        merged < 6 ? (await table.pairs()).find(({ cost, touch }) => cost === 0 && touch) : undefined
      if (free === undefined) return table.passOn()
      merged += 1
      return table.mergeThem(free)
    },
  )
  expect(merged).toBeGreaterThan(3)
  const all = [anns, bos, dees]
  await Promise.all(all.map((table) => table.over.waitFor()))
  const results = await Promise.all(all.map((table) => table.hands.ariaSnapshot()))
  expect(new Set(results).size, results.join('\n')).toBe(1)
  await dee.page.getByRole('img', { name: 'Stocks and cash at the end' }).waitFor()
  await dee.page.getByRole('main').getByText('Everybody has passed since the last merger.').waitFor()
  await dees.open('Log')
  await dees.log.getByText('Everybody has passed since the last merger.').waitFor()
})
