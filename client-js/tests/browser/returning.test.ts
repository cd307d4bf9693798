/** Coming back to a table in a new page: what happened in the meantime, and the seat's own doings. */
import { expect } from 'vitest'
import { DESK, PHONE, scene, type Person } from './livehub.ts'
import { Companion } from './companion.ts'
import { AlmostTable } from './games/almost/page.ts'

const SIDEWAYS = { width: 844, height: 390 }
const CALM = { timers: 'relaxed', discussion: 'none' } as const

scene('a new page lists what happened, in three lines that cover no control', async (liveHub) => {
  const ann = await Companion.host('Ann', CALM)
  const bo = await liveHub.person('Bo', { screen: PHONE })
  await sitAndBegin(bo, ann)
  await bo.page.close()
  await ann.when(({ presence }) => presence?.connected[1] === false)
  for (let times = 0; times < 2; times += 1) await ann.pauses()
  const later = ann.table.clock.now() + 6_000
  await expect.poll(() => ann.table.clock.now(), { interval: 500 }).toBeGreaterThan(later)
  const back = new AlmostTable(await liveHub.again(bo))
  await back.visit(ann.code)
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
  const ann = await Companion.host('Ann', CALM)
  const bo = await liveHub.person('Bo', { line: true })
  const bos = await sitAndBegin(bo, ann)
  bo.line?.cut()
  await ann.when(({ presence }) => presence?.connected[1] === false)
  await ann.pauses()
  bo.line?.mend()
  await bo.page.evaluate(() => dispatchEvent(new Event('online')))
  const missed = bo.page.getByRole('complementary', { name: 'While you were away' })
  await missed.getByText('The host paused the table.').waitFor()
  await bos.pad.waitFor()
})

scene('whoever stands up or leaves reads so, and their seat shows it', async (liveHub) => {
  const ann = await Companion.host('Ann', CALM)
  const bos = await (await new AlmostTable(await liveHub.person('Bo')).visit(ann.code)).sit()
  const notice = bos.page.getByRole('region', { name: 'Notice' })
  await bos.seatMenu('Bo', 'Stand up')
  await notice.getByText('You stood up. You are watching now.').waitFor()
  await bos.sit()
  await ann.manages({ do: 'start' })
  await bos.round(1)
  const tools = await bos.tools()
  await tools.getByRole('button', { name: 'Leave the game' }).click()
  await tools.getByRole('button', { name: 'Leave for good' }).click()
  await notice.getByText('You left the game. You are watching now.').waitFor()
  await bos.seat('Bo').getByText('left; a bot plays on').waitFor({ state: 'attached' })
})

/** The table of this host, once this person has sat down there and the game has begun. */
async function sitAndBegin(person: Person, host: Companion): Promise<AlmostTable> {
  const table = await (await new AlmostTable(person).visit(host.code)).sit()
  await host.manages({ do: 'start' })
  await table.pad.waitFor()
  return table
}
