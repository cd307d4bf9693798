/** Bots as characters: names, faces and levels in the waiting room and at the table, and what they say. */
import { expect } from 'vitest'
import { wantsPictures } from './gallery.ts'
import { DESK, RESULTS, scene } from './livehub.ts'
import { seated, type AlmostTable } from './games/almost/page.ts'
import { CALM } from './pages/home.ts'

const NAMES = ['Amara', 'Bruno', 'Tavi', 'Noor', 'Mateo', 'Yuki', 'Zofia', 'Kwame', 'Ravi']
const PHONE = { width: 390, height: 844 }

scene('bots have names, faces and levels', async (liveHub) => {
  const ann = await liveHub.person('Ann', { screen: PHONE })
  const { tables } = await seated([ann], { seats: 4, choose: CALM })
  const [table] = tables as [AlmostTable]
  const { page } = table
  for (const [seat, level] of [
    ['Seat B', 'Easy bot'],
    ['Seat C', 'Normal bot'],
    ['Seat D', 'Hard bot'],
  ] as const)
    await table.seatMenu(seat, `Add: ${level}`)
  const seats = page.getByRole('list', { name: 'Seats' })
  const cards = seats.getByRole('listitem')
  /** The faces that have been drawn. */
  const drawn = (): Promise<number> =>
    seats
      .locator('img')
      .evaluateAll((images) => images.filter((image) => (image as HTMLImageElement).naturalWidth > 0).length)
  const inBothShapes = async (where: string, check: () => Promise<unknown>): Promise<void> => {
    for (const [shape, screen] of Object.entries({ desk: DESK, phone: PHONE })) {
      await page.setViewportSize(screen)
      await check()
      await expect.poll(drawn, { message: shape }).toBe(3)
      if (wantsPictures) await page.screenshot({ path: `${RESULTS}characters-${where}-${shape}.png` })
    }
  }
  await inBothShapes('waiting', async () => {
    for (const [index, level] of ['Easy', 'Normal', 'Hard'].entries()) {
      const card = cards.nth(index + 1)
      await card.getByText(level).first().waitFor()
      await card.getByText('bot', { exact: true }).waitFor()
      expect(NAMES.slice(3 * index, 3 * index + 3)).toContain((await card.locator('bdi').innerText()).trim())
    }
  })
  await table.press(table.start)
  await table.stage.waitFor()
  await expect.poll(drawn).toBe(3)
  await inBothShapes('table', () => table.stage.waitFor())
})
