/**
 * The app and a game in the pseudo-language: any unmarked text did not come from a catalogue. Other games have
 * their own `games/<game>/pseudo.soak.ts`.
 */
import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { compile } from '../../build/texts.ts'
import { mark, markMessage } from '../../src/app/texts/pseudo.ts'
import { Words } from '../../src/app/words.ts'
import { scene, type Person } from './livehub.ts'
import { unmarked } from './marks.ts'

scene('the app and a game of Almost in the pseudo-language show no unmarked text', async (liveHub) => {
  const ann = await liveHub.person('Åŋŋ', { lang: 'x-pseudo' })
  const dee = await liveHub.person('Ðèé', { lang: 'x-pseudo' })
  const { page } = ann
  const words = new Words('en', false)
  const named = (text: string, values = {}): { name: string; exact: true } => ({
    name: words.format(markMessage(compile(text)), values),
    exact: true,
  })
  const button = (text: string, values = {}): Locator => page.getByRole('button', named(text, values))
  const game = mark('Almost')
  const inspect = async (person: Person, more: readonly string[] = []): Promise<void> =>
    expect(await unmarked(person, more)).toEqual([])

  await ann.go('/')
  await button('Play now: {game}', { game }).waitFor()
  await inspect(ann, ['Ann']) // an open table may show her name
  await page.getByRole('link', named('New table: {game}', { game })).click()
  await page.getByLabel(mark('Your name')).fill(ann.name)
  await inspect(ann)
  const seats = page.getByRole('textbox', { name: mark('Seats') })
  await seats.fill('3')
  await seats.blur()
  await page
    .getByRole('group', { name: mark('Timers') })
    .getByRole('radio', { name: mark('Relaxed') })
    .check()
  await button('Create the table').click()
  await button('Start the game').waitFor()
  const link = await page.getByText(/\/t\//).innerText()
  const code = await page.locator('[data-code]').innerText()
  await inspect(ann, [code])
  await dee.go(`/t/${link.split('/t/')[1]}`)
  await dee.page.getByText(mark('Watching')).waitFor()
  await inspect(dee, [code])

  await button('Start the game').click()
  await button('Propose a plan').click()
  await button('Propose').click()
  await button('Withdraw').waitFor()
  await inspect(ann, [code])
  for (const tab of ['Log', 'Notes', 'Rules', 'Chat']) {
    await page.getByRole('tab', { name: mark(tab) }).click()
    await page.getByRole('tabpanel', { name: mark(tab) }).waitFor()
    await inspect(ann, [code])
  }
  for (const tool of ['Invite others to this table', 'Game menu', 'Keyboard shortcuts', 'Settings']) {
    await button(tool).click()
    await page.getByRole('dialog').waitFor()
    await inspect(ann, [code])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  await inspect(dee, [code])

  for (const round of [1, 2]) {
    await page.getByRole('button', { name: mark('I am ready to pick') }).click()
    const pad = page.getByRole('group', { name: mark('Your number') })
    await pad.getByRole('button', { name: '7', exact: true }).click()
    await button('Lock {number}', { number: 7 }).waitFor()
    await inspect(ann, [code])
    await button('Lock {number}', { number: 7 }).click()
    await button('Continue').waitFor()
    await Promise.all([inspect(ann, [code]), inspect(dee, [code])])
    if (round === 1) await page.getByRole('tab', { name: mark('Log') }).click()
    await button('Continue').click()
  }
  await page.getByRole('img', { name: mark('Points by round') }).waitFor()
  await Promise.all([inspect(ann, [code]), inspect(dee, [code])])
})
