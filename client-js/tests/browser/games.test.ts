/** A whole game, and how pages load. */
import type { Request, WebSocket } from 'playwright-core'
import { expect } from 'vitest'
import { Companion, lastOf } from './companion.ts'
import { PHONE, scene, type Person } from './livehub.ts'
import { AlmostTable, begun } from './games/almost/page.ts'
import { CALM, Home, NO_TALK, UNTIL_READY, UNTIMED } from './pages/home.ts'
import { TablePage } from './pages/table.ts'

/** The game that is the largest: build/firstload.ts measures all. */
const LARGEST = 'Share and Share Alike'

scene(
  'Almost: a person, a second tab and a watcher, by code and by link, and two without pages, to the result',
  async (liveHub) => {
    const [ann, dee] = await liveHub.people('Ann', 'Dee')
    await (
      await new Home(ann).open()
    ).newTable({
      seats: 3,
      choose: { ...UNTIL_READY, ...CALM },
      switchOn: ['Open to everybody'], // a private table's code would only let them ask to come in
    })
    const anns = new AlmostTable(ann)
    const link = await anns.link()
    const code = await anns.code()

    // join with the code in any case, and with the link entered in the field
    const dees = new AlmostTable(dee)
    await (await new Home(dee).open()).join(code.toLowerCase())
    await dees.sitDown.waitFor()
    await (await new Home(dee).open()).join(link)
    const companions = await Companion.sitAll(['Bo', 'Cy'], code)
    const [bo, cy] = companions as [Companion, Companion]
    await dee.page.getByText('All seats are taken. You can watch.').waitFor()

    for (const each of companions) await each.manages({ do: 'ready', ready: true })
    await ann.page.getByText('Everybody is here.').waitFor()
    await anns.start.click()
    const tab = new AlmostTable(await ann.secondTab())
    const all = [anns, tab, dees]
    await Promise.all(all.map((table) => table.round(1)))

    await anns.say('Give me the ten, and Bo the rest')
    await Promise.all(all.map((table) => table.talk.getByText('Give me the ten, and Bo the rest').waitFor()))
    await dees.say('they will lie')
    await cy.says('Agreed?')
    await Promise.all(all.map((table) => table.talk.getByText('Agreed?').waitFor()))
    for (const table of [anns, tab]) expect(await table.talk.getByText('they will lie').count()).toBe(0)
    await ann.page.getByText('1 watching').waitFor()
    expect(await dee.page.getByText(/and \d+ other/).count()).toBe(0)

    await anns.button('Propose a plan').click()
    const wanted = ann.page.getByRole('textbox', { name: 'Number for Ann' })
    expect(await wanted.inputValue()).toBe('10')
    await ann.page.getByText('You would score 10.').first().waitFor()
    await anns.button('Propose').click()
    await bo.when(() => bo.offers('agree').length > 0)
    await bo.does(lastOf(bo.offers(), 'agree') ?? { move: 'agree' })
    await Promise.all(all.map((table) => table.page.getByText('Backed by: Ann and Bo').waitFor()))

    const rounds = [
      [10, 1, 1], // Ann has ten
      [1, 1, 10], // Cy has ten
    ] as const
    for (const [index, bids] of rounds.entries()) {
      const round = index + 1
      await Promise.all([anns.readyToBid.click(), ...companions.map((each) => each.does({ move: 'ready' }))])
      await Promise.all(all.map((table) => table.stageIs('Pick in secret').waitFor()))
      if (round === 1) {
        await anns.talkClosed.waitFor()
        await anns.key(4).click()
        await tab.chosen(4).waitFor()
        await tab.bid(bids[0])
        await anns.locked(bids[0]).waitFor()
        await anns.unlock.click()
        await tab.lock(bids[0]).waitFor()
        await dee.page.getByText('Ann: still choosing').waitFor({ state: 'attached' })
      }
      await Promise.all([
        anns.bid(bids[0]),
        ...companions.map((each, index) => each.does({ move: 'lock', number: bids[index + 1] })),
      ])
      await Promise.all(all.map((table) => table.revealed.waitFor()))
      const results = await Promise.all(all.map((table) => table.results()))
      expect(new Set(results).size, results.join('\n')).toBe(1)
      if (round === 1) {
        await tab.page.close()
        all.splice(all.indexOf(tab), 1)
      }
      await Promise.all([anns.goOn.click(), ...companions.map((each) => each.does({ move: 'continue' }))])
    }

    await Promise.all(all.map((table) => table.over.waitFor()))
    await ann.page.getByRole('heading', { name: 'You share the win!' }).waitFor()
    await dees.page.getByRole('heading', { name: 'Ann and Cy win together' }).waitFor()
    await Promise.all(all.map((table) => table.page.getByRole('img', { name: 'Points by round' }).waitFor()))
    const results = await Promise.all(all.map((table) => table.results()))
    expect(new Set(results).size, results.join('\n')).toBe(1)

    const [record] = await Promise.all([
      dee.page.waitForEvent('download'),
      dee.page.getByRole('link', { name: 'Download the record' }).click(),
    ])
    expect(record.suggestedFilename()).toContain('parley')
  },
)

scene('one click plays against bots of the chosen level, without a clock', async (liveHub) => {
  const ann = await liveHub.person('Ann')
  const home = await new Home(ann).open()
  await home.level.selectOption('Hard bots')
  const [request] = await Promise.all([
    ann.page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/rooms')),
    home.play.click(),
  ])
  expect(request.postDataJSON()).toMatchObject({ bots: 'hard', options: { timers: 'off' } })
  const table = new AlmostTable(ann)
  await table.round(1)
  expect(await table.timer.count()).toBe(0)
  expect(await table.button(/^Last call/).count()).toBe(0)
  await table.readyToBid.click()
  await table.bid(3)
  await table.revealed.waitFor()
  expect(await table.timer.count()).toBe(0)
  await table.goOn.click()
  await table.round(2)

  // leave in the middle of the game and come back
  await ann.page.getByRole('link', { name: 'All games' }).click()
  const mine = ann.page.getByRole('region', { name: 'Your tables' })
  await mine.getByRole('link').click()
  await table.round(2)

  // a table that is hidden is still there
  const address = ann.page.url()
  await ann.page.getByRole('link', { name: 'All games' }).click()
  await mine.getByRole('button', { name: /^Hide this table: Almost/ }).click()
  await mine.waitFor({ state: 'detached' })
  await ann.page.reload()
  await home.play.waitFor()
  expect(await mine.count()).toBe(0)
  await ann.go(new URL(address).pathname)
  await table.round(2)
})

/** What had been asked for when the first view was drawn, in bytes over the line; at a first visit, fonts come later. */
async function firstLoad({ page, context }: Person): Promise<number> {
  const device = await context.newCDPSession(page)
  await device.send('Network.enable')
  await device.send('Network.setCacheDisabled', { cacheDisabled: true })
  await page.reload()
  await page.waitForFunction(() => performance.getEntriesByName('first view').length > 0)
  return page.evaluate(() => {
    const drawn = performance.getEntriesByName('first view')[0]?.startTime ?? NaN
    return [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .filter(({ name, startTime }) => startTime <= drawn && !name.endsWith('.woff2'))
      .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).transferSize, 0)
  })
}

scene('home and the largest table load at most 120 KB for their first view', async (liveHub) => {
  const loads: Record<string, number> = {}
  const ann = await liveHub.person('Ann', { screen: PHONE, fresh: true })
  const home = await new Home(ann, LARGEST).open()
  loads.home = await firstLoad(ann)
  await home.play.click()
  await new TablePage(ann).stage.waitFor()
  loads[LARGEST] = await firstLoad(ann)
  console.info(
    Object.entries(loads)
      .map(([name, bytes]) => `${name} ${(bytes / 1000).toFixed(1)} KB`)
      .join(', '),
  )
  for (const [name, bytes] of Object.entries(loads)) {
    expect(bytes, name).toBeGreaterThan(50_000) // it includes the files that make up the page
    expect(bytes, name).toBeLessThan(120_000)
  }
})

scene('the table and the place are asked for once, and early', async (liveHub) => {
  const ann = await Companion.host('Ann', {})
  await ann.manages({ do: 'start' })

  const bo = await liveHub.person('Bo', { fresh: true })
  const loaded: Request[] = []
  const sockets: WebSocket[] = []
  bo.page.on('websocket', (socket) => sockets.push(socket))
  bo.page.on('requestfinished', (request) => loaded.push(request))
  await bo.go(`/t/${ann.code}`)
  await new AlmostTable(bo).round(1)
  expect(sockets).toHaveLength(1)
  const asked = loaded.map((request) => `${request.method()} ${new URL(request.url()).pathname}`)
  const early = asked.filter((request) => request.includes('/api/rooms/')).toSorted()
  expect(early, 'each is asked once, by the early script').toEqual([
    expect.stringMatching(/^GET \/api\/rooms\/[\w-]+$/),
    expect.stringMatching(/^POST \/api\/rooms\/[\w-]+\/enter$/),
  ])
})

scene('a first visit has its view before its scripts, and keeps the socket', async (liveHub) => {
  const ann = await liveHub.person('Ann')
  await begun([ann], { choose: { ...UNTIMED, ...NO_TALK } })
  const storage = await ann.context.storageState()

  const again = await liveHub.person('Ann', { more: { storageState: storage } })
  const sent: (string | Buffer)[] = []
  let received: () => void = () => undefined
  const view = new Promise<void>((resolve) => (received = resolve))
  again.page.on('websocket', (socket) => {
    let frames = 0
    socket.on('framesent', ({ payload }) => sent.push(payload))
    socket.on('framereceived', () => (frames += 1) === 2 && received()) // a welcome, then the view
  })
  await again.page.route(/assets\/table-.*\.js/, async (route) => {
    await view
    await route.continue()
  })
  await again.go(new URL(ann.page.url()).pathname)
  const table = new AlmostTable(again)
  await table.bid(3)
  await table.revealed.waitFor()
  const hellos = sent.filter((payload) => payload.includes('hello'))
  expect(hellos).toHaveLength(1)
})

scene('a clock five minutes ahead changes nothing', async (liveHub) => {
  const wrong = await liveHub.person('Ann', { clockAhead: 300_000 })
  const right = await liveHub.person('Bo')
  const { tables } = await begun([wrong, right], { choose: { ...CALM, ...NO_TALK } })
  const [anns, bos] = tables as [AlmostTable, AlmostTable]
  await Promise.all(tables.map((table) => table.key(1).waitFor()))
  const [mine, theirs] = await Promise.all([anns.secondsLeft(), bos.secondsLeft()])
  expect(Math.abs(mine - theirs)).toBeLessThanOrEqual(1)
  expect(mine).toBeGreaterThan(5)
  await anns.bid(2)
  await bos.bid(3)
  await anns.revealed.waitFor()
  const [after, before] = await Promise.all([anns.secondsLeft(), bos.secondsLeft()])
  expect(Math.abs(after - before)).toBeLessThanOrEqual(1)
  expect(await anns.results()).toBe(await bos.results())
})
