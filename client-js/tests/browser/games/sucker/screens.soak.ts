/** Every phase of So Long Sucker, as seen by a seat and by a watcher. */
import { expect } from 'vitest'
import { DESK, PHONE, scene } from '../../livehub.ts'
import { tour } from '../../inspector.ts'
import { UNTIMED } from '../../pages/home.ts'
import { opened, playOut, SuckerTable, toRescue } from './page.ts'
import { screensOf } from '../../screens.ts'
import { visit } from './visit.ts'

/** Whether the one-line view of the enemy and the ally is on screen, below the stage and above the tray. */
async function seenAt(table: SuckerTable): Promise<boolean> {
  const [stage, glance, tray] = await Promise.all(
    [table.stage, table.glance, table.prompted('rescue')].map((each) => each.boundingBox()),
  )
  return (
    !!stage && !!glance && !!tray && glance.y >= stage.y + stage.height && glance.y + glance.height <= tray.y
  )
}

scene('every screen of So Long Sucker', async (liveHub) => {
  const [ann, bo, cy, di, eve] = await liveHub.people('Ann', 'Bo', 'Cy', 'Di', 'Eve')
  await tour('sucker', { seat: ann.page, watcher: eve.page }, screensOf(visit), async (inspect) => {
    const { tables, code } = await opened([ann, bo, cy, di], { choose: UNTIMED, numbers: { Rounds: 2 } })
    const own = tables[0] as SuckerTable
    const eves = await new SuckerTable(eve).visit(code)
    await eves.piles.waitFor()
    await toRescue(
      tables,
      own,
      async (turn, { a, b, c, d }) => {
        if (turn === 0) {
          await c.press(c.chip('kill', a.person.name))
          await c.button(`Kill one of ${a.person.name}’s chips`).and(c.page.locator(':enabled')).waitFor()
          await inspect.both('kill')
        } else if (turn === 1) {
          await c.press(c.prisoner(a.person.name))
          await c.press(c.receiver(b.person.name))
          await c.button(`Give ${b.person.name} 1 chip`).and(c.page.locator(':enabled')).waitFor()
          await inspect.both('turn prisoners')
          await c.page.keyboard.press('Escape')
          await c.page.keyboard.press('Escape')
        } else if (turn === 2) {
          for (const [from, to] of [
            [c, d],
            [d, c],
          ] as const) {
            await from.press(from.prisoner(a.person.name))
            await from.press(from.receiver(to.person.name))
            await from.press(from.button(`Give ${to.person.name} 1 chip`))
            await to.prisoner(a.person.name).waitFor()
          }
        }
      },
      async ({ c, a }) => {
        await c.press(c.chip('turn', c.person.name))
        await c.press(c.pile(3).or(c.newPile).first())
        await c.page
          .getByRole('button', { name: /^(Place on pile|Start a new pile)/ })
          .and(c.page.locator(':enabled'))
          .waitFor()
        await eves.press(eves.pile(1).or(eves.newPile).first())
        await inspect.both('turn a choice')
        await c.page.keyboard.press('Escape')
        await c.page.keyboard.press('Escape')
        await c.place(c.person.name)
        await c.press(c.receiver(a.person.name))
        await c.button(`Give ${a.person.name} the turn`).and(c.page.locator(':enabled')).waitFor()
        await eves.stageIs(`${c.person.name}’s turn`).waitFor()
        await inspect.both('choose')
        await c.page.keyboard.press('Escape')
        await c.give(a.person.name)
      },
    )
    await eves.rescue.waitFor()
    // gifts made in the meantime are reported to whoever decides about the rescue
    await own.news(/ gave .* one of /).waitFor()
    await inspect.both('rescue')
    expect(await own.glance.isVisible()).toBe(false)
    await own.page.setViewportSize(PHONE)
    await own.tab('Table').waitFor()
    const toEnd = (): number => {
      scrollTo(0, document.documentElement.scrollHeight)
      return scrollY
    }
    await expect.poll(() => own.page.evaluate(toEnd)).toBeGreaterThan(0)
    await expect.poll(() => seenAt(own)).toBe(true)
    await own.page.setViewportSize(DESK)
    expect(await eves.glance.count()).toBe(0)
    // bots play the rest of the game, except for the seat under inspection
    await Promise.all(tables.filter((table) => table !== own).map((table) => table.leaveToBot()))
    const both = [own, eves]
    const charts = (): Promise<unknown> =>
      Promise.all(
        both.map(({ page }) =>
          page.getByRole('img', { name: 'Chips in hand, and what became of each pile' }).waitFor(),
        ),
      )
    await playOut([own])
    await charts()
    await inspect.both('review')
    await own.prompted('continue').click()
    await Promise.all(both.map((table) => table.hands.waitFor()))
    // bots play the whole second round
    await own.tool('Let the bot play for me')
    await eves.over.waitFor({ timeout: 120_000 })
    await charts()
    await inspect.both('end')
  })
})
