import { mark } from '../../../../src/app/texts/pseudo.ts'
import { scene } from '../../livehub.ts'
import { PseudoTable } from '../../pages/pseudo.ts'

scene('a game of So Long Sucker in the pseudo-language shows no unmarked text', async (liveHub) => {
  const table = await PseudoTable.open(liveHub, 'sucker')
  const { page } = table
  await table.set('Rounds', 2)
  await table.choose('Timers', 'Off')
  await table.inspect()
  await table.start()
  await page.getByText(mark('Who is next?')).click()
  const chips = page.getByRole('group', { name: mark('Your chips') })
  await chips.waitFor({ timeout: 120_000 })
  await chips.getByRole('button', { disabled: false }).first().click()
  await table.button('New pile').click()
  const places = page.getByRole('button', { name: mark('Start a new pile') }).and(page.locator(':enabled'))
  await places.waitFor()
  await table.inspect()
  await page.keyboard.press('Enter')
  await places.waitFor({ state: 'hidden' })
  await table.inspectPanels('Log', 'Rules')
})
