/** A table played alone with bots: leaving it, at the table or from the front page, ends it. */
import { expect } from 'vitest'
import { Hub } from '../hub.ts'
import { PHONE, scene } from './livehub.ts'
import { AlmostTable } from './games/almost/page.ts'
import { opened, toRescue, type SuckerTable } from './games/sucker/page.ts'
import { CALM, Home, UNTIMED } from './pages/home.ts'

scene('whoever leaves a table played alone ends the game, without a result', async (liveHub) => {
  const ann = await liveHub.person('Ann', { screen: PHONE })
  await ann.press((await new Home(ann).open()).play)
  const table = new AlmostTable(ann)
  await table.round(1)
  const tools = await table.tools()
  await ann.press(tools.getByRole('button', { name: 'Leave the game' }))
  await tools.getByText('Nobody else is playing, so this ends the game.').waitFor()
  await ann.press(tools.getByRole('button', { name: 'End the game' }))
  await ann.page.getByRole('heading', { name: 'No result' }).waitFor()
  await ann.page.getByRole('region', { name: 'Notice' }).getByText('You ended the game.').waitFor()
})

scene('a game played alone ends from the front page, where its result then stands', async (liveHub) => {
  const ann = await liveHub.person('Ann', { screen: PHONE })
  const home = await new Home(ann).open()
  await ann.press(home.play)
  await new AlmostTable(ann).round(1)
  await home.open()
  const mine = ann.page.getByRole('region', { name: 'Your tables' }).getByRole('listitem')
  await ann.press(mine.getByRole('button', { name: 'End this game: Almost' }))
  await mine.getByText('It will have no result.').waitFor()
  await ann.press(mine.getByRole('button', { name: 'Cancel' }))
  await ann.press(mine.getByRole('button', { name: 'End this game: Almost' }))
  await ann.press(mine.getByRole('button', { name: 'End the game' }))
  await mine.getByText('No result').waitFor()
  await mine.getByText('See the result').waitFor()
  expect(await mine.getByRole('button', { name: /^End/ }).count()).toBe(0)
  await ann.press(mine.getByRole('link'))
  await ann.page.getByRole('heading', { name: 'No result' }).waitFor()
})

scene(
  'whoever ends the game at a delayed table is led home, where it is no longer listed',
  async (liveHub) => {
    const ann = await liveHub.person('Ann', { screen: PHONE })
    const mine = ann.page.getByRole('region', { name: 'Your tables' }).getByRole('listitem')
    const late = { ...UNTIMED, 'Spectators see the game': '2 minutes late' }
    const begin = async (): Promise<AlmostTable> => {
      await (await new Home(ann).open()).newTable({ seats: 3, choose: late })
      const table = new AlmostTable(ann)
      await table.press(table.start)
      await table.round(1)
      return table
    }
    const tools = await (await begin()).tools()
    await ann.press(tools.getByRole('button', { name: 'Leave the game' }))
    await ann.press(tools.getByRole('button', { name: 'End the game' }))
    await ann.page.getByRole('region', { name: 'Notice' }).getByText('You ended the game.').waitFor()
    const home = new Home(ann)
    await home.play.waitFor()
    expect(await mine.count()).toBe(0)
    await begin()
    await home.open()
    await ann.press(mine.getByRole('button', { name: 'End this game: Almost' }))
    await ann.press(mine.getByRole('button', { name: 'End the game' }))
    await expect.poll(() => mine.count()).toBe(0)
  },
)

scene('whoever lets a bot play reads their own name on their turn', async (liveHub) => {
  const ann = await liveHub.person('Ann', { screen: PHONE })
  const { tables } = await opened([ann], { choose: UNTIMED })
  const [table] = tables as [SuckerTable]
  await table.prompted('turn').waitFor()
  await table.page.evaluate(() => {
    // a bot's turn may be too short for a test to look at it
    const read: string[] = []
    Object.assign(globalThis, { read })
    new MutationObserver(() => {
      read.push(document.querySelector('.stage .sentence')?.textContent.trim() ?? '')
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  await table.tool('Let the bot play for me')
  const read = (): Promise<string[]> =>
    table.page.evaluate(() => (globalThis as unknown as { read: string[] }).read)
  await expect.poll(read).toContain('Ann is placing a chip.')
  expect((await read()).filter((sentence) => /^(is|are|has|may) /.test(sentence))).toEqual([])
})

scene('whoever is out skips to the end, once only bots are still playing', async (liveHub) => {
  const hub = await Hub.start() // whose bots take their time
  try {
    const people = await Promise.all(
      ['Ann', 'Bo', 'Cy', 'Dee'].map((name) => liveHub.person(name, { screen: PHONE }, hub)),
    )
    const { tables } = await opened(people, { choose: CALM })
    const { a, b, c, d } = await toRescue(tables, tables[0] as SuckerTable)
    await c.refuse()
    await a.page.getByText('You have been eliminated. You can still talk.').waitFor()
    const skip = a.button('Skip to the end')
    expect(await skip.count()).toBe(0)
    await c.tool('Pause the table') // so that the bots do not finish before everybody has left
    for (const table of [b, d, c]) {
      const tools = await table.tools()
      await table.person.press(tools.getByRole('button', { name: 'Leave the game' }))
      await table.person.press(tools.getByRole('button', { name: 'Leave for good' }))
      await table.page.getByRole('region', { name: 'Notice' }).getByText('You left the game.').waitFor()
    }
    await a.person.press(a.button('Resume'))
    await a.person.press(skip)
    await a.over.waitFor()
    await skip.waitFor({ state: 'detached' })
    await a.open('Log')
    await a.log.getByText(`${a.person.name} skips to the end: only bots are still playing.`).waitFor()
    expect(await b.page.getByRole('button', { name: 'Skip to the end' }).count()).toBe(0)
  } finally {
    await hub.end('SIGKILL')
  }
})
