/** Call mode, for people who talk aloud: chat is folded to phrases, and each seat has its own sound for its turn. */
import { expect } from 'vitest'
import { scene } from './livehub.ts'
import { seated, type SuckerTable } from './games/sucker/page.ts'
import { COUNT_NOTES } from './notes.ts'
import { UNTIMED } from './pages/home.ts'

scene('in call mode chat folds to phrases, and a sound tells which seat acts', async (liveHub) => {
  const ann = await liveHub.person('Ann', { fresh: true })
  await ann.context.addInitScript(COUNT_NOTES)
  const { tables } = await seated([ann], { choose: UNTIMED })
  const [table] = tables as [SuckerTable]
  const { page } = table
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('switch', { name: /^Call mode/ }).check()
  expect(await page.getByRole('switch', { name: /^Sounds/ }).isChecked()).toBe(true)
  await page.keyboard.press('Escape')
  await table.press(table.start)
  await table.stage.waitFor()

  // each turn of a bot is a low note and the seat's own
  const notes = (): Promise<number[]> => page.evaluate('notes')
  const heardSeats = async (): Promise<number> => (await notes()).filter((pitch) => pitch === 196).length
  await expect
    .poll(async () => {
      // if Ann begins, a bot plays after her
      if (await table.prompted('turn').isVisible()) await table.place('Ann')
      if (await table.prompted('choose').isVisible()) await table.give(await table.poorest())
      return heardSeats()
    })
    .toBeGreaterThan(0)
  const all = await notes()
  for (const [index, pitch] of all.entries())
    if (pitch === 196) expect([262, 294, 330, 392]).toContain(all[index + 1])

  await table.open('Chat')
  await page.getByText('Call mode: say it aloud.').waitFor()
  await page.getByRole('list', { name: 'Ready-made phrases' }).waitFor()
  expect(await table.talkBox.isVisible()).toBe(false)
  await page.getByText('Write a message').click()
  await table.say('typed after all')
})
