/** A private table that hears its spectators: they talk to the players, who can mute them. */
import { expect } from 'vitest'
import { AlmostTable, seated } from './games/almost/page.ts'
import { scene } from './livehub.ts'
import { UNTIL_READY } from './pages/home.ts'
import { TablePage } from './pages/table.ts'

scene('spectators talk to the players of a table that hears them, and can be muted', async (liveHub) => {
  const [ann] = await liveHub.people('Ann')
  const { tables, code } = await seated([ann], { choose: UNTIL_READY })
  const [anns] = tables as [AlmostTable]
  await anns.page.getByRole('switch', { name: /^Spectators may talk to the players/ }).check()
  await anns.start.click()
  await anns.stage.waitFor()
  const wil = await liveHub.person('Wil')
  const his = await new TablePage(wil).visit(code)
  await his.stage.waitFor()
  if (!(await his.talkBox.isVisible())) await his.open('Chat')
  await his.page.getByLabel('Send to').selectOption('To spectators only')
  await his.say('psst, spectators')
  await his.page.getByLabel('Send to').selectOption('To the players and spectators')
  await his.say('hello from the sofa')
  await anns.open('Chat')
  const line = anns.talk.getByRole('listitem').filter({ hasText: 'hello from the sofa' })
  await line.getByText('spectator').waitFor()
  expect(await anns.talk.getByText('psst').count()).toBe(0)
  await line.getByRole('button').click()
  await anns.page.getByRole('switch', { name: /^Mute/ }).check()
  await anns.page.keyboard.press('Escape')
  await line.waitFor({ state: 'detached' })
  await his.say('and again')
  await anns.page.getByText(/^2 messages hidden/).waitFor()
  expect(await anns.talk.getByText('and again').count()).toBe(0)
})
