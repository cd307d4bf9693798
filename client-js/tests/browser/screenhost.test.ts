/** A shared screen whose person hosts without playing: a television, a phone and somebody without a page. */
import { expect } from 'vitest'
import { Companion } from './companion.ts'
import { DESK, PHONE, scene } from './livehub.ts'
import { AlmostTable } from './games/almost/page.ts'
import { Home, NO_TALK, UNTIMED } from './pages/home.ts'
import { TablePage } from './pages/table.ts'
import { seatAll } from './seating.ts'

scene('a screen that does not play hosts the table', async (liveHub) => {
  const tess = await liveHub.person('Tess', { screen: DESK })
  await (
    await new Home(tess).open()
  ).newTable({
    seats: 3,
    choose: { ...UNTIMED, ...NO_TALK },
    switchOn: ['Host on this screen without playing'],
  })
  const { page } = tess
  await page.getByRole('heading', { name: 'Waiting for players' }).waitFor()
  expect(page.url()).toContain('view=tv')
  const code = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const host = page.getByRole('region', { name: 'Game menu' })
  const start = host.getByRole('button', { name: 'Start the game' })
  expect(await start.isDisabled()).toBe(true)
  const reason = host.getByText('The game can start once somebody has a seat.')
  await reason.waitFor()
  await tess.photograph('screenhost-empty')

  const phone = new AlmostTable(await liveHub.person('Ann', { screen: PHONE }))
  await (await phone.visit(code)).sit()
  await Companion.sit('Bea', code)
  await page.getByRole('list', { name: 'At the table' }).getByText('Bea').waitFor()
  await tess.photograph('screenhost-waiting')
  await reason.waitFor({ state: 'hidden' })
  await start.click()
  await page.getByRole('region', { name: 'What the table is waiting for' }).waitFor()
  await phone.bid(7)

  // the board takes the screen, and the tools stay small beside it
  const [board, menu] = await Promise.all([
    page.getByRole('region', { name: 'Almost', exact: true }).boundingBox(),
    host.boundingBox(),
  ])
  expect(board?.width ?? 0).toBeGreaterThan(4 * (menu?.width ?? 0))
  const fits = await page.evaluate(
    () =>
      document.documentElement.scrollHeight <= innerHeight &&
      document.documentElement.scrollWidth <= innerWidth &&
      [...document.querySelectorAll('.tv .board')].every((each) => each.scrollHeight <= each.clientHeight),
  )
  expect(fits).toBe(true)
  await tess.photograph('screenhost-playing')

  const tools = page.getByRole('dialog', { name: 'Game menu' })
  await host.getByRole('button', { name: 'Game menu' }).click()
  await tess.photograph('screenhost-tools')
  expect(await tools.getByRole('button', { name: /vote/i }).count()).toBe(0)
  await tools.getByRole('button', { name: 'Pause the table' }).click()
  await phone.page.getByText('The clock is stopped').first().waitFor()
  await page.getByRole('button', { name: 'Resume' }).first().click()
  await phone.page.getByText('The clock is stopped').first().waitFor({ state: 'hidden' })

  // a reload brings the host back
  await page.reload()
  await host.getByRole('button', { name: 'Game menu' }).waitFor()

  // a spectator's screen has no tools
  const other = await liveHub.person('Eve', { screen: DESK })
  await other.go(`/t/${code}?view=tv`)
  await other.page.getByRole('region', { name: 'What the table is waiting for' }).waitFor()
  expect(await other.page.getByRole('region', { name: 'Game menu' }).count()).toBe(0)
})

scene('a host who does not play takes a seat after all', async (liveHub) => {
  const tess = await liveHub.person('Tess', { screen: DESK })
  const name = await seatAll('almost', [tess], {
    seats: 3,
    switchOn: ['Host on this screen without playing'],
  })
  await tess.go(`/t/${name}?view=tv`)
  const { page } = tess
  await page.getByRole('region', { name: 'Game menu' }).getByRole('button', { name: 'Game menu' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Seats and bots' }).click()
  const table = new TablePage(tess)
  await table.sitDown.first().waitFor()
  await tess.photograph('screenhost-seats')
  await table.press(table.sitDown.first())
  await table.start.waitFor()
  await table.seat('Tess').getByText('Host').waitFor()
  expect(await table.start.isDisabled()).toBe(false)
})
