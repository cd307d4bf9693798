/** Every phase of Almost and Banbury, as seen by a seat and by a watcher. */
import { scene } from '../../livehub.ts'
import { tour } from '../../inspector.ts'
import { AlmostTable, begun } from './page.ts'
import { BANBURY, CALM, UNTIL_READY } from '../../pages/home.ts'
import { screensOf } from '../../screens.ts'
import { visit } from './visit.ts'

scene('every screen of Almost', async (liveHub) => {
  const [ann, bo, dee] = await liveHub.people('Ann', 'Bo', 'Dee')
  await tour('almost', { seat: ann.page, watcher: dee.page }, screensOf(visit), async (inspect) => {
    const almost = await begun([ann, bo], { choose: { ...UNTIL_READY, ...CALM } })
    const [anns, bos] = almost.tables as [AlmostTable, AlmostTable]
    const dees = await new AlmostTable(dee).visit(almost.code)
    await anns.button('Propose a plan').click()
    await anns.button('Propose').click()
    await bos.button('Back it').first().click()
    await dee.page.getByText('Backed by: Ann').waitFor()
    await anns.button('Propose a plan').click()
    await ann.page.getByRole('textbox', { name: 'Number for Ann' }).fill('10')
    await inspect.both('discuss a plan')
    for (const round of [1, 2]) {
      await anns.round(round)
      await Promise.all([anns, bos].map((table) => table.readyToBid.click()))
      await anns.pad.waitFor()
      if (round === 1) {
        await anns.button('+60 s 2 left').waitFor()
        await anns.longer()
        await anns.button('+60 s 1 left').waitFor()
        await anns.key(7).click()
        await anns.lock(7).waitFor()
        await inspect.both('bid a draft')
        await anns.lock(7).click()
        await anns.unlock.waitFor()
        await dee.page.getByText('Ann: locked').waitFor({ state: 'attached' })
        await inspect.both('bid locked')
      } else await anns.bid(7)
      await bos.bid(8)
      await Promise.all([anns, dees].map((table) => table.revealed.waitFor()))
      if (round === 1) {
        await anns.longer()
        await inspect.both('reveal')
      }
      await Promise.all([anns, bos].map((table) => table.goOn.click()))
    }
    await Promise.all(
      [ann, dee].map(({ page }) => page.getByRole('img', { name: 'Points by round' }).waitFor()),
    )
    await inspect.both('end')

    const banbury = await begun([ann, bo], { choose: { ...BANBURY, ...CALM }, numbers: { Rounds: 2 } })
    const [first, second] = banbury.tables as [AlmostTable, AlmostTable]
    await dees.visit(banbury.code)
    await Promise.all([first.enter(1_000_000_000), second.enter(123_456)])
    await Promise.all([first, second].map((table) => table.goOn.click()))
    await dees.round(2)
    await first.entry.fill('1729')
    await first.lock(1729).waitFor()
    await inspect.both('bid many numbers')
    await first.lock(1729).click()
    await second.enter(1729)
    await Promise.all([first, dees].map((table) => table.revealed.waitFor()))
    await first.longer()
    await inspect.both('reveal many numbers')
    await Promise.all([first, second].map((table) => table.goOn.click()))
    await Promise.all(
      [ann, dee].map(({ page }) => page.getByRole('img', { name: 'Rounds won, by round' }).waitFor()),
    )
    await inspect.both('end many numbers')
  })
})
