/** A game of Takeover with clicks, except for most of the draft; whole ones by touch and by keys alone: touch.soak.ts and keys.soak.ts. */
import { expect } from 'vitest'
import type { Sections } from '../../../../src/sdk/index.ts'
import { Companion, lastOf } from '../../companion.ts'
import { scene } from '../../livehub.ts'
import { CALM } from '../../pages/home.ts'
import { beginAt } from '../../seating.ts'
import { inTurn, TakeoverTable } from './page.ts'

scene('Takeover: a page against somebody without one, to the reckoning', async (liveHub) => {
  const ann = await liveHub.person('Ann')
  const { tables, code, companions } = await beginAt(
    TakeoverTable,
    'takeover',
    [ann],
    { seats: 2, choose: CALM },
    ['Bo'],
  )
  const [anns] = tables as [TakeoverTable]
  const [bo] = companions as [Companion]
  bo.plays((offers) => lastOf(offers, 'pick', 'pass'))
  for (let picks = 0; picks < 2; picks += 1) {
    await anns.take.waitFor()
    await anns.pick()
  }
  await anns.take.waitFor() // the rest of the draft is like this
  await anns.button(/^Pick for me/).click()
  await anns.lock.waitFor()
  await anns.button('Suggest stocks').click()
  await anns.button(/^Lock \d+ stocks?$/).waitFor()
  const suggested = anns.hand.getByRole('button', { pressed: true })
  while ((await suggested.count()) > 0) await suggested.first().click()
  const watcher = await Companion.watch('Dee', code)
  expect(watcher.sections).toHaveProperty('holdings')
  expect(watcher.sections).not.toHaveProperty('hand')

  // marks survive a reload
  const [one = '', other = '', third = ''] = await anns.coins()
  await anns.mark(one, other)
  await ann.page.reload()
  for (const coin of [one, other])
    await anns.hand.getByRole('button', { name: coin, pressed: true }).waitFor()
  expect(await anns.hand.getByRole('button', { name: third, pressed: true }).count()).toBe(0)
  await anns.button('Lock 2 stocks').click()
  await anns.unlock.waitFor()
  await anns.unlock.click()
  await anns.button('Lock 2 stocks').click()
  await bo.when((sections) => (sections as Sections<'takeover'>).readiness?.done[0] === true)
  const stocks = (bo.sections as Sections<'takeover'>).hand?.coins.slice(0, 3) ?? []
  await bo.does({ move: 'lock', coins: stocks.map(({ name }) => name) })
  await anns.grid.getByRole('gridcell').first().waitFor()

  // a company that can never be covered by the chosen one is chosen instead; one button starts again
  await anns.pass.waitFor()
  const [from, askew] = await anns.askew()
  await anns.square(from).click()
  await anns.square(askew).click()
  await anns.page
    .getByText(/^Choose the stack to cover\./)
    .first()
    .waitFor()
  expect(await anns.square(askew).getAttribute('aria-selected')).toBe('true')
  expect(await anns.square(from).getAttribute('aria-selected')).toBe('false')
  expect(await anns.merge.isDisabled()).toBe(true)
  await anns.button('Start again').click()
  expect(await anns.square(askew).getAttribute('aria-selected')).toBe('false')

  // the proposed payment can be changed: paying too much loses the excess, and paying too little is refused
  const paid = (await anns.pairs()).find(({ cost, touch }) => cost > 0 && touch)
  if (paid === undefined) throw new Error('no merger on a full grid costs anything')
  await anns.aim(paid)
  const pays = anns.page.getByRole('group', { name: 'What you pay with' })
  await anns.button(/^Merge, pay/).waitFor()
  const proposed = pays.getByRole('button', { pressed: true })
  while ((await proposed.count()) > 0) await proposed.first().click()
  await anns.page
    .getByText(/^You pay 0; this costs \d\. Add cash\./)
    .first()
    .waitFor()
  for (const coin of await pays.getByRole('button').all()) await coin.click()
  await anns.page
    .getByText(/: it is lost\./)
    .first()
    .waitFor()
  await anns.page.keyboard.press('Escape')
  await anns.page.keyboard.press('Escape')
  await anns.mergeThem(paid)
  await anns.players.getByText('Out of play').waitFor()
  await bo.when((_, { lines }) => lines.some(([, key]) => key === 'takeover.merged'))

  let merged = 0
  await inTurn(
    [anns],
    (table) => table.pass,
    (table) => table.over,
    async (table) => {
      const free =
        merged < 2 ? (await table.pairs()).find(({ cost, touch }) => cost === 0 && touch) : undefined
      if (free === undefined) return table.passOn(() => passAnyway(table, bo))
      merged += 1
      return table.mergeThem(free)
    },
  )
  expect(merged).toBe(2)
  await anns.over.waitFor()
  await bo.when(({ table }) => table?.status === 'finished')
  const hands = await anns.hands.ariaSnapshot()
  for (const total of (bo.sections as Sections<'takeover'>).reckoning?.totals ?? [])
    expect(hands).toContain(String(total))
  await ann.page.getByRole('img', { name: 'Stocks and cash at the end' }).waitFor()
  await ann.page.getByRole('main').getByText('Everybody passed.').waitFor()
  await anns.open('Log')
  await anns.log.getByText('Everybody passed.').waitFor()
  await anns.log
    .getByText(/Ann.* merged .* and paid /)
    .first()
    .waitFor()
  await anns.log
    .getByText(/Ann.* broke a promise/)
    .first()
    .waitFor()
})

/** Passes although that breaks a promise: the first press tells so, and what the button then is sends it. */
async function passAnyway(table: TakeoverTable, witness: Companion): Promise<void> {
  const { page } = table
  const pair = (await table.pairs()).find(({ cost, touch }) => cost === 0 && touch)
  if (pair === undefined) throw new Error('no merger is left to promise')
  await table.open('Chat')
  await table.press(table.button('Make a promise'))
  const dialog = page.getByRole('dialog', { name: 'Make a promise' })
  await dialog.getByLabel('What you promise').selectOption('I’ll cover…')
  await dialog.getByLabel('Company').selectOption(pair.onto.coin)
  await dialog.getByLabel('Turn').selectOption({ index: 0 })
  await table.press(dialog.getByRole('button', { name: 'Promise', exact: true }))
  await dialog.waitFor({ state: 'hidden' })
  await table.pass.click()
  const anyway = table.button(/^Pass anyway/)
  await anyway.waitFor()
  await page.getByText(/^This breaks your promise to everybody: “/).waitFor()
  await table.say('Shall I?') // a pass that was sent would come before it
  await witness.when((_, { talk }) => talk.some(({ text }) => text === 'Shall I?'))
  expect(witness.sections.table?.status).toBe('running')
  await page.keyboard.press('Escape') // closes the chat
  const press = async (): Promise<boolean> => {
    if (await anyway.isVisible()) await anyway.click()
    return table.over.isVisible()
  }
  await expect.poll(press, { interval: 1_000 }).toBe(true) // later than a double tap
}
