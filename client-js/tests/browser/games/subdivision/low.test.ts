/** On a landscape phone, the whole board is in view, in the largest game and in the lesson, with squares to be tapped. */
import { expect } from 'vitest'
import { scene } from '../../livehub.ts'
import { Home, UNTIMED } from '../../pages/home.ts'
import { built, SubdivisionTable } from './page.ts'

const LOW = [
  { width: 640, height: 360 },
  { width: 844, height: 390 },
]
const LEAST_SQUARE = 24

async function expectWholeBoard(table: SubdivisionTable, rows: number): Promise<void> {
  for (const screen of LOW) {
    await table.page.setViewportSize(screen)
    await table.page.locator('.page.short').waitFor()
    const box = await table.board.boundingBox()
    const size = `${screen.width}x${screen.height}`
    expect((box?.y ?? 0) + (box?.height ?? Infinity), size).toBeLessThanOrEqual(screen.height)
    expect(box?.y, size).toBeGreaterThanOrEqual(0)
    expect((box?.width ?? 0) / (rows + 0.4), size).toBeGreaterThanOrEqual(LEAST_SQUARE)
  }
}

scene('Subdivision: a landscape phone shows the whole board', async (liveHub) => {
  const ann = await liveHub.person('Ann', { screen: { width: 844, height: 390 } })
  const { tables } = await built([ann], { seats: 4, choose: UNTIMED })
  const [table] = tables as [SubdivisionTable]
  await table.myTurn.waitFor()
  await expectWholeBoard(table, 8)

  await new Home(ann).open()
  await ann.press(ann.page.getByRole('button', { name: 'Learn Subdivision in three minutes' }))
  await ann.page.locator('[data-step="1"]').waitFor({ timeout: 20_000 })
  await expectWholeBoard(new SubdivisionTable(ann), 5)
})

scene(
  'Subdivision: on a landscape phone, a line stands whole on the stage and covers no control',
  async (liveHub) => {
    const [ann, bo] = [
      await liveHub.person('Ann', { screen: { width: 844, height: 390 } }),
      await liveHub.person('Bo'),
    ]
    const { tables } = await built([ann, bo], { choose: UNTIMED })
    const [anns, bos] = tables as [SubdivisionTable, SubdivisionTable]
    await bos.say('Would you be so kind as to leave me a4, and build somewhere else on your next two turns?')
    const heard = anns.page.getByRole('button', { name: /^Bo Would .*Open the chat$/ })
    await heard.waitFor()
    const [line, stage] = [await heard.boundingBox(), await anns.stage.boundingBox()]
    if (line === null || stage === null) throw new Error('the line or the stage is not in sight')
    expect(line.y).toBeGreaterThanOrEqual(stage.y)
    expect(line.y + line.height).toBeLessThanOrEqual(stage.y + stage.height)
    expect(await heard.evaluate((each) => each.scrollHeight <= each.clientHeight)).toBe(true)
  },
)
