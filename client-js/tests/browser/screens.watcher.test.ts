/** Every screen as somebody who watches sees it, in real games. */
import { expect } from 'vitest'
import { scene } from './house.ts'
import { tour } from './inspector.ts'
import { AlmostTable, begun } from './pages/almost.ts'
import { BANBURY, CALM, Home, UNTIL_READY } from './pages/home.ts'
import { built, IN_TURN, parksSet, playOn, SubdivisionTable, THREE_HOUSE } from './pages/subdivision.ts'
import { suckerAsWatcher } from './screens.sucker.ts'
import { takeoverAsWatcher } from './screens.takeover.ts'
import { SCREENS } from './screens.ts'

scene('every screen, as a watcher', async (house) => {
  const [ann, bo] = await house.people('Ann', 'Bo')
  const dee = await house.person('Dee', { line: true })
  const { page } = dee
  await tour('watcher', page, SCREENS.watcher, async (look) => {
    const close = async (): Promise<void> => {
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }

    const anns = new AlmostTable(ann)
    await (await new Home(ann).open()).newTable({ seats: 3, choose: { ...UNTIL_READY, ...CALM }, switchOn: ['Open to everybody'] })
    const code = await anns.code()
    const home = await new Home(dee).open()
    await home.rooms('Open tables').filter({ hasText: 'Ann' }).waitFor()
    await look('home with tables')
    await dee.go('/t/BBBBBB')
    await page.getByRole('heading', { name: /^There is no such table/ }).waitFor()
    await look('no such table')
    expect((await page.goto('/nonsense'))?.status()).toBe(404)
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
    await look('nothing here')
    await page.getByRole('link', { name: 'All games' }).click()
    await home.play.waitFor()
    const dees = await new AlmostTable(dee).visit(code)
    await dees.sitDown.waitFor()
    await look('waiting room')
    const bos = await new AlmostTable(bo).visit(code)
    await bos.sit()
    await anns.seatMenu('Seat C', 'Seat: Easy bot')
    await page.getByText('All seats are taken. You can watch.').waitFor()
    await look('full table')

    await anns.start.click()
    await dees.round(1)
    await anns.say('The ten is mine')
    await dees.say('we shall see')
    await look('talk')
    await dees.open('Log')
    await look('log')
    await dees.open('Rules')
    await page.getByRole('searchbox').waitFor()
    await look('rules')
    await dees.open('Talk')
    await dees.button('Bring others to this table').click()
    await look('share')
    await close()
    await page.keyboard.press('?')
    await look('keys')
    await close()
    await anns.tool('Pause the table')
    await dees.stageIs('Paused').waitFor()
    await look('paused')
    await anns.stage.getByRole('button', { name: 'Go on' }).click()
    dee.line?.cut()
    await dees.lost.waitFor()
    await look('reconnecting')
    dee.line?.mend()
    await dees.lost.waitFor({ state: 'hidden' })
    if (await dees.button('Got it').isVisible()) await dees.button('Got it').click()
    await anns.button('Propose a plan').click()
    await anns.button('Propose').click()
    await page.getByText('Behind it: Ann').waitFor()
    await look('almost discuss a plan')

    for (const round of [1, 2]) {
      await Promise.all([anns, bos].map((table) => table.readyToBid.click()))
      await dees.stageIs('Bid in secret').waitFor()
      if (round === 1) {
        await anns.longer()
        await anns.key(7).click()
        await anns.lock(7).waitFor()
        await look('almost bid a draft')
        await anns.bid(7)
        await page.getByText('Ann: locked').waitFor({ state: 'attached' })
        await look('almost bid locked')
      } else await anns.bid(7)
      await bos.bid(8)
      await dees.revealed.waitFor()
      if (round === 1) {
        await anns.longer()
        await look('almost reveal')
      }
      await Promise.all([anns, bos].map((table) => table.goOn.click()))
    }
    await page.getByRole('img', { name: 'Points by round' }).waitFor()
    await look('almost end')

    const { tables, code: other } = await begun([ann, bo], { choose: { ...BANBURY, ...CALM }, numbers: { Rounds: 2 } })
    const [first, second] = tables as [AlmostTable, AlmostTable]
    await dees.visit(other)
    await Promise.all([first.enter(1_000_000_000), second.enter(123_456)])
    await Promise.all([first, second].map((table) => table.goOn.click()))
    await dees.round(2)
    await look('almost bid many numbers')
    await Promise.all([first.enter(1729), second.enter(1729)])
    await dees.revealed.waitFor()
    await first.longer()
    await look('almost reveal many numbers')
    await Promise.all([first, second].map((table) => table.goOn.click()))
    await page.getByRole('img', { name: 'Rounds won, by round' }).waitFor()
    await look('almost end many numbers')

    const street = await built([ann, bo], { choose: { ...THREE_HOUSE, ...IN_TURN, ...CALM }, switchOn: ['Private parks'] })
    const [one, two] = street.tables as [SubdivisionTable, SubdivisionTable]
    const plot = await new SubdivisionTable(dee).visit(street.code)
    await plot.board.waitFor()
    await look('subdivision parks')
    await parksSet(one, two, 7)
    let turn = 0
    await playOn([one, two], async (table) => {
      turn += 1
      if (turn === 3) await look('subdivision place a choice')
      if (turn === 12) await look('subdivision place many pieces')
      await table.build()
    })
    await page.getByRole('img', { name: 'What was earned, and what was lost' }).waitFor()
    await look('subdivision end')

    await takeoverAsWatcher(ann, bo, dee, look)
    await suckerAsWatcher(house, ann, bo, dee, look)

    const { tables: closing, code: closed } = await begun([ann], {})
    await dees.visit(closed)
    await dees.stage.waitFor()
    const tools = await (closing[0] as AlmostTable).tools()
    await tools.getByRole('switch', { name: 'Others may watch' }).uncheck()
    await page.getByRole('heading', { name: 'The host has closed this table to watchers.' }).waitFor()
    await look('closed to watchers')
  })
})
