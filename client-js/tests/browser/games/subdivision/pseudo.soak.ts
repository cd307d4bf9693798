import { mark } from '../../../../src/app/texts/pseudo.ts'
import { scene } from '../../livehub.ts'
import { PseudoTable } from '../../pages/pseudo.ts'

scene('a game of Subdivision in the pseudo-language shows no unmarked text', async (liveHub) => {
  const table = await PseudoTable.open(liveHub, 'subdivision')
  const { page } = table
  await table.choose('Parks', 'Drawn by the host')
  await table.inspect('a1 a6 c3')
  await table.choose('Parks', 'Symmetric')
  await table.start()
  await page.getByRole('group', { name: mark('Size') }).waitFor()
  await page.getByRole('grid').focus()
  await page.keyboard.press('ArrowUp')
  await table.inspect()
  await table.inspectPanels('Log', 'Rules')
})
