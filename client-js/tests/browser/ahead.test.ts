/** Plain answers set in advance: marked for their own person alone, taken back, and given when the moment comes. */
import { expect } from 'vitest'
import { PHONE, scene } from './livehub.ts'
import type { Companion } from './companion.ts'
import { begunBeside } from './games/almost/companions.ts'
import type { AlmostTable } from './games/almost/page.ts'
import { UNTIL_READY, UNTIMED } from './pages/home.ts'

scene(
  'an answer set in advance is given when the seat is asked, and nobody else sees it before',
  async (liveHub) => {
    const people = [await liveHub.person('Ann', { screen: PHONE }), await liveHub.person('Bo')]
    const { tables, companions } = await begunBeside(people, ['Cy'], {
      choose: { ...UNTIL_READY, ...UNTIMED },
    })
    const [anns, bos] = tables as [AlmostTable, AlmostTable]
    const [cy] = companions as [Companion]
    for (const table of tables) await table.person.press(table.readyToBid)
    await cy.does({ move: 'ready' })
    for (const [number, table] of tables.entries()) await table.bid(number + 1)
    await cy.does({ move: 'lock', number: 3 })
    const ahead = anns.page.getByRole('button', { name: 'In advance: I am ready to pick' })
    await anns.goOn.waitFor()
    expect(await ahead.count()).toBe(0)
    await anns.person.press(anns.goOn)
    await anns.person.press(ahead)
    const chosen = ahead.and(anns.page.locator('[aria-pressed=true]'))
    await chosen.waitFor()
    await anns.person.photograph('ahead')
    await anns.person.press(ahead)
    await chosen.waitFor({ state: 'detached' })
    await anns.person.press(ahead)
    await chosen.waitFor()
    await bos.person.press(bos.goOn)
    expect(
      await bos
        .seat('Ann')
        .getByText(/in advance/i)
        .count(),
    ).toBe(0)
    await cy.does({ move: 'continue' })
    await Promise.all(tables.map((table) => table.round(2)))
    await anns.page.getByRole('button', { name: /^Wait, I am not ready/ }).waitFor()
    await ahead.waitFor({ state: 'detached' })
    expect(await anns.readyToBid.count()).toBe(0)
  },
)
