/** A whole game of Share and Share Alike by keyboard alone. */
import { scene } from '../../livehub.ts'
import { beginByKeys } from './keys.ts'

scene('Share and Share Alike by keys alone, against bots, to the end', async (liveHub) => {
  const table = await beginByKeys(liveHub)
  // with number keys, Enter and Tab, whatever the cards do
  while (await table.turnComes()) await table.spend()
  await table.worths.waitFor()
  await table.open('Log')
  await table.log
    .getByRole('listitem')
    .filter({ hasText: /Ann.* played/ })
    .first()
    .waitFor()
})
