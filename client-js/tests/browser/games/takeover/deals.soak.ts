/** Trades in Takeover by touch on a phone, and by keyboard alone. */
import { expect } from 'vitest'
import { PHONE, scene } from '../../livehub.ts'
import { Inspector } from '../../inspector.ts'
import { Deals } from '../../pages/deals.ts'
import { CALM } from '../../pages/home.ts'
import { inPlay, opened, type TakeoverTable } from './page.ts'

/** The widest possible name; a phone must still have room for everything else. */
const WIDE = 'W'.repeat(24)
function rightOf(box: { x: number; width: number } | null): number {
  return box === null ? Infinity : box.x + box.width
}

scene('Takeover: deals by touch on a phone, and by keys alone', async (liveHub) => {
  const ann = await liveHub.person('Ann', { screen: PHONE })
  const bo = await liveHub.person(WIDE)
  const { tables } = await opened([ann, bo], { choose: CALM })
  await inPlay(tables)
  const [anns, bos] = tables as [TakeoverTable, TakeoverTable]
  const [touch, keys] = [new Deals(anns), new Deals(bos)]
  const { keyboard } = bo.page
  const tabTo = async (name: string | RegExp): Promise<void> => {
    const wanted = bo.page
      .getByRole('button', { name })
      .or(bo.page.getByRole('radio', { name }))
      .and(bo.page.locator(':focus'))
    for (let presses = 0; (await wanted.count()) === 0; presses += 1) {
      if (presses === 80) throw new Error(`pressed Tab 80 times without reaching ${name}`)
      await keyboard.press('Tab')
    }
  }

  // Bo proposes with the keyboard
  await keyboard.press('d')
  await tabTo('New offer')
  await keyboard.press('Enter')
  const [coin = ''] = await keys.mine()
  await tabTo(coin)
  await keyboard.press('Space')
  await tabTo(/^Cash/)
  await keyboard.press('ArrowRight')
  await keyboard.press('ArrowRight')
  await tabTo('One more: any coin')
  await keyboard.press('Enter')
  await keys.says(`You give Ann ${coin}, and want any coin.`).waitFor()
  await tabTo('Send the offer')
  await keyboard.press('Enter')
  await keys.to('Ann').waitFor()

  // Ann sees a notice above the board and accepts by touch; the button she needs is on the screen
  const notice = touch.noticeOf(WIDE)
  await notice.waitFor()
  await expect
    .poll(async () =>
      rightOf(await ann.page.locator('aside.notice').getByRole('button', { name: 'Not now' }).boundingBox()),
    )
    .toBeLessThan(PHONE.width)
  const inspector = new Inspector('nobody', ann.page)
  await notice.tap()
  await touch.press(touch.from(WIDE), 'Accept…')
  const yes = anns.button('Make the trade')
  const { y, height } = (await yes.boundingBox()) ?? { y: Infinity, height: 0 }
  expect(y + height).toBeLessThan(PHONE.height)
  await inspector.inspect('panel: deals, accept')
  await ann.page.setViewportSize(PHONE)
  await anns.open('Deals')
  await touch.press(touch.from(WIDE), 'Make the trade')
  await keys.to('Ann').getByText('Traded').waitFor()

  // now Ann makes an offer by touch, and Bo accepts with the keyboard
  await touch.begin()
  const [mine = '', other = ''] = await touch.mine()
  await touch.give(mine, other)
  await touch.wish('Cash', 'at least 1 in cash')
  await inspector.inspect('panel: deals, compose')
  await ann.page.setViewportSize(PHONE)
  await anns.open('Deals')
  await anns.press(touch.keep)
  await touch.kept.waitFor()
  await inspector.inspect('panel: deals, kept')
  await ann.page.setViewportSize(PHONE)
  await anns.open('Deals')
  await touch.press(touch.kept, 'Send')
  await keys.from('Ann').waitFor()
  await tabTo('Accept…')
  await keyboard.press('Enter')
  await tabTo('Make the trade')
  await keyboard.press('Enter')
  await touch.to(WIDE).getByText('Traded').waitFor()
  await inspector.inspect('panel: log')
  expect(inspector.findings.join('\n')).toBe('')

  // the list of keys includes this one
  await keyboard.press('?')
  await bo.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Deals').waitFor()
})
