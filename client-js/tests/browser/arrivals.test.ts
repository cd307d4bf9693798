/** People who arrive in the middle of a game: on another device, and late. */
import { expect } from 'vitest'
import { scene } from './livehub.ts'
import { AlmostTable, begun } from './games/almost/page.ts'
import { NO_TALK, UNTIMED } from './pages/home.ts'

scene('a seat moves to another device, and the old one is signed out', async (liveHub) => {
  const ann = await liveHub.person('Ann')
  const phone = await liveHub.person('Ann’s phone', { screen: { width: 390, height: 844 } })
  const { tables } = await begun([ann], { choose: { ...UNTIMED, ...NO_TALK } })
  const anns = tables[0] as AlmostTable
  await ann.press(ann.page.getByRole('button', { name: 'Game menu' }))
  await ann.press(anns.button('Continue on another device'))
  const dialog = ann.page.getByRole('dialog', { name: 'Continue on another device' })
  const code = await dialog.locator('[data-transfer]').innerText()
  expect(code).toMatch(/^[A-Z]{4} [A-Z]{4}$/)
  await ann.photograph('transfer-code')

  await phone.page.goto(`/#continue=${code.replace(' ', '')}`)
  await phone.page.getByRole('heading', { name: 'Continue as' }).waitFor()
  expect(phone.page.url()).not.toContain(code.slice(0, 4))
  const check = await phone.page.locator('[data-check]').innerText()
  await phone.photograph('transfer-claimed')
  await dialog.getByText('Does it show this number?').waitFor()
  expect(await dialog.locator('[data-check]').innerText()).toBe(check)
  await ann.photograph('transfer-ask')
  await ann.press(dialog.getByRole('button', { name: 'Yes, continue there' }))

  const there = new AlmostTable(phone)
  await there.bid(7)
  await dialog.getByText('This one is signed out.').waitFor()
  await ann.press(dialog.getByRole('button', { name: 'Close' }).last())
  await ann.page.getByRole('heading', { name: 'You continue on another device.' }).waitFor()
  await ann.page.reload()
  await ann.page.getByText('You can join this game.').waitFor() // somebody new, who watches
})

scene('a latecomer takes over from a bot', async (liveHub) => {
  const [ann, bo] = await liveHub.people('Ann', 'Bo')
  const dan = await liveHub.person('Dan', { screen: { width: 390, height: 844 } })
  const { tables, code } = await begun([ann, bo], { choose: { ...UNTIMED, ...NO_TALK } })
  const [anns, bos] = tables as [AlmostTable, AlmostTable]
  const dans = await new AlmostTable(dan).visit(code)
  await dan.press(dans.button('Take over from a bot'))
  const dialog = dan.page.getByRole('dialog', { name: 'Take over from a bot' })
  await dialog.getByRole('button', { name: /^Take over from / }).waitFor()
  await dialog.getByLabel('Your name').fill('Dan')
  await dan.photograph('late')
  await ann.press(ann.page.getByRole('button', { name: 'Game menu' }))
  await ann.page.getByRole('switch', { name: /^Allow latecomers/ }).uncheck()
  await dialog.waitFor({ state: 'hidden' })
  await ann.page.getByRole('switch', { name: /^Allow latecomers/ }).check()
  await ann.page.keyboard.press('Escape')
  await bo.press(bo.page.getByRole('button', { name: 'Game menu' }))
  await bo.press(bos.button('Leave the game'))
  await bo.page.getByText('Others may take over your seat').waitFor()
  await bo.press(bos.button('Leave for good'))
  await dialog.getByRole('button', { name: 'Take over from Bo', exact: true }).dblclick()
  await dans.pad.waitFor() // the bot may have locked a number by now, which is theirs from here on
  await anns.open('Log')
  await ann.page.getByText('Dan takes over from Bo.').first().waitFor()
})
