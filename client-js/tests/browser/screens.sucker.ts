/** The screens of So Long Sucker, for the tours of all screens. */
import type { House, Person } from './house.ts'
import type { Look } from './inspector.ts'
import { UNTIMED } from './pages/home.ts'
import { opened, playOut, SuckerTable, toRescue } from './pages/sucker.ts'

const MATCH = { choose: UNTIMED, numbers: { Rounds: 2 } }

export async function suckerAsSeat(house: House, ann: Person, bo: Person, look: Look): Promise<void> {
  const more = await house.people('Cy', 'Di')
  const { tables } = await opened([ann, bo, ...more], MATCH)
  const own = tables[0] as SuckerTable
  await toRescue(tables, own, async (turn, { a, b, c }) => {
    if (turn === 0) {
      await c.press(c.chip('kill', a.person.name))
      await c.button(`Kill a chip of ${a.person.name}`).and(c.page.locator(':enabled')).waitFor()
      await look('sucker kill')
    } else if (turn === 1) {
      await c.press(c.prisoner(a.person.name))
      await c.press(c.receiver(b.person.name))
      await c.button(`Give ${b.person.name} 1 chip`).and(c.page.locator(':enabled')).waitFor()
      await look('sucker turn prisoners')
      await c.page.keyboard.press('Escape')
      await c.page.keyboard.press('Escape')
    }
  }, async ({ c, a }) => {
    await c.press(c.chip('turn', c.person.name))
    await c.press(c.pile(3).or(c.newPile).first())
    await c.page.getByRole('button', { name: /^(Place on pile|Begin a new pile)/ }).and(c.page.locator(':enabled')).waitFor()
    await look('sucker turn a choice')
    await c.page.keyboard.press('Escape')
    await c.page.keyboard.press('Escape')
    await c.place(c.person.name)
    await c.press(c.receiver(a.person.name))
    await c.button(`Give ${a.person.name} the move`).and(c.page.locator(':enabled')).waitFor()
    await look('sucker choose')
    await c.page.keyboard.press('Escape')
    await c.give(a.person.name)
  })
  await look('sucker rescue')
  await playOut(tables)
  await own.page.getByRole('img', { name: 'Chips in hand, and what became of each pile' }).waitFor()
  await look('sucker review')
  await Promise.all(tables.map((table) => table.asked('continue').click()))
  await own.hands.waitFor()
  await playOut(tables)
  await own.page.getByRole('img', { name: 'Chips in hand, and what became of each pile' }).waitFor()
  await look('sucker end')
}

export async function suckerAsWatcher(house: House, ann: Person, bo: Person, dee: Person, look: Look): Promise<void> {
  const more = await house.people('Cy', 'Di')
  const { tables, code } = await opened([ann, bo, ...more], MATCH)
  const seen = await new SuckerTable(dee).visit(code)
  await seen.piles.waitFor()
  await toRescue(tables, tables[0] as SuckerTable, async (turn) => {
    if (turn === 0) await look('sucker kill')
    else if (turn === 1) {
      await seen.press(seen.pile(1).or(seen.newPile).first())
      await look('sucker turn a choice')
    } else if (turn === 5) await look('sucker turn prisoners')
  }, async ({ c, a }) => {
    await c.place(c.person.name)
    await c.asked('choose').waitFor()
    await seen.stageIs(`Turn of ${c.person.name}`).waitFor()
    await look('sucker choose')
    await c.give(a.person.name)
  })
  await seen.rescue.waitFor()
  await look('sucker rescue')
  await playOut(tables)
  await seen.page.getByRole('img', { name: 'Chips in hand, and what became of each pile' }).waitFor()
  await look('sucker review')
  await Promise.all(tables.map((table) => table.asked('continue').click()))
  await seen.hands.waitFor()
  await playOut(tables)
  await seen.over.waitFor()
  await look('sucker end')
}
