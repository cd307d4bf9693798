/** Games in the pseudo-language: any unmarked text did not come from a catalogue. */
import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { compile } from '../../build/texts.ts'
import { mark, markMessage } from '../../src/app/texts/pseudo.ts'
import { Words } from '../../src/app/words.ts'
import { scene, type Person } from './livehub.ts'
import { unmarked } from './marks.ts'

scene('a game in the pseudo-language shows no unmarked text', async (liveHub) => {
  const ann = await liveHub.person('Åŋŋ', { lang: 'x-pseudo' })
  const dee = await liveHub.person('Ðèé', { lang: 'x-pseudo' })
  const { page } = ann
  const words = new Words('en', false)
  const button = (text: string, number = 0): Locator =>
    page.getByRole('button', { name: words.format(markMessage(compile(text)), { number }), exact: true })
  const inspect = async (person: Person, more: readonly string[] = []): Promise<void> =>
    expect(await unmarked(person, more)).toEqual([])

  await ann.go('/')
  await button('Play now').first().waitFor()
  await inspect(ann, ['Ann']) // an open table may show her name
  await page
    .getByRole('link', { name: mark('New table') })
    .first()
    .click()
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
  const code = link.slice(-6)
  await inspect(ann, [code])
  await dee.go(`/t/${code}`)
  await dee.page.getByText(mark('Watching')).waitFor()
  await inspect(dee, [code])

  await button('Start the game').click()
  await button('Propose a plan').click()
  await button('Propose').click()
  await button('Withdraw').waitFor()
  await inspect(ann, [code])
  for (const tab of ['Log', 'Notes', 'Rules', 'Talk']) {
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
    await page.getByRole('button', { name: mark('I am ready to bid') }).click()
    const pad = page.getByRole('group', { name: mark('Your number') })
    await pad.getByRole('button', { name: '7', exact: true }).click()
    await button('Lock {number}', 7).waitFor()
    await inspect(ann, [code])
    await button('Lock {number}', 7).click()
    await button('Continue').waitFor()
    await Promise.all([inspect(ann, [code]), inspect(dee, [code])])
    if (round === 1) await page.getByRole('tab', { name: mark('Log') }).click()
    await button('Continue').click()
  }
  await page.getByRole('img', { name: mark('Points by round') }).waitFor()
  await Promise.all([inspect(ann, [code]), inspect(dee, [code])])
})

scene('a game of Subdivision shows none either', async (liveHub) => {
  const ann = await liveHub.person('Åŋŋ', { lang: 'x-pseudo' })
  const { page } = ann
  const inspect = async (more: readonly string[] = []): Promise<void> =>
    expect(await unmarked(ann, more)).toEqual([])

  await ann.go('/?new=subdivision')
  await page.getByLabel(mark('Your name')).fill(ann.name)
  await page
    .getByRole('group', { name: mark('Parks') })
    .getByRole('radio', { name: mark('Drawn by the host') })
    .check()
  await inspect(['a1 a6 c3'])
  await page
    .getByRole('group', { name: mark('Parks') })
    .getByRole('radio', { name: mark('Symmetric') })
    .check()
  await page.getByRole('button', { name: mark('Create the table') }).click()
  const start = page.getByRole('button', { name: mark('Start the game') })
  await start.waitFor()
  const code = (await page.getByText(/\/t\//).innerText()).slice(-6)
  await inspect([code])
  await start.click()
  await page.getByRole('group', { name: mark('Size') }).waitFor()
  await page.getByRole('grid').focus()
  await page.keyboard.press('ArrowUp')
  await inspect([code])
  await page.getByRole('tab', { name: mark('Log') }).click()
  await inspect([code])
  await page.getByRole('tab', { name: mark('Rules') }).click()
  await page.getByRole('tabpanel', { name: mark('Rules') }).waitFor()
  await inspect([code])
})

scene('a game of Takeover shows none either', async (liveHub) => {
  const ann = await liveHub.person('Åŋŋ', { lang: 'x-pseudo' })
  const { page } = ann
  const inspect = async (more: readonly string[] = []): Promise<void> =>
    expect(await unmarked(ann, more)).toEqual([])

  await ann.go('/?new=takeover')
  await page.getByLabel(mark('Your name')).fill(ann.name)
  const seats = page.getByRole('textbox', { name: mark('Seats') })
  await seats.fill('2')
  await seats.blur()
  await page
    .getByRole('group', { name: mark('Timers') })
    .getByRole('radio', { name: mark('Off') })
    .check()
  await inspect()
  await page.getByRole('button', { name: mark('Create the table') }).click()
  const start = page.getByRole('button', { name: mark('Start the game') })
  await start.waitFor()
  const code = (await page.getByText(/\/t\//).innerText()).slice(-6)
  await inspect([code])
  await start.click()
  const lock = page.getByRole('button', { name: mark('Lock: all cash') })
  const take = page.getByRole('button', { name: mark('Take') })
  const takes = page.getByRole('button', { name: /^\[Ţàķë à/ })
  for (let pick = 0; ; pick += 1) {
    await take.or(lock).first().waitFor()
    if (await lock.isVisible()) break
    await page
      .getByRole('grid', { name: mark('Coins on the table') })
      .getByRole('gridcell', { disabled: false })
      .last()
      .click()
    await takes.waitFor()
    if (pick === 0) await inspect([code])
    await page.keyboard.press('Enter')
    await takes.waitFor({ state: 'hidden' })
  }
  await inspect([code])
  await lock.click()
  const pass = page.getByRole('button', { name: mark('Pass') })
  await pass.waitFor()
  await page.getByRole('gridcell', { name: /\d/ }).first().click()
  await page.getByRole('tab', { name: mark('Log') }).click()
  await inspect([code])
  await page.getByRole('tab', { name: mark('Rules') }).click()
  await page.getByRole('tabpanel', { name: mark('Rules') }).waitFor()
  await inspect([code])
})

scene('a game of So Long Sucker shows none either', async (liveHub) => {
  const ann = await liveHub.person('Åŋŋ', { lang: 'x-pseudo' })
  const { page } = ann
  const inspect = async (more: readonly string[] = []): Promise<void> =>
    expect(await unmarked(ann, more)).toEqual([])

  await ann.go('/?new=sucker')
  await page.getByLabel(mark('Your name')).fill(ann.name)
  const rounds = page.getByRole('textbox', { name: mark('Rounds') })
  await rounds.fill('2')
  await rounds.blur()
  await page
    .getByRole('group', { name: mark('Timers') })
    .getByRole('radio', { name: mark('Off') })
    .check()
  await inspect()
  await page.getByRole('button', { name: mark('Create the table') }).click()
  const start = page.getByRole('button', { name: mark('Start the game') })
  await start.waitFor()
  const code = (await page.getByText(/\/t\//).innerText()).slice(-6)
  await inspect([code])
  await start.click()
  await page.getByText(mark('Who is next?')).click()
  await page.getByRole('group', { name: mark('Your chips') }).waitFor({ timeout: 120_000 })
  await page
    .getByRole('group', { name: mark('Your chips') })
    .getByRole('button', { disabled: false })
    .first()
    .click()
  await page.getByRole('button', { name: mark('New pile'), exact: true }).click()
  const places = page.getByRole('button', { name: mark('Start a new pile') }).and(page.locator(':enabled'))
  await places.waitFor()
  await inspect([code])
  await page.keyboard.press('Enter')
  await places.waitFor({ state: 'hidden' })
  await page.getByRole('tab', { name: mark('Log') }).click()
  await inspect([code])
  await page.getByRole('tab', { name: mark('Rules') }).click()
  await page.getByRole('tabpanel', { name: mark('Rules') }).waitFor()
  await inspect([code])
})

scene('a game of Share and Share Alike shows none either', async (liveHub) => {
  const ann = await liveHub.person('Åŋŋ', { lang: 'x-pseudo' })
  const { page } = ann
  const inspect = async (more: readonly string[] = []): Promise<void> =>
    expect(await unmarked(ann, more)).toEqual([])

  await ann.go('/?new=shares')
  await page.getByLabel(mark('Your name')).fill(ann.name)
  await page
    .getByRole('group', { name: mark('Talk about shares') })
    .getByRole('radio', { name: mark('The Whole Truth') })
    .check()
  await page.getByRole('switch', { name: mark('Open Market') }).check()
  await page
    .getByRole('group', { name: mark('Timers') })
    .getByRole('radio', { name: mark('Off') })
    .check()
  await inspect()
  await page.getByRole('button', { name: mark('Create the table') }).click()
  const start = page.getByRole('button', { name: mark('Start the game') })
  await start.waitFor()
  const code = (await page.getByText(/\/t\//).innerText()).slice(-6)
  await inspect([code])
  await start.click()
  const comet = page.getByRole('button', { name: mark('Comet'), exact: true })
  await comet.waitFor()
  await page.keyboard.press('3')
  await comet.and(page.locator('[aria-pressed=true]')).waitFor()
  await inspect([code])
  await page.keyboard.press('Enter')
  await comet.waitFor({ state: 'detached' })
  await page.getByText(mark('Suits and Chance chart')).click()
  await inspect([code])
  for (const tab of ['Deals', 'Log', 'Rules']) {
    await page.getByRole('tab', { name: mark(tab) }).click()
    await page.getByRole('tabpanel', { name: mark(tab) }).waitFor()
    await inspect([code])
  }
})
