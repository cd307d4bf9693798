/** The waiting room’s ring of seats, with the invitation in its middle. */
import { expect } from 'vitest'
import { scene, type Person } from './livehub.ts'
import { CALM, createTable } from './pages/home.ts'

/** The texts and controls of the invitation that a seat touches, even partly. */
function touchedBySeats({ page }: Person): Promise<string[]> {
  return page.evaluate(() => {
    const seats = [...document.querySelectorAll('[aria-label=Seats] li')].map((seat) =>
      seat.getBoundingClientRect(),
    )
    const parts = [...document.querySelectorAll<HTMLElement>('.share :is(.qr, p, button)')]
    return parts.flatMap((part) => {
      const range = document.createRange()
      range.selectNodeContents(part)
      const box = part.matches('p') ? range.getBoundingClientRect() : part.getBoundingClientRect()
      const meets = seats.some(
        (seat) =>
          box.left < seat.right && seat.left < box.right && box.top < seat.bottom && seat.top < box.bottom,
      )
      return meets ? [part.textContent || 'the QR code'] : []
    })
  })
}

scene('however many seats there are, they leave the invitation free', async (liveHub) => {
  for (const [lan, counts] of [
    ['http://192.0.2.200:8420', [6, 7]],
    [undefined, [3, 7]],
  ] as const) {
    const ann = await liveHub.person('Ann', { screen: { width: 1280, height: 800 } })
    // a machine without a network has no address for other devices
    await ann.page.route('**/api/addresses', (route) =>
      route.fulfill({ json: { addresses: lan === undefined ? [] : [lan], local: true } }),
    )
    for (const seats of counts) {
      await createTable(ann, 'almost', { seats, choose: CALM })
      await ann.page.getByText(lan ?? 'Other devices cannot reach this address').waitFor()
      expect(await touchedBySeats(ann), `${seats} seats`).toEqual([])
    }
  }
})
