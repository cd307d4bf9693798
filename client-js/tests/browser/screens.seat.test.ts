/** Every screen as somebody who plays sees it, in real games. */
import { expect } from 'vitest'
import { scene } from './house.ts'
import { tour } from './inspector.ts'
import { AlmostTable, begun } from './pages/almost.ts'
import { BANBURY, CALM, Home, UNTIL_READY } from './pages/home.ts'
import { built, IN_TURN, parksSet, playOn, THREE_HOUSE, type SubdivisionTable } from './pages/subdivision.ts'
import { suckerAsSeat } from './screens.sucker.ts'
import { takeoverAsSeat } from './screens.takeover.ts'
import { PHASES, SCREENS } from './screens.ts'

scene('every screen, as a seat', async (house) => {
  const ann = await house.person('Ann', { line: true })
  const bo = await house.person('Bo')
  const { page } = ann
  await tour('seat', page, SCREENS.seat, async (look) => {
    const close = async (): Promise<void> => {
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }

    const home = await new Home(ann).open()
    expect(await page.getByRole('article').count()).toBe(Object.keys(PHASES).length)
    await look('home')
    await page.getByRole('button', { name: 'Settings' }).click()
    await look('settings')
    await close()
    await page.getByRole('button', { name: 'Who are you?' }).click()
    await look('who are you')
    await close()
    await home.newTableLink.click()
    await page.getByLabel('Your name').waitFor()
    await look('new table')
    await home.fillTable({ seats: 4, choose: { ...UNTIL_READY, ...CALM } })
    const anns = new AlmostTable(ann)
    const bos = await new AlmostTable(bo).visit(await anns.code())
    await bos.sit()
    await anns.seatMenu('Seat C', 'Seat: Hard bot')
    await anns.seat('Bot C').waitFor()
    await look('waiting room')

    await anns.start.click()
    await anns.round(1)
    await bos.say('I give you the next one')
    await anns.say('The ten is mine then')
    await look('talk')
    await anns.open('Log')
    await look('log')
    await anns.open('Notes')
    await page.getByRole('textbox', { name: /^Only you see this/ }).fill('Bot C lies')
    await look('notes')
    await anns.open('Rules')
    await page.getByRole('searchbox').waitFor()
    await look('rules')
    await anns.open('Talk')
    await anns.button('Bring others to this table').click()
    await look('share')
    await close()
    await anns.tools()
    await look('table and seat')
    await close()
    await page.keyboard.press('?')
    await look('keys')
    await close()
    await anns.tool('Pause the table')
    await anns.stageIs('Paused').waitFor()
    await look('paused')
    await anns.stage.getByRole('button', { name: 'Go on' }).click()
    ann.line?.cut()
    await anns.lost.waitFor()
    await look('reconnecting')
    ann.line?.mend()
    await anns.lost.waitFor({ state: 'hidden' })
    if (await anns.button('Got it').isVisible()) await anns.button('Got it').click()
    await anns.button('Propose a plan').click()
    await anns.button('Propose').click()
    await bos.button('Stand behind it').first().click()
    await anns.button('Propose a plan').click()
    await page.getByRole('textbox', { name: 'Bid for Ann' }).fill('10')
    await look('almost discuss a plan')

    for (const round of [1, 2, 3]) {
      await anns.round(round)
      await Promise.all([anns, bos].map((table) => table.readyToBid.click()))
      await anns.pad.waitFor()
      if (round === 1) {
        await anns.button('+60 s 2 left').waitFor()
        await anns.longer()
        await anns.button('+60 s 1 left').waitFor()
        await anns.key(7).click()
        await anns.lock(7).waitFor()
        await look('almost bid a draft')
        await anns.lock(7).click()
        await anns.unlock.waitFor()
        await look('almost bid locked')
        await anns.tool('Let the bot play for me')
        await anns.takeBack.waitFor()
        await look('played by a bot')
        await anns.takeBack.click()
        await anns.unlock.waitFor()
      } else await anns.bid(7)
      await bos.bid(8)
      await anns.revealed.waitFor()
      if (round === 2) {
        await anns.longer()
        await look('almost reveal')
      }
      await Promise.all([anns, bos].map((table) => table.goOn.click()))
    }
    await page.getByRole('img', { name: 'Points by round' }).waitFor()
    await look('almost end')

    const { tables } = await begun([ann, bo], { choose: { ...BANBURY, ...CALM }, numbers: { Rounds: 2 } })
    const [first, second] = tables as [AlmostTable, AlmostTable]
    await Promise.all([first.enter(1_000_000_000), second.enter(123_456)])
    await Promise.all([first, second].map((table) => table.goOn.click()))
    await first.entry.fill('1729')
    await first.lock(1729).waitFor()
    await look('almost bid many numbers')
    await first.lock(1729).click()
    await second.enter(1729)
    await first.revealed.waitFor()
    await first.longer()
    await look('almost reveal many numbers')
    await Promise.all([first, second].map((table) => table.goOn.click()))
    await page.getByRole('img', { name: 'Rounds won, by round' }).waitFor()
    await look('almost end many numbers')

    const street = await built([ann, bo], { choose: { ...THREE_HOUSE, ...IN_TURN, ...CALM }, switchOn: ['Private parks'] })
    const [mine, theirs] = street.tables as [SubdivisionTable, SubdivisionTable]
    await mine.asked.or(mine.waits).first().waitFor()
    const begins = await mine.asked.isVisible()
    if (!begins) await theirs.setPark()
    await mine.asked.waitFor()
    await mine.tap((await mine.fitting())[0] ?? '')
    await mine.park.waitFor()
    await look('subdivision parks')
    await parksSet(mine, theirs, begins ? 7 : 6)
    let turn = 0
    await playOn([mine, theirs], async (table) => {
      turn += 1
      if (table === mine && (turn === 3 || turn === 4)) {
        await mine.pick(2)
        await mine.tap((await mine.fitting())[0] ?? '')
        await mine.place.waitFor()
        await look('subdivision place a choice')
      }
      if (table === mine && (turn === 11 || turn === 12)) await look('subdivision place many pieces')
      await table.build()
    })
    await page.getByRole('img', { name: 'What was earned, and what was lost' }).waitFor()
    await look('subdivision end')

    await takeoverAsSeat(ann, bo, look)
    await suckerAsSeat(house, ann, bo, look)
  })
})
