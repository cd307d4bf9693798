/** Phones beside a shared screen that hosts the table are hands. The other games: tests/browser/besidescreen.soak.ts. */
import { expect } from 'vitest'
import { besideScreen, checkSides, PhoneTable, UPRIGHT } from './besidescreen.ts'
import { scene } from './livehub.ts'
import { CALM } from './pages/home.ts'

scene('a phone beside a shared screen is a hand, and goes on as a table without it', async (liveHub) => {
  const ann = await liveHub.person('Ann', { screen: UPRIGHT })
  const { screen, tables } = await besideScreen(liveHub, 'almost', [ann], { seats: 3, choose: CALM })
  const [phone] = tables as [PhoneTable]
  const { page } = phone
  await phone.shows('Hand')
  const plans = page.getByRole('region', { name: 'Almost', exact: true })
  await checkSides(phone, 'almost')

  // a swipe, a tab and a key turn to the other side
  await phone.turnTo('Hand')
  await phone.swipe('Board')
  await plans.waitFor()
  await page.keyboard.press('h')
  await phone.shows('Hand')
  await phone.side('Hand').focus()
  await page.keyboard.press('ArrowRight')
  await phone.shows('Board')
  expect(await phone.hand.getAttribute('inert')).not.toBeNull() // keys and screen readers skip what is out of sight

  // what is being written outlives the screen, which may be gone for a moment
  await phone.turnTo('Hand')
  await phone.hand.getByRole('button', { name: 'Propose a plan' }).tap()
  await phone.hand.getByRole('button', { name: 'Less: Number for Ann' }).tap()
  const notes = page.getByRole('textbox', { name: /^Only you can see this/ })
  await notes.fill('Bo keeps his w')
  const table = screen.page.url()
  await screen.page.goto('about:blank')
  await notes.press('o')
  await phone.showsTable()
  await notes.press('r')
  await notes.press('d')
  expect(await notes.inputValue()).toBe('Bo keeps his word')
  await phone.open('Table')
  await page.getByRole('textbox', { name: 'Number for Ann' }).waitFor()
  expect(await page.getByRole('textbox', { name: 'Number for Ann' }).inputValue()).toBe('9')
  await screen.page.goto(table)
  await phone.shows('Hand')
  await phone.hand.getByRole('button', { name: 'Propose', exact: true }).tap()
  await phone.hand.getByRole('button', { name: 'Withdraw' }).waitFor()
  expect(await notes.inputValue()).toBe('Bo keeps his word')

  // whoever wants the board first has it
  await phone.tool('Settings')
  await page.getByRole('switch', { name: /^Your hand first/ }).uncheck()
  await page.keyboard.press('Escape')
  await phone.showsTable()
})
