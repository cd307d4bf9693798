/** A phone on the home network, where a page over plain http is trusted with little. */
import { expect, inject } from 'vitest'
import { PHONES_NAME } from './browser.ts'
import { AlmostTable } from './games/almost/page.ts'
import { scene } from './livehub.ts'
import { Home } from './pages/home.ts'

scene('on plain http a video keeps the screen on, and links can be copied', async (liveHub) => {
  const ann = await liveHub.person('Ann', {
    screen: { width: 390, height: 844 },
    more: { baseURL: `http://${PHONES_NAME}:${inject('hubPort')}` },
  })
  await ann.press((await new Home(ann).open()).play)
  const anns = new AlmostTable(ann)
  await anns.stage.waitFor()
  expect(await ann.page.evaluate(() => isSecureContext)).toBe(false)
  const notice = ann.page.getByRole('region', { name: 'Notice' })
  const video = ann.page.locator('video')
  const plays = async (): Promise<boolean> =>
    video.evaluate((it: HTMLVideoElement) => !it.paused && it.currentTime > 0 && it.videoWidth > 0)
  await notice.getByText('A silent video keeps this screen on').waitFor()
  await expect.poll(plays).toBe(true)
  expect(await video.evaluate((it: HTMLVideoElement) => it.ariaHidden)).toBe('true')

  await ann.press(ann.page.getByRole('button', { name: 'Invite' }))
  const link = await anns.link()
  expect(link).toContain(`http://${PHONES_NAME}:`)
  await ann.press(ann.page.getByRole('button', { name: 'Copy the link' }))
  await notice.getByText('Link copied').waitFor()
  await ann.page.keyboard.press('Escape')
  await anns.open('Chat')
  await anns.talkBox.focus()
  await ann.page.keyboard.press('Control+V')
  expect(await anns.talkBox.inputValue()).toBe(link)

  await ann.page.reload()
  await anns.stage.waitFor()
  await ann.page.mouse.click(2, 2)
  await expect.poll(plays).toBe(true)
  expect(await notice.count()).toBe(0)
})
