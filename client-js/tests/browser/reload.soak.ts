/** A page reloaded in every phase of a game. */
import { expect } from 'vitest'
import { scene } from './livehub.ts'
import { seated, type AlmostTable } from './games/almost/page.ts'
import { CALM } from './pages/home.ts'

type Three = [AlmostTable, AlmostTable, AlmostTable]

/** Reload, and check that nothing has changed except the time left. */
async function reload(table: AlmostTable, timed: boolean): Promise<void> {
  const story = await table.story()
  const seconds = timed ? await table.secondsLeft() : 0
  const then = performance.now()
  await table.page.reload()
  await expect.poll(() => table.story(), { timeout: 30_000 }).toBe(story)
  if (!timed) return
  const passed = (performance.now() - then) / 1000
  expect(Math.abs(seconds - (await table.secondsLeft()) - passed)).toBeLessThanOrEqual(2)
}

scene('a reload in every phase comes back to the same state and the same second', async (liveHub) => {
  const { tables } = await seated(await liveHub.people('Ann', 'Bo', 'Cy'), { choose: CALM })
  const [anns, bos, cys] = tables as Three
  await bos.ready.click()
  await anns.seat('Bo').getByText('Ready', { exact: true }).waitFor()
  await reload(anns, false)
  await reload(bos, false)

  await anns.start.click()
  await Promise.all(tables.map((table) => table.round(1)))
  await bos.say('I take one')
  await anns.talk.getByText('I take one').waitFor()
  await cys.readyToBid.click()
  await bos.readyToBid.click()
  await anns.stage.getByText('Waiting for', { exact: false }).waitFor({ state: 'detached' })
  await reload(anns, true)
  await anns.talk.getByText('I take one').waitFor()

  await anns.readyToBid.click()
  await anns.key(4).click()
  await anns.chosen(4).waitFor()
  await anns.lock(4).waitFor()
  await cys.bid(2)
  await anns.page.getByText('Cy: locked').waitFor({ state: 'attached' })
  await anns.answer('Saved. Now lock it.').waitFor({ state: 'hidden' })
  await reload(anns, true)
  await anns.chosen(4).waitFor()

  await anns.lock(4).click()
  await anns.locked(4).waitFor()
  await reload(anns, true)
  await anns.locked(4).waitFor()

  await bos.bid(2)
  await anns.revealed.waitFor()
  await reload(anns, true)
  await Promise.all(tables.map((table) => table.goOn.click()))

  for (const table of tables) await table.readyToBid.click()
  await Promise.all(tables.map((table) => table.bid(2)))
  await Promise.all(tables.map((table) => table.goOn.click()))
  await anns.page.getByRole('img', { name: 'Points by round' }).waitFor()
  await reload(anns, false)
})
