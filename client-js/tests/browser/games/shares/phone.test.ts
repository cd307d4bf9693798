/** What a beginner taps on a phone: cards are read before they are played, and the towers come back into view. */
import { expect, onTestFinished } from 'vitest'
import { dealt, Hub } from '../../../hub.ts'
import { PHONE, scene } from '../../livehub.ts'
import { UNTIMED } from '../../pages/home.ts'
import { opened, SHORT, type SharesTable } from './page.ts'

const ROLLS = '7 of diamonds: roll for cards, a look, a swap or nothing.'

scene(
  'Share and Share Alike on a phone: a card is read, the chart opened, the towers come back',
  async (liveHub) => {
    const hub = await Hub.start(dealt({ game: 'shares', seats: 3, cards: ['QH', '7D'], rolls: [5] }))
    onTestFinished(() => hub.close())
    const ann = await liveHub.person('Ann', { screen: PHONE }, hub)
    const { tables } = await opened([ann], { seats: 3, choose: { ...SHORT, ...UNTIMED } })
    const [anns] = tables as [SharesTable]
    const { page } = anns

    // a card tells what it does, and its chart opens over the table
    await anns.press(anns.card('7 of diamonds'))
    await page.getByText(ROLLS).waitFor()
    const link = anns.button('Chance chart')
    const chart = page.getByRole('dialog', { name: 'Chance chart' })
    await anns.press(link)
    await chart.getByText('Another player rolls instead.').waitFor()
    await anns.press(chart.getByRole('button', { name: 'Close' }))
    await chart.waitFor({ state: 'hidden' })
    await link.and(page.locator(':focus')).waitFor()
    await anns.stageIs('Take a share').waitFor()
    await anns.mark('Anchor')
    await page.getByText(ROLLS).waitFor({ state: 'hidden' })

    // the towers, scrolled away, come back when one is to be chosen
    await anns.endTurn.waitFor()
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const isInView = async (): Promise<boolean> => ((await anns.towers.boundingBox())?.y ?? 0) > 0
    expect(await isInView()).toBe(false)
    await anns.play('Queen of hearts')
    await expect.poll(isInView).toBe(true)
    await anns.press(anns.company('Anchor'))
    await anns.press(anns.builds)
    await anns.middle.getByText('1 to go').waitFor()
    await anns.press(anns.done)

    // what a roll gave is told where the next card is chosen
    await anns.endTurn.waitFor()
    await anns.play('7 of diamonds')
    await page.getByText('Your roll: nothing.').waitFor()
  },
)
