/** A table played alone with bots: leaving it, at the table or from the front page, ends it. */
import { expect } from 'vitest'
import { PHONE, scene } from './livehub.ts'
import { AlmostTable } from './games/almost/page.ts'
import { Home } from './pages/home.ts'

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
