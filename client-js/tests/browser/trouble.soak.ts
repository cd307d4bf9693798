/** A hub killed under the pages of another, and too many spectators; other trouble is in trouble.test.ts. */
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
    await bos.answer('Saved. Now lock it.').waitFor({ state: 'hidden' })

    await owner.end('SIGKILL')
    await Promise.all([bos, cys].map((table) => table.lost.waitFor()))
    await Promise.all([bos, cys].map((table) => table.lost.waitFor({ state: 'hidden' })))
    await bos.seat('Ann').getByText('not connected').waitFor({ state: 'attached' })
    await bos.chosen(6).waitFor()
    await bos.lock(6).click()
    await cys.bid(6)
    await cys.page.getByText('Ann picked 5 and scores').waitFor({ state: 'attached' })
  } finally {
    await Promise.all(hubs.map((hub) => hub.close()))
    await store.close()
  }
})

scene(
  'a table with too many spectators: the page says so, and watches once there is room',
  async (liveHub) => {
    const hub = await Hub.start(undefined, { PARLEY_WATCHERS_PER_TABLE: '1' })
    try {
      const [ann, eve, fay] = await Promise.all(
        ['Ann', 'Eve', 'Fay'].map((name) => liveHub.person(name, {}, hub)),
      )
      if (ann === undefined || eve === undefined || fay === undefined) throw new Error('nobody came')
      const { code } = await begun([ann], { choose: { ...CALM, ...NO_TALK } })
      await eve.go(`/t/${code}`)
      await ann.page.getByText('1 watching').waitFor()
      await fay.page.clock.install()
      await fay.go(`/t/${code}`)
      const full = fay.page.getByText('Too many people are watching this table.')
      await full.waitFor()
      await eve.page.close()
      await ann.page.getByText('1 watching').waitFor({ state: 'hidden' })
      await fay.page.clock.fastForward(60_000)
      await full.waitFor({ state: 'hidden' })
      await ann.page.getByText('1 watching').waitFor()
    } finally {
      await hub.close()
    }
  },
)
