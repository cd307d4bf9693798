/** Whole games with a single kind of input: touch on a phone, or the keyboard. */
import { expect } from 'vitest'
import { PHONE, scene, type Person } from './livehub.ts'
import type { Locator } from 'playwright-core'
import { AlmostTable } from './games/almost/page.ts'
import { CALM, Home, createTable } from './pages/home.ts'

scene('on a phone, by touch alone, from the front page to the result', async (liveHub) => {
  const ann = await liveHub.person('Ann', { screen: PHONE })
  await createTable(ann, 'almost', { seats: 3, choose: CALM })
  const table = new AlmostTable(ann)
  await table.start.tap()
  for (const round of [1, 2]) {
    await table.round(round)
    if (round === 1) {
      await table.open('Chat')
      await table.button('Trust me.').tap()
      await table.talk.getByText('Trust me.').last().waitFor() // a bot may have said so, too
      await table.open('Table')
      await table.button('Propose a plan').tap()
      const { y, height } = (await table.button('Propose').boundingBox()) ?? { y: Infinity, height: 0 }
      expect(y + height).toBeLessThan(PHONE.height)
      await table.button('Less: Number for Ann').tap()
      await table.button('Propose').tap()
      await table.button('Withdraw').tap()
      await table.button('Withdraw').waitFor({ state: 'hidden' })
    }
    await table.readyToBid.tap()
    if (round === 1) await table.bid(7)
    else await tapAndLock(table, 7)
    await table.revealed.waitFor()
    await table.open('Log')
    await table.log
      .getByText(/^The numbers in round /)
      .nth(round - 1)
      .waitFor()
    await table.open('Table')
    await table.goOn.tap()
  }
  await table.over.waitFor()
  await ann.page.getByRole('img', { name: 'Points by round' }).waitFor()
  await ann.page.getByRole('link', { name: 'Back to all games' }).tap()
  await new Home(ann).play.waitFor()
})

/** Lock as soon as the hub has the number, with a tap that waits for nothing: as quick as a finger. */
async function tapAndLock(table: AlmostTable, number: number): Promise<void> {
  const { page } = table
  await table.key(number).tap()
  await page.locator(`.key.on:not(.sent)[data-number="${number}"]`).waitFor()
  const box = await table.lock(number).boundingBox()
  if (box === null) throw new Error('nothing to lock with')
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
  await table.locked(number).or(table.revealed).first().waitFor()
}

/** Press Tab until this element has focus, and check that its focus is visible. */
async function tabTo(person: Person, wanted: Locator): Promise<void> {
  const { keyboard } = person.page
  await wanted.waitFor()
  const focused = await wanted.elementHandle()
  const hasFocus = async (): Promise<boolean> =>
    (await focused?.evaluate((element) => element === document.activeElement)) === true
  for (let presses = 0; !(await hasFocus()); presses += 1) {
    if (presses === 60) throw new Error(`pressed Tab 60 times without reaching ${wanted}`)
    await keyboard.press('Tab')
  }
  const box = await wanted.boundingBox()
  if (box === null) throw new Error(`${wanted} has focus but is not visible`)
  const clip = { x: box.x - 5, y: box.y - 5, width: box.width + 10, height: box.height + 10 }
  const withFocus = await person.page.screenshot({ clip })
  await keyboard.press('Tab')
  const without = await person.page.screenshot({ clip })
  await keyboard.press('Shift+Tab')
  expect(withFocus.equals(without), `the focus is not visible on ${wanted}`).toBe(false)
}

scene('by keys alone, with the focus in sight, from the front page to the result', async (liveHub) => {
  const ann = await liveHub.person('Ann')
  const { page } = ann
  const { keyboard } = page
  const press = (key: string): Promise<void> => keyboard.press(key)
  const home = await new Home(ann).open()
  const table = new AlmostTable(ann)

  await tabTo(ann, home.newTableLink)
  await press('Enter')
  const name = page.getByLabel('Your name')
  await tabTo(ann, name)
  await press('ControlOrMeta+a')
  await keyboard.type('Ann')
  const seats = page.getByRole('textbox', { name: 'Seats' })
  await tabTo(ann, seats)
  await press('ArrowDown')
  await press('ArrowDown')
  const talk = page.getByRole('group', { name: 'Talk before each round' })
  await tabTo(ann, talk.getByRole('radio', { checked: true }))
  await press('ArrowRight')
  await talk.getByRole('radio', { name: 'Until everyone is ready', checked: true }).waitFor()
  await tabTo(ann, page.getByRole('button', { name: 'Create the table' }))
  await press('Enter')
  await tabTo(ann, table.start)
  await press('Enter')

  await table.round(1)
  await press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await press('Escape')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'hidden' })
  await press('l')
  await table.log.waitFor()
  await press('c')
  await keyboard.type('No hands')
  await press('Enter')
  await table.talk.getByText('No hands').waitFor()
  await tabTo(ann, table.button('Propose a plan'))
  await press('Enter')
  const bid = page.getByRole('textbox', { name: 'Number for Ann' })
  await tabTo(ann, bid)
  await press('ArrowDown')
  await tabTo(ann, table.button('Propose'))
  await press('Enter')
  await table.button('Withdraw').waitFor()
  await tabTo(ann, table.readyToBid)
  await press('Enter')

  await table.pad.waitFor()
  await press('9')
  await table.chosen(9).waitFor()
  await tabTo(ann, table.key(9))
  await press('ArrowRight')
  await press('Space')
  await table.chosen(10).waitFor()
  await tabTo(ann, table.lock(10))
  await press('Enter')
  await table.revealed.waitFor()
  await press('Enter')

  await table.round(2)
  await table.readyToBid.waitFor()
  await press('Enter')
  await table.pad.waitFor()
  await press('4')
  await table.lock(4).waitFor()
  await press('Enter')
  await table.revealed.waitFor()
  await press('Enter')
  await table.over.waitFor()
  await tabTo(ann, table.button('Play again'))
  await press('Enter')
  await table.round(1)
  await table.readyToBid.waitFor()
})
