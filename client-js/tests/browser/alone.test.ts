/** A table played alone with bots: leaving it, at the table or from the front page, ends it. */
import { expect } from 'vitest'
import { PHONE, scene } from './livehub.ts'
import { AlmostTable, begun } from './games/almost/page.ts'
import { opened, type SuckerTable } from './games/sucker/page.ts'
import { Home, UNTIMED } from './pages/home.ts'
import { playAlone } from './seating.ts'

scene('whoever leaves a table played alone ends the game, without a result', async (liveHub) => {
  const ann = await liveHub.person('Ann', { screen: PHONE })
  await playAlone(ann, 'almost')
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
  await playAlone(ann, 'almost')
  await new AlmostTable(ann).round(1)
  await new Home(ann).open()
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
      const { tables } = await begun([ann], { choose: late })
      return tables[0] as AlmostTable
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
