import { mark } from '../../../../src/app/texts/pseudo.ts'
import { scene } from '../../livehub.ts'
import { PseudoTable } from '../../pages/pseudo.ts'

scene('a game of Share and Share Alike in the pseudo-language shows no unmarked text', async (liveHub) => {
  const table = await PseudoTable.open(liveHub, 'shares')
  const { page } = table
  await table.choose('Talk about shares', 'The Whole Truth')
  await page.getByRole('switch', { name: mark('Open Market') }).check()
  await table.choose('Timers', 'Off')
  await table.inspect()
  await table.start()
  const comet = table.button('Comet')
  await comet.waitFor()
  await page.keyboard.press('3')
  await comet.and(page.locator('[aria-pressed=true]')).waitFor()
  await table.inspect()
  await page.keyboard.press('Enter')
  await comet.waitFor({ state: 'detached' })
  await page.getByText(mark('Suits and Chance chart')).click()
  await table.inspect()
  await table.inspectPanels('Deals', 'Log', 'Rules')
})
