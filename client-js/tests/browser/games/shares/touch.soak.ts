/** A whole game of Share and Share Alike by touch alone. */
import { expect } from 'vitest'
import { PHONE, scene } from '../../livehub.ts'
import { CALM } from '../../pages/home.ts'
import { LONGER, marked, offered, opened, playRound, SharesTable, supplied, toEnd } from './page.ts'

scene(
  'Share and Share Alike by touch alone on a phone: Lowball, floors, discarding, drawing up, to the end',
  async (liveHub) => {
    const people = await Promise.all(
      ['Ann', 'Bo', 'Cy'].map((name) => liveHub.person(name, { screen: PHONE })),
    )
    const { tables } = await opened(people, {
      seats: 3,
      choose: { ...LONGER, ...CALM },
      switchOn: ['Lowball'],
    })
    await marked(tables, 'Beacon', 'Ember')
    await offered(tables)
    await Promise.all(
      tables.map((table) =>
        table.players
          .getByText(/offered (the )?\w+ of/)
          .first()
          .waitFor({ state: 'attached' }),
      ),
    )

    const raiser = await supplied(tables, 'hearts')
    const heart = (await raiser.first('hearts')) ?? ''
    await raiser.play(heart)
    await raiser.press(raiser.company('Beacon'))
    await raiser.page.getByText('then 1 floor, prize 1,000').first().waitFor()
    await raiser.press(raiser.builds)
    await Promise.all(tables.map((table) => table.tower(/^Beacon: 1 floor, place 1, prize 1,000/).waitFor()))
    if (await raiser.done.isVisible()) await raiser.press(raiser.done)

    const lowers = await supplied(tables, 'spades')
    await lowers.play((await lowers.first('spades')) ?? '')
    await lowers.build('Beacon')
    await Promise.all(
      tables.map((table) => table.tower(/^Beacon: 0 floors, place 1, shared by 5, prize 600/).waitFor()),
    )

    // discard two, look through the pile, then draw up from both piles in the next round
    await playRound(tables)
    await marked(tables, 'Ember')
    await offered(tables)
    const drawer = await supplied(tables, 'any')
    const cards = await drawer.cards()
    const thrown = cards.slice(0, 2)
    await drawer.discard(...thrown)
    const other = tables.find((table) => table !== drawer) as SharesTable
    await other.press(other.page.getByRole('button', { name: /^Look through the Discard Pile/ }))
    const spread = other.page.getByRole('dialog', { name: 'Discard Pile' })
    for (const card of thrown) await spread.getByText(card).waitFor({ state: 'attached' })
    await other.press(spread.getByRole('button', { name: 'Close' }))
    await playRound(tables)
    await marked(tables, 'Ember')
    await offered(tables)
    await playRound(tables, async (table) => {
      if (table !== drawer) return
      const held = (await table.cards()).length
      await table.press(table.page.getByRole('button', { name: /^Draw up to five/ }))
      await table.press(
        table.page
          .getByRole('group', { name: 'Discard Pile' })
          .getByRole('button', { name: thrown[0] ?? '', exact: true }),
      )
      await table.press(table.button(`Take ${thrown[0]}`))
      await table.card(thrown[0] ?? '').waitFor()
      if (held < 4) await table.drawAll()
      expect((await table.cards()).length).toBe(5)
    })
    await marked(tables, 'Ember')
    await offered(tables)
    await toEnd(tables, 'Ember', true)
    await Promise.all(tables.map((table) => table.worths.waitFor()))
  },
)
