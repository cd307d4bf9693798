/** A watcher follows a seat: its moves stand out on the board and in the log, and the page remembers whose. */
import { expect } from 'vitest'
import { begun } from './games/almost/page.ts'
import { DESK, scene } from './livehub.ts'
import { NO_TALK, UNTIMED } from './pages/home.ts'
import { TablePage } from './pages/table.ts'

scene('a watcher follows a seat, by pointer and by key, and the browser remembers it', async (liveHub) => {
  const [ann] = await liveHub.people('Ann')
  const { tables, code } = await begun([ann], { choose: { ...UNTIMED, ...NO_TALK } })
  const watcher = await liveHub.person('Wil', { screen: DESK })
  const table = await new TablePage(watcher).visit(code)
  const { page } = table
  const follow = (name: string, pressed?: boolean) =>
    page.getByRole('button', {
      name: `Follow ${name}`,
      exact: true,
      ...(pressed !== undefined && { pressed }),
    })

  // whoever plays has nothing to follow
  expect(await tables[0]?.page.getByRole('button', { name: /^Follow/ }).count()).toBe(0)

  await follow('Ann').click()
  await follow('Ann', true).waitFor()
  await page.getByRole('log', { name: 'News' }).getByText('You follow Ann.').waitFor({ state: 'attached' })
  await table.open('Log')
  await table.log
    .getByRole('listitem')
    .filter({ hasText: /Followed:\s*Ann/ })
    .first()
    .waitFor()
  const bot = await table.nameAt('B')
  const others = table.log.getByRole('listitem').filter({ hasText: bot })
  for (const line of await others.allInnerTexts()) expect(line).not.toContain('Followed')
  const ring = (letter: string): Promise<string> =>
    page
      .getByRole('region', { name: 'Almost' })
      .locator('svg.mark', { hasText: letter })
      .first()
      .evaluate((mark) => getComputedStyle(mark).filter)
  await expect.poll(() => ring('A')).toContain('drop-shadow')
  expect(await ring('B')).toBe('none')

  // it is remembered for this table
  await page.reload()
  await follow('Ann', true).waitFor()
  await table.open('Log')
  await page.getByRole('button', { name: 'Stop following Ann' }).waitFor()

  // by keyboard: the next seats in turn, then none
  await page.getByRole('region', { name: 'Almost' }).focus()
  await page.keyboard.press('f')
  await follow(bot, true).waitFor()
  await follow(bot).press('Enter')
  await follow(bot, false).waitFor()
  await page.getByRole('button', { name: /^Stop following/ }).waitFor({ state: 'detached' })
})
