/** Playing again: everybody comes along, after a double tap, a restart of the hub and time offline. */
import { expect } from 'vitest'
import { Hub } from '../hub.ts'
import { Companion, lastOf } from './companion.ts'
import { AlmostTable } from './games/almost/page.ts'
import { PHONE, scene, type Person } from './livehub.ts'
import { BANBURY, UNTIMED } from './pages/home.ts'
import { seatAll } from './seating.ts'

/** The names of the players, in the order of their seats. */
function names({ page }: Person): Promise<string[]> {
  const seats = page.getByRole('list', { name: 'Seats' }).getByRole('listitem')
  return seats.locator('bdi').allInnerTexts()
}

/** Everybody at this table plays until the game is over, and leaves. */
async function playedToTheEnd(all: readonly Companion[]): Promise<void> {
  for (const each of all) if (each.seatOf(each.name) === 0) await each.manages({ do: 'start' })
  for (const each of all) each.plays((offers) => lastOf(offers, 'ready', 'lock', 'continue'))
  await Promise.all(all.map((each) => each.when(({ table }) => table?.status === 'finished')))
  for (const each of all) each.leave()
}

scene('three people play again, and nobody waits for a link', async (liveHub) => {
  const hub = await Hub.start()
  try {
    const ann = await liveHub.person('Ann', { screen: PHONE, line: true }, hub)
    const bo = await liveHub.person('Bo', {}, hub)
    const people = [ann, bo]
    const code = await seatAll('almost', people, {
      seats: 3,
      choose: { ...BANBURY, ...UNTIMED },
      numbers: { Rounds: 1 },
    })
    const cy = await Companion.sit('Cy', code, hub)
    await playedToTheEnd([
      cy,
      ...(await Promise.all(people.map((each) => Companion.beside(each, code, hub)))),
    ])
    const [anns, bos] = [new AlmostTable(ann), new AlmostTable(bo)]
    for (const table of [anns, bos]) await table.visit(code)
    await Promise.all([anns, bos].map((table) => table.button('Play again (0 of 3)').waitFor()))

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
    await dee.page.getByRole('heading', { name: 'Waiting for Cy and Ann' }).waitFor()

    await hub.end('SIGKILL')
    await hub.begin()
    const cys = await cy.playsAgain()
    await bo.page.getByText('Not here yet').first().waitFor()
    await expect.poll(() => names(bo)).toEqual(['Bo', 'Cy', 'Ann'])

    ann.line?.mend()
    await ann.page.evaluate(() => dispatchEvent(new Event('online')))
    await ann.page.getByText('Bo and Cy want to play Subdivision next, everybody one seat up.').waitFor()
    await anns.press(anns.button('Play again (2 of 3)'))
    await Promise.all([anns, bos].map((table) => table.stage.waitFor()))
    await cys.when(({ table }) => table?.status === 'running')
    for (const { page } of people)
      await page.getByRole('main').getByRole('region', { name: 'Subdivision' }).waitFor()
    expect(new Set(people.map(({ page }) => new URL(page.url()).pathname)).size).toBe(1)

    // the old link leads a latecomer on, and a player to the result
    await dee.go(`/t/${code}`)
    await new AlmostTable(dee).stage.waitFor()
    await bo.go(`/t/${code}`)
    await bos.button('Go to the next table (3 of 3)').waitFor()
  } finally {
    await hub.close()
  }
})
