/** Sounds are offered once, and played for what happens at the table. */
import { expect } from 'vitest'
import { Companion } from './companion.ts'
import { AlmostTable } from './games/almost/page.ts'
import { DESK, PHONE, scene } from './livehub.ts'
import { COUNT_NOTES } from './notes.ts'
import { Home, NO_TALK, UNTIMED } from './pages/home.ts'

scene('sounds are offered once, and tell a reveal from a turn', async (liveHub) => {
  const ann = await liveHub.person('Ann', { fresh: true })
  await ann.context.addInitScript(COUNT_NOTES)
  await ann.context.addInitScript(`localStorage.getItem('asked') ?? localStorage.removeItem('parley.settings')
    localStorage.setItem('asked', 'yes')`)
  await (await new Home(ann).open()).newTable({ seats: 3, choose: { ...UNTIMED, ...NO_TALK } })
  const table = new AlmostTable(ann)
  const offer = ann.page.getByRole('region', { name: 'Hear when it is your turn?' })
  await offer.waitFor()
  expect(await table.coveredBy(offer)).toEqual([])
  await ann.page.setViewportSize(PHONE)
  expect(await table.coveredBy(offer)).toEqual([])
  await ann.page.setViewportSize(DESK)
  // whoever waits at the door comes first
  await Companion.ask('Bo', await table.share.locator('[data-code]').innerText())
  await table.press(table.button('Refuse Bo'))
  await offer.getByRole('button', { name: 'Turn sounds on' }).click()
  await offer.waitFor({ state: 'hidden' })
  const notes = (): Promise<number[]> => ann.page.evaluate('notes')
  expect(await notes()).toEqual([587, 880])
  await table.press(table.start)
  await table.bid(7)
  await table.revealed.waitFor()
  expect((await notes()).slice(2)).toEqual(expect.arrayContaining([440, 554, 659]))
  await ann.page.reload()
  await table.revealed.waitFor()
  expect(await offer.count()).toBe(0)
  expect(await notes(), 'what was heard before is not heard again').not.toContain(440)
})
