/** What is said while somebody looks at the board: shown for a moment over the table's name, and nowhere else. */
import { expect } from 'vitest'
import { seated, type AlmostTable } from './games/almost/page.ts'
import { scene } from './livehub.ts'
import { UNTIL_READY } from './pages/home.ts'

const UPRIGHT = { width: 390, height: 844 }
const SIDES = [
  { width: 844, height: 390 },
  { width: 640, height: 360 },
]

scene(
  'a line of chat shows above the board for a moment, covers nothing and leads to the chat',
  async (liveHub) => {
    const phone = await liveHub.person('Ann', { screen: UPRIGHT })
    const people = [phone, ...(await liveHub.people('Bo', 'Cy'))]
    const { tables } = await seated(people, { choose: UNTIL_READY })
    const [ann, bo] = tables as [AlmostTable, AlmostTable, AlmostTable]
    await ann.press(ann.start)
    for (const table of tables) await table.stage.waitFor()
    const heard = ann.page.getByRole('button', { name: /^Bo.*Open the chat$/ })
    const tops = (): Promise<unknown> =>
      ann.page.evaluate(() =>
        ['header nav', '.stage', '.board', '.tray'].map((part) =>
          JSON.stringify(document.querySelector(part)?.getBoundingClientRect()),
        ),
      )
    const before = await tops()
    await bo.say('Shall we take turns?')
    await heard.getByText('Shall we take turns?').waitFor()
    expect(await tops()).toEqual(before)
    const [line, tools] = [await heard.boundingBox(), await ann.page.locator('header nav').boundingBox()]
    expect(line?.height).toBeGreaterThanOrEqual(44)
    expect((line?.x ?? 0) + (line?.width ?? 0)).toBeLessThanOrEqual(tools?.x ?? 0)
    await phone.photograph('heard')
    for (const side of SIDES) {
      await ann.page.setViewportSize(side)
      await ann.page.locator('.page.short').waitFor()
      await heard.waitFor({ state: 'hidden' })
      const still = await tops()
      await bo.say(`Turned to ${side.width}?`)
      await heard.getByText(`Turned to ${side.width}?`).waitFor()
      expect(await tops()).toEqual(still)
      const [said, stage] = [await heard.boundingBox(), await ann.stage.boundingBox()]
      expect(said?.y).toBeGreaterThanOrEqual(stage?.y ?? Infinity)
      expect((said?.y ?? Infinity) + (said?.height ?? 0)).toBeLessThanOrEqual(
        (stage?.y ?? 0) + (stage?.height ?? 0),
      )
      const title = await ann.stage.getByRole('heading').boundingBox()
      expect(said?.y).toBeGreaterThanOrEqual((title?.y ?? Infinity) + (title?.height ?? 0) - 1)
      expect(await ann.stage.getByRole('status').count()).toBe(1) // what becomes of a press is announced
    }
    await ann.page.setViewportSize(UPRIGHT)
    await bo.say('I pick 3.')
    await bo.say('I pick 4.')
    await heard.getByText('I pick 4.').waitFor()
    expect(await heard.getByText('I pick 3.').count()).toBe(1) // the last two show
    await phone.photograph('heard-two')
    await phone.press(heard)
    await ann.talk.getByText('Shall we take turns?').waitFor()
    await ann.page.reload()
    await ann.talk.getByText('Shall we take turns?').waitFor() // a reload keeps the tab
    expect(await heard.count()).toBe(0)
    await ann.open('Table')
    await bo.say('Well?')
    await heard.getByText('Well?').waitFor()
    await heard.waitFor({ state: 'hidden' }) // it goes by itself

    // a panel that this table does not offer gives way to the board
    await ann.page.addInitScript(() => {
      const kept = sessionStorage.getItem('parley.panels')
      if (kept !== null)
        sessionStorage.setItem('parley.panels', JSON.stringify({ ...JSON.parse(kept), front: 'deals' }))
    })
    await ann.page.reload()
    await ann.page.getByRole('tab', { name: 'Table', selected: true }).waitFor()
  },
)
