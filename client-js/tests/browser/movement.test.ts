/** What moves on a table: only what is seen to happen, briefly, in nobody's way, and not for whoever wants it still. */
import { expect } from 'vitest'
import { begun, type AlmostTable } from './games/almost/page.ts'
import { scene } from './livehub.ts'
import { idle, movements, MOVES, NOTE_MOVEMENTS } from './movement.ts'
import { NO_TALK, UNTIMED } from './pages/home.ts'

scene('hands open one by one, and the score counts', async (liveHub) => {
  const ann = await liveHub.person('Ann', { more: MOVES })
  await ann.context.addInitScript(NOTE_MOVEMENTS)
  const { tables } = await begun([ann], { choose: { ...UNTIMED, ...NO_TALK } })
  const [table] = tables as [AlmostTable]
  await table.bid(7)
  await table.revealed.waitFor()
  const unfolded = (await movements(ann.page)).filter(({ of }) => of.includes('hand')).map(({ ms }) => ms)
  expect(new Set(unfolded).size, 'each a little later than the one before').toBe(3)
  await idle(ann.page)
  await ann.page.reload()
  await table.revealed.waitFor()
  expect(await movements(ann.page)).toEqual([])
})
