/** A hub killed under the pages of another; trouble with a hub of its own is in trouble.test.ts. */
import { Hub, Store } from '../hub.ts'
import { scene } from './livehub.ts'
import { AlmostTable, begun } from './games/almost/page.ts'
import { CALM, NO_TALK } from './pages/home.ts'

type Three = [AlmostTable, AlmostTable, AlmostTable]

scene('a killed hub: the pages of another hub that shares its store play on there', async (liveHub) => {
  const store = await Store.start()
  const hubs = await Hub.startTogether(store, 2)
  try {
    const [owner, other] = hubs as [Hub, Hub]
    const ann = await liveHub.person('Ann', {}, owner)
    const bo = await liveHub.person('Bo', {}, other)
    const cy = await liveHub.person('Cy', {}, other)
    const { tables } = await begun([ann, bo, cy], { choose: { ...CALM, ...NO_TALK } })
    const [anns, bos, cys] = tables as Three
    await anns.bid(5)
    await bos.key(6).click()
    await bos.chosen(6).waitFor()
    await bos.answer('Saved, but not locked').waitFor({ state: 'hidden' })

    await owner.end('SIGKILL')
    await Promise.all([bos, cys].map((table) => table.lost.waitFor()))
    await Promise.all([bos, cys].map((table) => table.lost.waitFor({ state: 'hidden' })))
    await bos.seat('Ann').getByText('not connected').waitFor({ state: 'attached' })
    await bos.chosen(6).waitFor()
    await bos.lock(6).click()
    await cys.bid(6)
    await cys.page.getByText('Ann bid 5 and scores').waitFor({ state: 'attached' })
  } finally {
    await Promise.all(hubs.map((hub) => hub.close()))
    await store.close()
  }
})
