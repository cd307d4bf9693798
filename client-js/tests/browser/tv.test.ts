/** A shared screen in the room: everybody sees the table in large type, and nobody's secrets. */
import { expect } from 'vitest'
import { Companion } from './companion.ts'
import { DESK, PHONE, scene } from './livehub.ts'
import { seated, type AlmostTable } from './games/almost/page.ts'
import { NO_TALK, UNTIMED } from './pages/home.ts'

scene('a screen for everybody in the room is no seat of whoever opened it', async (liveHub) => {
  const ann = await liveHub.person('Ann', { screen: PHONE })
  const { tables, code } = await seated([ann], { choose: { ...UNTIMED, ...NO_TALK } })
  const [hers] = tables as [AlmostTable]
  const screen = await liveHub.again(ann)
  await screen.page.setViewportSize(DESK)
  await screen.go(`/t/${code}?view=tv`)
  const { page } = screen
  await page.getByRole('heading', { name: 'Waiting for players' }).waitFor()
  // other devices cannot reach the hub of a test: a picture of its address would lead nowhere
  expect(await page.getByRole('img', { name: /QR code/ }).count()).toBe(0)
  const sign = page.getByRole('region', { name: 'Join with your phone' })
  const shown = await sign.locator('[data-code]').innerText()
  await page.getByRole('list', { name: 'At the table' }).getByText('Ann').waitFor()

  // somebody joins with the code of the link, and the screen shows it
  await Companion.sit('Bea', code)
  await page.getByRole('list', { name: 'At the table' }).getByText('Bea').waitFor()

  await hers.press(hers.start)
  await page
    .getByRole('timer')
    .or(page.getByRole('region', { name: 'What the table is waiting for' }))
    .first()
    .waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Ann' }).first().waitFor()
  await hers.bid(7) // her own page still has her seat

  // the screen, and its bytes, show only what everybody may see
  await page
    .getByRole('listitem')
    .filter({ hasText: /Ann.*done/ })
    .first()
    .waitFor()
  const main = page.getByRole('main')
  expect(await main.getByRole('button', { name: /Lock|Unlock|Ready|Take over/ }).count()).toBe(0)
  expect(await main.getByText('7', { exact: true }).count()).toBe(0)
  expect(await page.locator('[data-code]').innerText()).toBe(shown)

  // everything is in view, without scrolling
  const fits = await page.evaluate(
    () =>
      document.documentElement.scrollHeight <= innerHeight &&
      document.documentElement.scrollWidth <= innerWidth,
  )
  expect(fits).toBe(true)
})
