/** Somebody who is out of a game that only bots still play; leaving such a table is in alone.test.ts. */
import { expect } from 'vitest'
import { Hub } from '../hub.ts'
import { PHONE, scene } from './livehub.ts'
import { opened, toRescue, type SuckerTable } from './games/sucker/page.ts'
import { CALM } from './pages/home.ts'

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
