/** Every phase of Takeover, as seen by a seat and by a watcher. */
import { scene } from '../../livehub.ts'
import { tour } from '../../inspector.ts'
import { UNTIMED } from '../../pages/home.ts'
import { drafted, FACES, inTurn, opened, SHOWN, TakeoverTable } from './page.ts'
import { screensOf } from '../../screens.ts'
import { visit } from './visit.ts'

scene('every screen of Takeover', async (liveHub) => {
  const [ann, bo, dee] = await liveHub.people('Ann', 'Bo', 'Dee')
  await tour('takeover', { seat: ann.page, watcher: dee.page }, screensOf(visit), async (inspect) => {
    const dees = new TakeoverTable(dee)
    const hidden = await opened([ann], { seats: 6, choose: UNTIMED })
    await dees.visit(hidden.code)
    await dees.draftTable.waitFor()
    const [drafts] = hidden.tables as [TakeoverTable]
    await drafts.pick()
    await drafts.take.waitFor()
    await drafts.press(drafts.draftTable.getByRole('gridcell', { disabled: false }).last())
    await inspect.both('draft hidden')

    const open = await opened([ann, bo], {
      choose: { ...SHOWN, ...FACES, ...UNTIMED },
      switchOn: ['Voluntary cash-out'],
    })
    const [own, others] = open.tables as [TakeoverTable, TakeoverTable]
    await dees.visit(open.code)
    await dees.draftTable.waitFor()
    let drafting = false
    await drafted(open.tables, async (table, pick) => {
      if (table !== own || pick < 7 || drafting) return
      drafting = true
      await own.press(own.draftTable.getByRole('gridcell', { disabled: false }).last())
      await inspect.both('draft shown')
    })
    await own.mark(...(await own.coins()).slice(0, 4))
    await others.mark(...(await others.coins()).slice(4, 7))
    await others.lock.click()
    await others.unlock.waitFor()
    await inspect.both('flip')
    await own.lock.click()
    let merged = 0
    let aimed = false
    await inTurn(
      open.tables,
      (table) => table.pass,
      (table) => table.takeBack.or(table.over),
      async (table, turn) => {
        const pairs = await table.pairs()
        if (table === own && !aimed) {
          aimed = true
          const pair = pairs.findLast(({ cost, touch }) => touch && cost === 2)
          await Promise.all([own, dees].map((each) => each.aim(pair)))
          await own.button(/^Merge, /).waitFor()
          await inspect.both('play a merger')
          await own.page.keyboard.press('Escape')
          await own.page.keyboard.press('Escape')
          await own.button('Cash out').click()
          await own.page.getByRole('group', { name: 'Cash out stocks' }).getByRole('button').first().click()
          await dees.press(dees.square(pair?.source.coin ?? ''))
          await inspect.both('play cashing out')
          await own.button('Back').click()
        }
        const free = pairs.find(({ cost, touch }) => touch && cost === 0)
        if (table === own && (turn >= 8 || free === undefined)) {
          await inspect.both('play late')
          // bots play the rest of the game
          await others.leaveToBot()
          await own.tool('Let the bot play for me')
          return own.takeBack.or(own.over).first().waitFor()
        }
        if (free === undefined || merged === 10) return table.passOn()
        merged += 1
        return table.mergeThem(free)
      },
      '.stage, .result', // a seat that a bot plays for is asked for nothing
    )
    await Promise.all(
      [ann, dee].map(({ page }) => page.getByRole('img', { name: 'Stocks and cash at the end' }).waitFor()),
    )
    await inspect.both('end')
  })
})
