/** Every phase of Subdivision, as seen by a seat and by a watcher. */
import { scene } from '../../livehub.ts'
import { tour } from '../../inspector.ts'
import { UNTIMED } from '../../pages/home.ts'
import { built, IN_TURN, parksSet, playOn, SubdivisionTable, THREE_HOUSE } from './page.ts'
import { screensOf } from '../../screens.ts'
import { visit } from './visit.ts'

scene('every screen of Subdivision', async (liveHub) => {
  const [ann, bo, dee] = await liveHub.people('Ann', 'Bo', 'Dee')
  await tour('subdivision', { seat: ann.page, watcher: dee.page }, screensOf(visit), async (inspect) => {
    const street = await built([ann, bo], {
      choose: { ...THREE_HOUSE, ...IN_TURN, ...UNTIMED },
      switchOn: ['Private parks'],
    })
    const [mine, theirs] = street.tables as [SubdivisionTable, SubdivisionTable]
    const dees = await new SubdivisionTable(dee).visit(street.code)
    await dees.board.waitFor()
    await mine.prompted.or(mine.waits).first().waitFor()
    const begins = await mine.prompted.isVisible()
    if (!begins) await theirs.setPark()
    await mine.prompted.waitFor()
    await mine.tap((await mine.fitting())[0] ?? '')
    await mine.park.waitFor()
    await inspect.both('parks')
    await parksSet(mine, theirs, begins ? 7 : 6)
    let turn = 0
    await playOn([mine, theirs], async (table) => {
      turn += 1
      if (table === mine && (turn === 3 || turn === 4)) {
        await mine.pick(2)
        await mine.tap((await mine.fitting())[0] ?? '')
        await mine.place.waitFor()
        await inspect.both('place a choice')
      }
      if (table === mine && (turn === 11 || turn === 12)) {
        await inspect.both('place many pieces')
        // bots play the rest of the game
        await theirs.leaveToBot()
        await mine.tool('Let the bot play for me')
        await mine.takeBack.or(mine.over).first().waitFor()
      } else await table.build()
    })
    await Promise.all(
      [ann, dee].map(({ page }) => page.getByRole('img', { name: 'Points earned and lost' }).waitFor()),
    )
    await inspect.both('end')
  })
})
