/** A store that hangs, a hub that is upgraded, and files that are missing, under open pages. */
import { expect } from 'vitest'
import { Hub, OTHER_BUILD, Store, UPGRADED } from '../hub.ts'
import { scene, type Person } from './livehub.ts'
import { AlmostTable, begun } from './games/almost/page.ts'
import { CALM, Home, NO_TALK, UNTIMED } from './pages/home.ts'
import { TablePage } from './pages/table.ts'
import { playAlone, seatAt } from './seating.ts'

const CLOCK_STOPPED =
  'The clock has stopped: the server cannot save moves right now. Yours wait until it can.'

const STEPPED_BACK =
  'The server lost the last few moments of play, so the table has gone back to an earlier point.'
/** What happens in the moment that the store loses. */
const LOST = 'From now on, the host approves newcomers.'

scene('a store that hangs, and then loses a moment: everybody is told, and goes on', async (liveHub) => {
  const store = await Store.start()
  const [hub] = (await Hub.startTogether(store, 1)) as [Hub]
  try {
    const people = [await liveHub.person('Ann', {}, hub)]
    const { tables, code } = await begun(people, { choose: { ...CALM, ...NO_TALK } })
    const [anns] = tables as [AlmostTable, ...AlmostTable[]]
    const watcher = await liveHub.person('Dee', {}, hub)
    await watcher.go(`/t/${code}`)
    await watcher.page.getByRole('timer').waitFor()

    store.freeze()
    for (const { page } of [...people, watcher]) await page.getByText(CLOCK_STOPPED).waitFor()
    const seconds = await anns.secondsLeft()
    await anns.press(anns.key(4))
    await anns.answer('Sent').waitFor()
    expect(await anns.secondsLeft()).toBe(seconds)

    store.thaw()
    for (const { page } of [...people, watcher])
      await page.getByText(CLOCK_STOPPED).waitFor({ state: 'detached' })
    await anns.chosen(4).waitFor()
    expect(seconds - (await anns.secondsLeft())).toBeLessThanOrEqual(3)
    await anns.countsDownTo(seconds - 1)

    await store.losing(async () => {
      await anns.press((await anns.tools()).getByRole('switch', { name: /^Approve newcomers/ }))
      for (const { page } of [...people, watcher])
        await page.getByRole('log', { name: 'News' }).getByText(LOST).waitFor({ state: 'attached' })
      await anns.page.keyboard.press('Escape')
    })
    await anns.press(anns.key(5)) // whatever is stored next shows the hub that the table has gone back
    for (const { page } of [...people, watcher])
      await page.getByRole('status').filter({ hasText: STEPPED_BACK }).waitFor()
    await anns.chosen(5).waitFor()
    await people[0]?.photograph('stepped-back')
    await anns.press(anns.button('Got it'))
    await anns.answer(STEPPED_BACK).waitFor({ state: 'detached' })
  } finally {
    await hub.close()
    await store.close()
  }
})

scene(
  'a hub upgraded under open pages: they reload once, and read if their game cannot go on',
  async (liveHub) => {
    const hub = await Hub.start(UPGRADED)
    try {
      const ann = await liveHub.person('Ann', {}, hub)
      const { page } = ann
      const { tables, code } = await seatAt(TablePage, 'subdivision', [ann], { choose: UNTIMED })
      const [anns] = tables as [TablePage]
      await page.getByText('A new version of Parley is ready.').waitFor()
      await page.getByRole('button', { name: 'Reload' }).click()
      await anns.start.waitFor()
      await expect.poll(() => page.getByText('A new version of Parley is ready.').count()).toBe(0)

      const bo = await liveHub.person('Bo', { fresh: true }, hub)
      const [loads, restore] = await withoutTable(bo, 1)
      await new Home(bo).open()
      // In a task of its own: a reload at once would break off a call that is still being answered.
      await bo.page.evaluate((to) => {
        history.pushState(null, '', to)
        setTimeout(() => dispatchEvent(new PopStateEvent('popstate')))
      }, `/t/${code}`)
      await bo.page.getByText('Ann', { exact: true }).first().waitFor()
      expect(loads()).toBe(2)
      await restore()
      await bo.page.close()

      const cy = await liveHub.again(bo)
      const [reloads] = await withoutTable(cy, Infinity)
      await cy.go(`/t/${code}`)
      await cy.page.getByText('Part of this page could not be loaded.').first().waitFor()
      expect(reloads()).toBe(2)
      await cy.page.close()

      // newer rules that cannot go on with the game: its people read why, and may keep its record
      await anns.start.click()
      await page.getByRole('grid', { name: /^The board/ }).waitFor()
      await page.reload()
      await anns.isWhole()
      expect(ann.trouble).toEqual([])
      await hub.end()
      await hub.begin(OTHER_BUILD)
      const sentence =
        'Newer rules could not go on with this game, so it ended without a result. Its record is kept.'
      await page.getByRole('heading', { name: sentence }).waitFor()
      const saved = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Download the record' }).click()
      expect((await saved).suggestedFilename()).toBe('game.parley.jsonl')
      await page.reload()
      await page.getByRole('heading', { name: sentence }).waitFor()
      await page.getByRole('link', { name: 'Download the record' }).waitFor()
      for (const person of [ann, bo, cy]) person.trouble.length = 0 // the browser reports missing files and refusals
    } finally {
      await hub.close()
    }
  },
)

/** Makes the files of the table's game missing for the first `times` loads of this person's page; returns a count of loads. */
async function withoutTable(
  { page }: Person,
  times: number,
): Promise<readonly [() => number, () => Promise<void>]> {
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1
  })
  const files = /\/assets\/game-[^/]*\.(js|css)$/
  await page.route(files, (route) =>
    loads <= times ? route.fulfill({ status: 404, body: '' }) : route.continue(),
  )
  return [() => loads, () => page.unroute(files)]
}

scene('rules that cannot be loaded: their panel says so, and can try again', async (liveHub) => {
  const ann = await liveHub.person('Ann')
  const { page } = ann
  await playAlone(ann, 'almost')
  const table = new AlmostTable(ann)
  await table.round(1)
  const rules = /\/assets\/almost-[^/]*\.js$/
  await page.route(rules, (route) => route.fulfill({ status: 404, body: '' }))
  const reloaded = page.waitForEvent('load') // once, as after an upgrade
  await table.open('Rules')
  await reloaded
  await table.round(1)
  await table.open('Rules')
  await page.getByText('The rules could not be loaded.').waitFor()
  await page.unroute(rules)
  await table.button('Try again').click()
  await page.getByRole('region', { name: 'Rules' }).getByRole('heading').first().waitFor()
})
