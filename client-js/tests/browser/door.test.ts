/** Coming in at a private table: by its code with the host's permission, and after a removal. */
import { expect } from 'vitest'
import { Companion } from './companion.ts'
import { scene } from './livehub.ts'
import { AlmostTable, seated } from './games/almost/page.ts'
import { CALM, Home } from './pages/home.ts'

scene('a code lets somebody ask, and the host lets them in', async (liveHub) => {
  const ann = await liveHub.person('Ann', { screen: { width: 390, height: 844 } })
  const bo = await liveHub.person('Bo')
  const { tables } = await seated([ann], { choose: CALM })
  const [anns] = tables as [AlmostTable]
  const code = await ann.page.locator('[data-code]').innerText()
  expect(code).toMatch(/^[A-Z]{8}$/)

  await (await new Home(bo).open()).join(code.toLowerCase())
  await bo.page.getByRole('heading', { name: 'Ask to come in' }).waitFor()
  expect(await bo.page.getByText('Ann').count()).toBe(0)
  await bo.page.getByText(`The host of the table with the code ${code} decides who comes in.`).waitFor()
  await bo.page.getByLabel('Your name').fill('Bo')
  await bo.page.getByRole('button', { name: 'Ask to come in' }).click()
  await bo.page.getByRole('main').getByText('Waiting for the host to let you in').waitFor()
  const door = ann.page.getByRole('region', { name: 'Asking to come in' })
  await door.getByText('Bo asks to come in').waitFor()
  expect(await anns.coveredBy(door)).toEqual([])
  await ann.page.getByRole('log').getByText('Bo asks to come in').waitFor({ state: 'attached' })
  await ann.photograph('door')
  await bo.photograph('ask')
  await ann.press(door.getByRole('button', { name: 'Let Bo in' }))
  const bos = new AlmostTable(bo)
  await bos.sitDown.waitFor()
  await door.waitFor({ state: 'hidden' })
  expect(await bo.page.getByLabel('Your name').count(), 'who they are was asked at the door').toBe(0)
  await bos.sit('Bo')

  await ann.press(ann.page.getByRole('button', { name: 'Actions for Bo' }))
  await ann.press(anns.button('Remove from the table'))
  await ann.press(anns.button('Remove for good'))
  await bo.page.getByRole('heading', { name: 'You were removed from this table.' }).waitFor()
  await bo.page.reload()
  await bo.page.getByRole('heading', { name: 'The host does not let you in at this table.' }).waitFor()
  const cy = await liveHub.person('Cy')
  const cys = await new AlmostTable(cy).visit(await anns.code())
  await cys.page.getByRole('heading', { name: 'Ask to come in' }).waitFor()
})

scene('somebody is muted for one person alone, and reported', async (liveHub) => {
  const ann = await liveHub.person('Ann', { screen: { width: 390, height: 844 } })
  const { tables } = await seated([ann], { choose: CALM })
  const [anns] = tables as [AlmostTable]
  const bo = await Companion.sit('Bo', await anns.code())
  await bo.says('You all play badly')
  await anns.open('Chat')
  await anns.press(anns.button('Mute or report Bo'))
  const dialog = ann.page.getByRole('dialog', { name: 'Bo' })
  await dialog.getByRole('switch', { name: 'Mute Bo' }).check()
  await anns.talk.getByText('1 message hidden').waitFor({ state: 'attached' })
  await dialog.getByLabel('What is wrong?').selectOption('Insults')
  await ann.photograph('conduct')
  await anns.press(dialog.getByRole('button', { name: 'Send the report' }))
  const notice = ann.page.getByRole('region', { name: 'Notice' })
  await notice.getByText('Your report was sent').waitFor()
  expect(await anns.coveredBy(notice)).not.toContain('Send')
  await anns.open('Table')
  await bo.says('Really badly')
  await anns.open('Chat')
  await anns.talk.getByText('2 messages hidden').waitFor()
  await ann.photograph('muted')
  expect(await anns.talk.getByText('Really badly').count()).toBe(0)
  await anns.press(anns.talk.getByRole('button', { name: /Show anyway/ }))
  await anns.talk.getByText('Really badly').waitFor()
})
