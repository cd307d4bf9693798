/** A whole game of Takeover by touch alone. */
import { expect } from 'vitest'
import { PHONE, scene } from '../../livehub.ts'
import { SIDEWAYS } from '../../besidescreen.ts'
import { CALM } from '../../pages/home.ts'
import { drafted, FACES, inTurn, opened, SHOWN, type TakeoverTable } from './page.ts'

/** What the tray says about a merger is not cut off, on narrow phones and on a phone on its side either. */
async function expectFits(table: TakeoverTable): Promise<void> {
  const before = table.page.viewportSize()
  const upright = [360, 390, 430].map((width) => ({ width, height: 844 }))
  for (const screen of [...upright, SIDEWAYS]) {
    await table.page.setViewportSize(screen)
    const cut = await table.page
      .locator('.tray .what')
      .evaluate((text) => text.scrollHeight > text.clientHeight + 1)
    expect(cut, `cut off at ${screen.width} px`).toBe(false)
  }
  if (before !== null) await table.page.setViewportSize(before)
}

scene(
  'Takeover by touch alone on a phone: suits and faces shown, stocks cashed out, exact payments',
  async (liveHub) => {
    const ann = await liveHub.person('Ann', { screen: PHONE })
    const bo = await liveHub.person('Bo')
    const { tables } = await opened([ann, bo], {
      choose: { ...SHOWN, ...FACES, ...CALM },
      switchOn: ['Voluntary cash-out', 'Pay with needed coins only'],
    })
    const [anns, bos] = tables as [TakeoverTable, TakeoverTable]
    await drafted([anns, bos])
    await anns.mark(...(await anns.coins()).slice(0, 2))
    await anns.press(anns.lock)
    await bos.lock.click()
    await Promise.race([anns.pass.waitFor(), bos.pass.waitFor()])
    if (await bos.pass.isVisible()) await bos.passOn()
    await bos.players.getByText(/^(a stock of \w+, ){2}cash of/).waitFor({ state: 'attached' })

    await anns.press(anns.button('Cash out'))
    const stocks = anns.page.getByRole('group', { name: 'Cash out stocks' }).getByRole('button')
    expect(await stocks.count()).toBe(2)
    await anns.press(stocks.first())
    await anns.press(anns.button('Cash out 1 stock'))
    await bos.players.getByText(/^a stock of \w+, cash of/).waitFor({ state: 'attached' })

    const paid = (await anns.pairs()).find(({ cost, touch }) => cost > 0 && touch)
    if (paid === undefined) throw new Error('no merger on a full grid costs anything')
    await anns.page.getByText(/^Stocks \d+ \+ Cash \d+ = \d+$/).waitFor()
    await anns.press(anns.square(paid.source.coin))
    await expectFits(anns)
    await anns.button('Start again').click()
    await anns.aim(paid)
    await anns.button(/^Merge, pay/).waitFor()
    await expectFits(anns)
    const pays = anns.page.getByRole('group', { name: 'What you pay with' })
    await anns.press(pays.getByRole('button', { pressed: false }).last())
    await anns.page.getByText('You are overpaying: leave out a coin.').first().waitFor()
    await anns.press(pays.getByRole('button', { pressed: true }).last())
    await anns.press(anns.button(/^Merge, pay/))
    await anns.square(paid.onto.coin).waitFor({ state: 'detached' })
    await inTurn(
      [anns, bos],
      (table) => table.pass,
      (table) => table.over,
      (table) => table.passOn(),
    )
    await anns.over.waitFor()
  },
)
