/** Coming in at a private table: by its code with the host's permission, and after a removal. */
import { expect } from 'vitest'
import { scene, RESULTS } from './livehub.ts'
import { AlmostTable } from './games/almost/page.ts'
import { CALM, Home } from './pages/home.ts'

scene('a code lets somebody ask, and the host lets them in', async (liveHub) => {
  const ann = await liveHub.person('Ann', { screen: { width: 390, height: 844 } })
  const bo = await liveHub.person('Bo')
  await (await new Home(ann).open()).newTable({ seats: 3, choose: CALM })
  const anns = new AlmostTable(ann)
  const code = await ann.page.locator('[data-code]').innerText()
  expect(code).toMatch(/^[A-Z]{8}$/)

  await (await new Home(bo).open()).join(code.toLowerCase())
  await bo.page.getByRole('heading', { name: 'Ask to come in' }).waitFor()
  expect(await bo.page.getByText('Ann').count()).toBe(0)
  await bo.page.getByLabel('Your name').fill('Bo')
  await bo.page.getByRole('button', { name: 'Ask to come in' }).click()
  await bo.page.getByRole('main').getByText('Waiting for the host to let you in').waitFor()
  const door = ann.page.getByRole('region', { name: 'Asking to come in' })
  await door.getByText('Bo asks to come in').waitFor()
  expect(await anns.coveredBy(door)).toEqual([])
  await ann.page.getByRole('log').getByText('Bo asks to come in').waitFor({ state: 'attached' })
  if (process.env.PARLEY_SCREENS) {
    for (const [width, height] of [
      [390, 844],
      [844, 390],
      [1280, 800],
    ] as const) {
      await ann.page.setViewportSize({ width, height })
      await ann.page.screenshot({ path: `${RESULTS}door-${width}.png` })
    }
    await bo.page.screenshot({ path: `${RESULTS}ask.png` })
    await ann.page.setViewportSize({ width: 390, height: 844 })
  }
  await ann.press(door.getByRole('button', { name: 'Let Bo in' }))
  const bos = new AlmostTable(bo)
  await bos.sitDown.waitFor()
  await door.waitFor({ state: 'hidden' })
  await bos.sit('Bo')

  await ann.press(ann.page.getByRole('button', { name: 'Actions for Bo' }))
  await ann.press(anns.button('Remove from the table'))
  await ann.press(anns.button('Remove for good'))
  await bo.page.getByRole('heading', { name: 'The host has removed you from this table.' }).waitFor()
  await bo.page.reload()
  await bo.page.getByRole('heading', { name: 'The host does not let you in at this table.' }).waitFor()
  const cy = await liveHub.person('Cy')
  const cys = await new AlmostTable(cy).visit(await anns.code())
  await cys.page.getByRole('heading', { name: 'Ask to come in' }).waitFor()
})

scene('somebody is muted for one person alone, and reported', async (liveHub) => {
  const ann = await liveHub.person('Ann', { screen: { width: 390, height: 844 } })
  const bo = await liveHub.person('Bo')
  await (await new Home(ann).open()).newTable({ seats: 3, choose: CALM })
  const anns = new AlmostTable(ann)
  const bos = await new AlmostTable(bo).visit(await anns.code())
  await bos.sit('Bo')
  await bos.say('You all play badly')
  await anns.open('Chat')
  await anns.press(anns.button('Mute or report Bo'))
  const dialog = ann.page.getByRole('dialog', { name: 'Bo' })
  await dialog.getByRole('switch', { name: 'Mute Bo' }).check()
  await anns.talk.getByText('1 message hidden').waitFor({ state: 'attached' })
  await dialog.getByLabel('What is wrong?').selectOption('Insults')
  if (process.env.PARLEY_SCREENS) await ann.page.screenshot({ path: `${RESULTS}conduct.png` })
  await anns.press(dialog.getByRole('button', { name: 'Send the report' }))
  const notice = ann.page.getByRole('region', { name: 'Notice' })
  await notice.getByText('Your report was sent').waitFor()
  expect(await anns.coveredBy(notice)).not.toContain('Send')
  await anns.open('Table')
  await bos.say('Really badly')
  await anns.open('Chat')
  await anns.talk.getByText('2 messages hidden').waitFor()
  if (process.env.PARLEY_SCREENS) await ann.page.screenshot({ path: `${RESULTS}muted.png` })
  expect(await anns.talk.getByText('Really badly').count()).toBe(0)
  await anns.press(anns.talk.getByRole('button', { name: /Show anyway/ }))
  await anns.talk.getByText('Really badly').waitFor()
})
