/** Coming back to a table in a new page: what happened in the meantime, and the seat's own doings. */
import { expect } from 'vitest'
import { DESK, PHONE, scene } from './livehub.ts'
import { AlmostTable, begun, seated } from './games/almost/page.ts'
import { CALM, NO_TALK } from './pages/home.ts'

const SIDEWAYS = { width: 844, height: 390 }

scene('a new page lists what happened, in three lines that cover no control', async (liveHub) => {
  const [ann, bo] = [await liveHub.person('Ann'), await liveHub.person('Bo', { screen: PHONE })]
  const { tables, code } = await begun([ann, bo], { choose: { ...CALM, ...NO_TALK } })
  const [anns] = tables as [AlmostTable, AlmostTable]
  const seconds = await anns.secondsLeft()
  await bo.page.close()
  await anns.seat('Bo').getByText('not connected').waitFor({ state: 'attached' })
  for (let times = 0; times < 2; times += 1) {
    await anns.tool('Pause the table')
    await anns.stage.getByRole('button', { name: 'Resume' }).click()
  }
  await anns.countsDownTo(seconds - 6)
  const back = new AlmostTable(await liveHub.again(bo))
  await back.visit(code)
  const missed = back.page.getByRole('complementary', { name: 'While you were away' })
  for (const screen of [PHONE, DESK, SIDEWAYS]) {
    await back.page.setViewportSize(screen)
    await missed.waitFor()
    expect(await missed.getByRole('listitem').count()).toBe(3)
    await back.pad.waitFor()
    if (screen !== SIDEWAYS) await expect.poll(() => back.coveredBy(missed)).toEqual([])
    else {
      // the tray scrolls under it
      await expect.poll(async () => (await missed.boundingBox())?.height ?? Infinity).toBeLessThan(80)
      await back.person.photograph('returning-side')
    }
  }
  await back.bid(2)
  await back.button('Got it').click()
  await missed.waitFor({ state: 'detached' })
})

scene('a page whose line was cut lists what happened meanwhile', async (liveHub) => {
  const ann = await liveHub.person('Ann')
  const bo = await liveHub.person('Bo', { line: true })
  const { tables } = await begun([ann, bo], { choose: { ...CALM, ...NO_TALK } })
  const [anns, bos] = tables as [AlmostTable, AlmostTable]
  bo.line?.cut()
  await anns.seat('Bo').getByText('not connected').waitFor({ state: 'attached' })
  await anns.tool('Pause the table')
  await anns.stage.getByRole('button', { name: 'Resume' }).click()
  await anns.timer.waitFor()
  bo.line?.mend()
  await bo.page.evaluate(() => dispatchEvent(new Event('online')))
  const missed = bo.page.getByRole('complementary', { name: 'While you were away' })
  await missed.getByText('The host paused the table.').waitFor()
  await bos.pad.waitFor()
})

scene('whoever stands up or leaves reads so, and their seat shows it', async (liveHub) => {
  const { tables } = await seated(await liveHub.people('Ann', 'Bo'), { choose: NO_TALK })
  const [anns, bos] = tables as [AlmostTable, AlmostTable]
  const notice = bos.page.getByRole('region', { name: 'Notice' })
  await bos.seatMenu('Bo', 'Stand up')
  await notice.getByText('You stood up. You are watching now.').waitFor()
  await bos.sit()
  await anns.start.click()
  await Promise.all(tables.map((table) => table.round(1)))
  const tools = await bos.tools()
  await tools.getByRole('button', { name: 'Leave the game' }).click()
  await tools.getByRole('button', { name: 'Leave for good' }).click()
  await notice.getByText('You left the game. You are watching now.').waitFor()
  await anns.seat('Bo').getByText('left; a bot plays on').waitFor({ state: 'attached' })
})
