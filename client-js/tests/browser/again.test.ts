/** Playing again: everybody comes along, after a double tap, a restart of the hub and time offline. */
import { expect } from 'vitest'
import { Hub } from '../hub.ts'
import { AlmostTable, begun } from './games/almost/page.ts'
import { PHONE, scene, type Person } from './livehub.ts'
import { BANBURY, UNTIMED } from './pages/home.ts'

/** The names of the players, in the order of their seats. */
function names({ page }: Person): Promise<string[]> {
  const seats = page.getByRole('list', { name: 'Seats' }).getByRole('listitem')
  return seats.locator('bdi').allInnerTexts()
}

scene('three people play again, and nobody waits for a link', async (liveHub) => {
  const hub = await Hub.start()
  try {
    const ann = await liveHub.person('Ann', { screen: PHONE, line: true }, hub)
    const bo = await liveHub.person('Bo', {}, hub)
    const cy = await liveHub.person('Cy', { screen: { width: 844, height: 390 } }, hub)
    const people = [ann, bo, cy]
    const { tables, code } = await begun(people, {
      choose: { ...BANBURY, ...UNTIMED },
      numbers: { Rounds: 1 },
    })
    const [anns, bos, cys] = tables as [AlmostTable, AlmostTable, AlmostTable]
    await Promise.all(tables.map((table, seat) => table.enter(seat + 1)))
    for (const table of tables) await table.press(table.goOn)
    await Promise.all(tables.map((table) => table.button('Play again (0 of 3)').waitFor()))

    const dee = await liveHub.person('Dee', {}, hub)
    await dee.go(`/t/${code}?view=tv`)
    await dee.page.getByText('The game is over').first().waitFor()

    ann.line?.cut()
    await bos.page.getByText('Change the game or the seats').click()
    await bos.page
      .getByRole('group', { name: 'Next game' })
      .getByRole('radio', { name: 'Subdivision' })
      .check()
    await bos.page.getByRole('radio', { name: 'Everybody one seat up' }).check()
    await bos.button('Play again (0 of 3)').dblclick()
    await bos.start.or(bos.ready).or(bos.button('Wait, I am not ready')).first().waitFor()
    expect(new URL(bo.page.url()).pathname).not.toBe(`/t/${code}`)
    await cys.page.getByText('Bo wants to play Subdivision next, everybody one seat up.').waitFor()

    await dee.page.getByRole('heading', { name: 'Waiting for Cy and Ann' }).waitFor()

    await hub.end('SIGKILL')
    await hub.begin()
    await cys.press(cys.button('Play again (1 of 3)'))
    await cys.page.getByText('Not here yet').first().waitFor()
    expect(await names(cy)).toEqual(['Bo', 'Cy', 'Ann'])

    ann.line?.mend()
    await ann.page.evaluate(() => dispatchEvent(new Event('online')))
    await anns.press(anns.button('Play again (2 of 3)'))
    await Promise.all(tables.map((table) => table.stage.waitFor()))
    for (const { page } of people)
      await page.getByRole('main').getByRole('region', { name: 'Subdivision' }).waitFor()
    expect(new Set(people.map(({ page }) => new URL(page.url()).pathname)).size).toBe(1)

    // the old link leads a latecomer on, and a player to the result
    await dee.go(`/t/${code}`)
    await new AlmostTable(dee).stage.waitFor()
    await cy.go(`/t/${code}`)
    await cys.button('Go to the next table (3 of 3)').waitFor()
  } finally {
    await hub.close()
  }
})
