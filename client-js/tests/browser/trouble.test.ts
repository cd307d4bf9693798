/** Trouble at a table: lines cut, a hub killed, seats abandoned, duplicate or late clicks; reloads: reload.soak.ts. */
import { expect } from 'vitest'
import type { Sections } from '../../src/sdk/index.ts'
import { Hub } from '../hub.ts'
import type { Companion } from './companion.ts'
import { scene } from './livehub.ts'
import { begunBeside } from './games/almost/companions.ts'
import { AlmostTable } from './games/almost/page.ts'
import { CALM, NO_TALK, UNTIL_READY } from './pages/home.ts'

scene(
  'a page that is offline for 20 s while bidding: the seat is kept, and what was done there counts once',
  async (liveHub) => {
    const ann = await liveHub.person('Ann', { line: true })
    const { tables, companions } = await begunBeside([ann], ['Bo', 'Cy'], {
      choose: { ...CALM, ...NO_TALK },
    })
    const [anns] = tables as [AlmostTable]
    const [bo, cy] = companions as [Companion, Companion]
    await anns.key(3).click()
    await anns.chosen(3).waitFor()
    await ann.context.setOffline(true)
    ann.line?.cut()
    await anns.lost.waitFor()
    await bo.when(({ presence }) => presence?.connected[0] === false)
    await anns.key(7).click()
    await anns.lock(7).click()
    const back = bo.table.clock.now() + 20_000
    await expect.poll(() => bo.table.clock.now(), { interval: 500 }).toBeGreaterThan(back)
    expect(await anns.locked(7).count()).toBe(0)

    await ann.context.setOffline(false)
    ann.line?.mend()
    await anns.lost.waitFor({ state: 'hidden' })
    await anns.locked(7).waitFor()
    await bo.when((sections) => (sections as Sections<'almost'>).readiness?.done[0] === true)
    for (const each of [bo, cy]) await each.does({ move: 'lock', number: 1 })
    await ann.page.getByText('Ann picked 7 and scores').waitFor({ state: 'attached' })
  },
)

scene(
  'a hub killed under an open page: the table is where it was, and is played to the end',
  async (liveHub) => {
    const hub = await Hub.start()
    try {
      const { tables, companions } = await begunBeside(
        [await liveHub.person('Bo', {}, hub)],
        ['Ann', 'Cy'],
        { choose: { ...CALM, ...NO_TALK } },
        hub,
      )
      const [bos] = tables as [AlmostTable]
      const [ann, cy] = companions as [Companion, Companion]
      await ann.does({ move: 'lock', number: 5 })
      await bos.key(6).click()
      await bos.chosen(6).waitFor()
      await bos.page.getByText('Ann: locked').waitFor({ state: 'attached' })
      await bos.answer('Saved. Now lock it.').waitFor({ state: 'hidden' })
      const story = await bos.story()
      const seconds = await bos.secondsLeft()
      const readAt = performance.now()
      await bos.page.waitForLoadState('networkidle') // what comes after the first view
      await hub.end('SIGKILL')
      const goneAt = performance.now()
      await bos.lost.waitFor()
      await hub.begin()
      const backAt = performance.now()
      await bos.lost.waitFor({ state: 'hidden' })
      const later = await bos.secondsLeft()
      // The clock has run only while there was a hub. Both readings are whole seconds, and the hub is ready a
      // moment before it says so: three seconds are allowed for that.
      const ran = (goneAt - readAt + performance.now() - backAt) / 1000
      expect(seconds - later).toBeLessThanOrEqual(ran + 3)
      await bos.button('Got it').or(bos.stage).first().waitFor()
      await Promise.all(
        [ann, cy].map((each) => each.when(({ presence }) => presence?.connected.every(Boolean) === true)),
      )
      await expect.poll(() => bos.story(), { timeout: 30_000 }).toBe(story)

      await bos.lock(6).click()
      await cy.does({ move: 'lock', number: 6 })
      await bos.page.getByText('Ann picked 5 and scores').waitFor({ state: 'attached' })
      await bos.goOn.click()
      for (const each of [ann, cy]) await each.does({ move: 'continue' })
      await bos.round(2)
      for (const each of [ann, cy]) await each.does({ move: 'lock', number: 5 })
      await bos.bid(5)
      await bos.goOn.click()
      for (const each of [ann, cy]) await each.does({ move: 'continue' })
      await bos.page.getByRole('heading', { name: 'Almost! Nobody made it.' }).waitFor()
    } finally {
      await hub.close()
    }
  },
)

scene('a bot keeps a seat and gives it back; the host pauses, hands over and removes', async (liveHub) => {
  const { tables, companions } = await begunBeside(await liveHub.people('Ann', 'Bo'), ['Cy'], {
    choose: NO_TALK,
  })
  const [anns, bos] = tables as [AlmostTable, AlmostTable]
  const [cy] = companions as [Companion]

  // a bot plays for Bo, round after round, until Bo comes back
  await bos.tool('Let the bot play for me')
  await bos.page.getByText('A bot is playing for you.').waitFor()
  await anns.seat('Bo').getByText('lets a bot play').waitFor({ state: 'attached' })
  await anns.page.getByText('Bo: locked').waitFor({ state: 'attached' })
  expect(await bos.pad.count()).toBe(0)
  await bos.takeBack.click()
  await bos.unlock.click()
  await bos.pad.waitFor()
  await anns.page.getByText('Bo: still choosing').waitFor({ state: 'attached' })

  // the clock stops
  await anns.tool('Pause the table')
  await Promise.all(tables.map((table) => table.stageIs('Paused').waitFor()))
  expect(await bos.pad.count()).toBe(0)
  await anns.stage.getByRole('button', { name: 'Resume' }).click()
  await bos.pad.waitFor()

  // somebody closes their page, then comes back to the seat
  cy.leave()
  await anns.seat('Cy').getByText('not connected').waitFor({ state: 'attached' })
  const back = await cy.again()
  await anns.seat('Cy').getByText('not connected').waitFor({ state: 'detached' })

  const tools = await anns.tools()
  const bosLine = tools.getByRole('listitem').filter({ hasText: 'Bo' })
  await bosLine.getByRole('button', { name: 'Remove', exact: true }).click()
  await bosLine.getByRole('button', { name: 'Remove for good' }).click()
  await bos.page.getByRole('heading', { name: 'You were removed from this table.' }).waitFor()
  await tools
    .getByRole('listitem')
    .filter({ hasText: 'Cy' })
    .getByRole('button', { name: 'Make host' })
    .click()
  await tools.getByRole('button', { name: 'Close' }).click()
  await back.when(({ table }) => table?.host === 2)
  await back.manages({ do: 'pause' })
  await anns.stageIs('Paused').waitFor()
})

scene('clicks that come twice, too late, or from two tabs at once', async (liveHub) => {
  const ann = await liveHub.person('Ann', { line: true })
  const { tables, companions } = await begunBeside([ann], ['Bo'], { choose: { ...UNTIL_READY, ...CALM } })
  const [anns] = tables as [AlmostTable]
  const [bo] = companions as [Companion]
  const tab = new AlmostTable(await ann.secondTab())
  await Promise.all([anns, tab].map((table) => table.round(1)))
  await anns.readyToBid.dblclick()
  await anns.page.getByRole('button', { name: /^Wait, I am not ready/ }).waitFor()
  await bo.does({ move: 'ready' })

  // two tabs choose different numbers: one of them counts, in both tabs
  await Promise.all([anns.key(2).click(), tab.key(5).click()])
  const both = [anns, tab]
  await expect
    .poll(async () => {
      const shown = await Promise.all(
        both.map(async (table) => (await table.chosen(2).count()) * 2 + (await table.chosen(5).count()) * 5),
      )
      return shown[0] === shown[1] ? shown[0] : 0
    })
    .toBeGreaterThan(0)
  await Promise.all([anns.key(2).click(), tab.key(5).click()])
  // one of them may be too late, with its button gone
  await Promise.any(both.map((table) => table.button(/^Lock \d$/).dblclick()))
  await Promise.all(both.map((table) => table.unlock.waitFor()))
  const [mine, other] = await Promise.all(
    both.map((table) => table.page.getByText(/^Locked: \d$/).innerText()),
  )
  expect(mine).toBe(other)

  // play continues without a page that is cut off, whose click is then too late
  await bo.does({ move: 'lock', number: 9 })
  await Promise.all([anns, tab].map((table) => table.revealed.waitFor()))
  ann.line?.cut()
  await anns.lost.waitFor()
  await anns.goOn.click()
  await bo.does({ move: 'continue' })
  await bo.when((sections) => (sections as Sections<'almost'>).stage?.round === 2)
  ann.line?.mend()
  const refused = anns.answer('Refused: Too late: the game has moved on. Look at the board and choose again.')
  await refused.waitFor()
  expect(await anns.coveredBy(refused)).toEqual([])
  await anns.round(2)
  await anns.readyToBid.waitFor()
})
