import { mark } from '../../../../src/app/texts/pseudo.ts'
import { scene } from '../../livehub.ts'
import { PseudoTable } from '../../pages/pseudo.ts'

scene('a game of Takeover in the pseudo-language shows no unmarked text', async (liveHub) => {
  const table = await PseudoTable.open(liveHub, 'takeover')
  const { page } = table
  await table.set('Seats', 2)
  await table.choose('Timers', 'Off')
  await table.inspect()
  await table.start()
  const lock = page.getByRole('button', { name: mark('Lock: all cash') })
  const take = page.getByRole('button', { name: mark('Take') })
  const takes = page.getByRole('button', { name: /^\[Ţàķë à/ })
  for (let pick = 0; ; pick += 1) {
    await take.or(lock).first().waitFor()
    if (await lock.isVisible()) break
    await page
      .getByRole('grid', { name: mark('Coins on the table') })
      .getByRole('gridcell', { disabled: false })
      .last()
      .click()
    await takes.waitFor()
    if (pick === 0) await table.inspect()
    await page.keyboard.press('Enter')
    await takes.waitFor({ state: 'hidden' })
  }
  await table.inspect()
  await lock.click()
  await page.getByRole('button', { name: mark('Pass') }).waitFor()
  await page.getByRole('gridcell', { name: /\d/ }).first().click()
  await table.inspectPanels('Log', 'Rules')
})
