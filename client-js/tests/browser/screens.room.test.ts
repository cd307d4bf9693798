/** Every screen around the table, in a real game. */
import { expect } from 'vitest'
import { scene } from './livehub.ts'
import { Companion } from './companion.ts'
import { tour } from './inspector.ts'
import { AlmostTable } from './games/almost/page.ts'
import { CALM, Home, UNTIL_READY } from './pages/home.ts'
import type { TablePage } from './pages/table.ts'
import { GAMES } from '../../src/games/index.ts'
import { ROOM } from './screens.ts'

scene('every screen around the table', async (liveHub) => {
  const [ann, dee] = await Promise.all([
    liveHub.person('Ann', { line: true }),
    liveHub.person('Dee', { line: true }),
  ])
  await tour('room', { seat: ann.page, watcher: dee.page }, ROOM, async (inspect) => {
    const close = async ({ page }: { page: TablePage['page'] }): Promise<void> => {
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }

    const home = await new Home(ann).open()
    expect(await ann.page.getByRole('article').count()).toBe(Object.keys(GAMES).length)
    await inspect.seat('home')
    await ann.page.getByRole('button', { name: 'Settings' }).click()
    await inspect.seat('settings')
    await close(ann)
    await ann.page.getByRole('button', { name: 'Set your name' }).click()
    await inspect.seat('who are you')
    await close(ann)
    await home.newTableLink.click()
    await ann.page.getByLabel('Your name').waitFor()
    await inspect.seat('new table')
    await home.fillTable({ seats: 4, choose: { ...UNTIL_READY, ...CALM }, switchOn: ['Open to everybody'] })
    const anns = new AlmostTable(ann)
    const code = await anns.code()

    const deesHome = await new Home(dee).open()
    await deesHome.rooms('Open tables').filter({ hasText: 'Ann' }).waitFor()
    await inspect.watcher('home with tables')
    await dee.go('/t/BBBBBB')
    await dee.page.getByRole('heading', { name: /^There is no such table/ }).waitFor()
    await inspect.watcher('no such table')
    expect((await dee.page.goto('/nonsense'))?.status()).toBe(404)
    await dee.page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
    await inspect.watcher('nothing here')
    await dee.page.getByRole('link', { name: 'All games' }).click()
    await deesHome.play.waitFor()

    const dees = await new AlmostTable(dee).visit(code)
    const bo = await Companion.sit('Bo', code)
    await anns.seatMenu('Seat C', 'Add: Hard bot')
    await Promise.all([anns, dees].map((table) => table.seat('Hard').first().waitFor()))
    await dees.sitDown.waitFor()
    await inspect.both('waiting room')
    await anns.seatMenu('Seat D', 'Add: Easy bot')
    await dee.page.getByText('All seats are taken. You can watch.').waitFor()
    await inspect.watcher('full table')

    await anns.start.click()
    await Promise.all([anns, dees].map((table) => table.round(1)))
    await bo.says('I give you the next one')
    await anns.talk.getByText('I give you the next one').waitFor()
    await anns.say('The ten is mine then')
    await dees.say('we shall see')
    await inspect.both('panel: chat')
    const both = [anns, dees]
    await Promise.all(both.map((table) => table.open('Log')))
    await inspect.both('panel: log')
    await anns.open('Notes')
    await ann.page.getByRole('textbox', { name: /^Only you can see this/ }).fill('Cy lies')
    await inspect.seat('panel: notes')
    await Promise.all(
      both.map(async (table) => {
        await table.open('Rules')
        await table.page.getByRole('searchbox').waitFor()
      }),
    )
    await inspect.both('panel: rules')
    await Promise.all(
      both.map(async (table) => {
        await table.open('Chat')
        await table.button('Invite others to this table').click()
      }),
    )
    await inspect.both('share')
    await Promise.all(both.map(close))
    await anns.tools()
    await inspect.seat('table and seat')
    await close(anns)
    await Promise.all(both.map((table) => table.page.keyboard.press('?')))
    await inspect.both('keys')
    await Promise.all(both.map(close))
    await anns.tool('Pause the table')
    await Promise.all(both.map((table) => table.stageIs('Paused').waitFor()))
    await inspect.both('paused')
    await anns.stage.getByRole('button', { name: 'Resume' }).click()
    await anns.tool('Let the bot play for me')
    await anns.takeBack.waitFor()
    await inspect.seat('played by a bot')
    await anns.takeBack.click()
    await anns.takeBack.waitFor({ state: 'hidden' })
    for (const { line } of [ann, dee]) line?.cut()
    await Promise.all(both.map((table) => table.lost.waitFor()))
    await inspect.both('reconnecting')
    for (const { line } of [ann, dee]) line?.mend()
    await Promise.all(both.map((table) => table.lost.waitFor({ state: 'hidden' })))

    await (await anns.tools()).getByRole('switch', { name: 'Allow spectators' }).uncheck()
    await dee.page.getByRole('heading', { name: 'The host has closed this table to spectators.' }).waitFor()
    await inspect.watcher('closed to watchers')
  })
})
