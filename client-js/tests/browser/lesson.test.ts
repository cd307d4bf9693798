/** A lesson: begun from a game's card, played step by step, left, and come back to. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { scene, type LiveHub, type Person } from './livehub.ts'
import { AlmostTable } from './games/almost/page.ts'
import { SubdivisionTable } from './games/subdivision/page.ts'
import { Home } from './pages/home.ts'

interface AlmostLesson {
  readonly ann: Person
  readonly page: Page
  readonly lesson: Locator
  readonly table: AlmostTable
  /** Its button *Go on*. */
  readonly on: Locator
  /** Wait for a step. */
  readonly step: (number: number) => Promise<void>
}

/** Ann, on a phone, at the first step of Almost's lesson. */
async function learnAlmost(liveHub: LiveHub): Promise<AlmostLesson> {
  const ann = await liveHub.person('Ann', { screen: { width: 390, height: 844 } })
  const { page } = ann
  await new Home(ann).open()
  await ann.press(page.getByRole('button', { name: 'Learn Almost in three minutes' }))
  const lesson = page.getByRole('region', { name: 'Lesson' })
  const on = lesson.getByRole('button', { name: 'Go on' })
  const step = (number: number): Promise<void> =>
    page.locator(`[data-step="${number}"]`).waitFor({ timeout: 20_000 })
  await step(1)
  return { ann, page, lesson, table: new AlmostTable(ann), on, step }
}

scene('somebody new learns Almost, errs, reloads, and leaves', async (liveHub) => {
  const { ann, page, lesson, table, on, step } = await learnAlmost(liveHub)
  await page.getByText('Reach 10 points').waitFor()
  await lesson.getByText(/You play as .+\.$/).waitFor()
  expect(await page.getByRole('button', { name: 'Invite people' }).count()).toBe(0)
  await ann.photograph('lesson-goal')
  await ann.press(on)
  await step(4) // what Bot C says, its promise, and the plan
  await lesson.getByText('Bot C I’ll take the 10 now and pick 1 next round. Promised.').waitFor() // there is no chat
  await page.getByText(/^CBot C to .+“I’ll pick 1 in round 2\.”/).waitFor() // beside the plan
  await ann.press(on)
  await step(6)

  // another move than the lesson's is refused, and changes nothing; what to press instead stands out
  await ann.press(table.readyToBid)
  await lesson.getByText('Not yet: first press “Back it”.').waitFor()
  expect(await lesson.getByText('Press “Back it”: you promise').isVisible()).toBe(true)
  expect(await table.button('Propose a plan').count()).toBe(0)
  await step(6)
  await ann.photograph('lesson-refused')
  await ann.press(table.button(/^Back it/))
  await step(9) // the bots' steps without a word go by themselves
  await ann.press(table.readyToBid)
  await step(11)

  // a reload comes back to the same step
  await page.reload()
  await step(11)

  // another choice than the lesson's is refused with the one that is meant, and nothing moves
  await ann.press(table.key(4))
  const place = await page.locator('.deck > .board').boundingBox()
  await ann.press(table.lock(4))
  await lesson.getByText('Not 4: choose 1.').waitFor()
  expect(await page.locator('.deck > .board').boundingBox()).toEqual(place)
  await ann.press(table.key(1))
  await ann.press(table.lock(1))
  await step(14) // Bot B's number, and what to press next
  await ann.photograph('lesson-reveal')
  await ann.press(page.getByRole('button', { name: 'Leave the lesson' }))
  await new Home(ann).play.waitFor()
  expect(await page.getByRole('region', { name: 'Your tables' }).count()).toBe(0)
})

scene('a learner finishes Almost, reloads, and plays against bots', async (liveHub) => {
  const { ann, page, lesson, table, on, step } = await learnAlmost(liveHub)
  await ann.press(on)
  await step(4)
  await ann.press(on)
  await step(6)
  await ann.photograph('lesson-back')
  await ann.press(table.button(/^Back it/))
  await step(9)
  await ann.press(table.readyToBid)
  await step(11)
  await ann.photograph('lesson-lock')
  await ann.press(table.lock(1))
  await step(14)
  await ann.press(table.goOn)
  await step(20) // the learner is ready by themselves
  await ann.photograph('lesson-last')
  await ann.press(table.lock(9))
  await step(23)
  await page.getByText('Broke a promise to you: ').waitFor()
  await ann.photograph('lesson-broken')
  await ann.press(table.goOn)

  // what comes next is neither dimmed nor out of sight, also after a reload
  const play = lesson.getByRole('button', { name: 'Play against easy bots' })
  const home = lesson.getByRole('link', { name: 'Back to all games' })
  for (const reloads of [true, false]) {
    await lesson.getByText('You have finished the lesson.').waitFor()
    await ann.photograph(`lesson-end-${reloads}`)
    for (const button of [play, home])
      expect(await button.evaluate((element) => getComputedStyle(element).opacity)).toBe('1')
    expect(await lesson.evaluate((element) => element.getBoundingClientRect().top)).toBeGreaterThan(0)
    if (reloads) await page.reload()
  }
  await ann.press(play)
  await table.readyToBid.waitFor()
  expect(await page.getByRole('list', { name: 'Seats' }).getByRole('listitem').count()).toBe(5)

  // the next round begins at the top, where the seats tell who is ready, however far the last was scrolled
  await page.evaluate(() => scrollTo(0, 300))
  await ann.press(table.readyToBid)
  await table.pad.waitFor()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  await ann.press(table.key(2))
  await ann.press(table.lock(2))
  await ann.press(table.goOn)
  await table.readyToBid.waitFor()
  await ann.photograph('almost-second-round')
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
})

scene('a learner on a phone asks why, reads the rule, and is back at the step', async (liveHub) => {
  const ann = await liveHub.person('Ann', { screen: { width: 390, height: 844 } })
  const { page } = ann
  await new Home(ann).open()
  await ann.press(page.getByRole('button', { name: 'Learn Subdivision in three minutes' }))
  const step = page.locator('[data-step="1"]')
  await step.waitFor({ timeout: 20_000 })
  const table = new SubdivisionTable(ann)
  const why = page.getByRole('button', { name: 'Why?' }).first()
  const sheet = page.getByRole('dialog', { name: 'What the rules say' })
  await table.tap('a1') // a park
  await ann.press(why)
  await sheet.waitFor()
  await ann.press(sheet.getByRole('button', { name: 'OK' }))
  await sheet.waitFor({ state: 'hidden' })
  expect(await table.board.isVisible()).toBe(true)
  await table.tap('a1')
  await ann.press(why)
  await sheet.waitFor()
  await page.goBack()
  await sheet.waitFor({ state: 'hidden' })
  await step.waitFor()
  expect(await table.board.isVisible()).toBe(true)
  await page.keyboard.press('l') // there is no log to show
  expect(await table.board.isVisible()).toBe(true)
})
