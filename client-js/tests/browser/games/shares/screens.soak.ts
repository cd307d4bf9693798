/**
 * Every phase of Share and Share Alike and the results of the Chance chart, as seen by a seat and by a watcher.
 */
import { afterAll, beforeAll, expect } from 'vitest'
import { dealt, Hub, type Deal } from '../../../hub.ts'
import { scene, type Person } from '../../livehub.ts'
import { allLooks, tour } from '../../inspector.ts'
import { Deals } from '../../pages/deals.ts'
import { UNTIMED } from '../../pages/home.ts'
import { active, marked, offered, opened, playRound, shareOf, SharesTable, SHORT } from './page.ts'
import { screensOf } from '../../screens.ts'
import { visit } from './visit.ts'

const HEART = 'Ace of hearts'
const CLUB = 'Queen of clubs'
const SPADE = 'King of spades'
const DIAMOND = 'King of diamonds'
const ALL: Deal = { game: 'shares', seats: 3, cards: ['AH', 'KS', 'QC'], lowball: true }

type Chance = (
  taker: SharesTable,
  watcher: SharesTable,
  before: readonly string[],
  inspect: (screen: string) => Promise<void>,
) => Promise<void>

/** The rolls of the die to play out: those with a screen of their own, and in `make soak` all. */
const ROLLS = allLooks ? ([1, 2, 3, 4, 5, 6] as const) : ([1, 2, 4, 6] as const)

/** For each roll of the die, plays out the result and checks that everybody sees it. */
const CHANCE: Readonly<Record<1 | 2 | 3 | 4 | 5 | 6, Chance>> = {
  1: async (taker, watcher, before, inspect) => {
    const [name = ''] = await taker.whoms()
    await taker.press(taker.whom(name))
    await taker.press(taker.button(`Look at ${name}’s hand`))
    await Promise.all([
      taker.looks.waitFor(),
      watcher.middle.getByText(`Ann is looking at ${name}’s hand`).waitFor(),
    ])
    const hand = taker.looks.getByRole('button', { name: / of / })
    const card = (await hand.first().getAttribute('aria-label')) ?? ''
    await taker.press(hand.first())
    await inspect('a hand')
    await taker.press(taker.button(`Take ${card}`))
    await taker.looks.waitFor({ state: 'detached' })
    await taker.card(card).waitFor()
    expect(new Set(await taker.cards())).toEqual(new Set([...before, card]))
  },
  2: async (taker, watcher, before, inspect) => {
    const [, own = '', other = ''] = ['', 'Ann', ...(await taker.whoms()).filter((name) => name !== 'Ann')]
    await taker.press(taker.whom(own))
    await taker.press(taker.whom(other))
    await inspect('two hands')
    await taker.press(taker.button(`Swap the hands of ${own} and ${other}`))
    await watcher.middle.getByText(`${own} and ${other} have swapped hands`).waitFor()
    for (const card of before) await taker.card(card).waitFor({ state: 'detached' })
    expect(await taker.cards()).toHaveLength(5)
  },
  3: async (taker, watcher, before) => {
    await taker.hand.getByRole('button').nth(5).waitFor()
    await watcher.players.getByText(/^6 cards, 2 actions left/).waitFor({ state: 'attached' })
    expect((await taker.cards()).filter((card) => !before.includes(card))).toHaveLength(2)
  },
  4: async (taker, watcher, _before, inspect) => {
    const heart = (await taker.first('hearts')) ?? ''
    await taker.press(taker.card(heart))
    await taker.page.getByRole('button', { name: `Play: ${heart}` }).waitFor()
    await inspect('a free action')
    await taker.press(taker.page.getByRole('button', { name: `Play: ${heart}` }))
    await taker.build('Ember')
    await watcher.tower(/^Ember: 1 floor, /).waitFor()
    if (await taker.done.isVisible()) await taker.press(taker.done)
  },
  5: async (taker, watcher, before) => {
    await watcher.middle.getByText('Chance for Ann: nothing').waitFor()
    expect(await taker.cards()).toEqual(before)
  },
  6: async (taker, watcher, _before, inspect) => {
    const [name = ''] = await taker.whoms()
    await taker.press(taker.whom(name))
    await inspect('another rolls')
    await taker.press(taker.button(`Let ${name} roll`))
    await watcher.middle.getByText(new RegExp(`^Chance for ${name}: `)).waitFor()
  },
}

/**
 * Closes a market while one player is writing an offer and another is about to accept one: both are notified,
 * and nothing moves.
 */
async function closes(broker: SharesTable, writer: SharesTable, taker: SharesTable): Promise<void> {
  const [sells, writes, takes] = (await Promise.all(
    [broker, writer, taker].map((table) => new Deals(table).open()),
  )) as [Deals, Deals, Deals]
  await writes.begin()
  await writes.toWhom(broker.person.name)
  await writes.wish(null, shareOf('Anchor'))
  await writes.send.and(writer.page.locator('[aria-disabled=false]')).waitFor()
  await sells.begin()
  await sells.toWhom(taker.person.name)
  await sells.wish(null, shareOf(await taker.richest()))
  await sells.send.click()
  const offer = takes.from(broker.person.name)
  await takes.press(offer, 'Accept…')
  await takes.says(/^You give a share of \w+, and get nothing\.$/).waitFor()
  const stood = await offer.boundingBox()
  await broker.press(broker.button('Close the market'))
  await Promise.all([
    offer.getByText('Trading has closed').waitFor(),
    writer.answer('The market has closed.').waitFor(),
  ])
  expect(await offer.boundingBox()).toEqual(stood)
  expect(await writes.send.getAttribute('aria-disabled')).toBe('true')
  await writes.keep.click()
  await writes.kept.getByText('No market is open.').waitFor()
  await sells.table.open('Chat')
}

let hub: Hub

beforeAll(async () => {
  hub = await Hub.start(
    dealt(
      ALL,
      ...ROLLS.map((roll): Deal => ({
        game: 'shares',
        seats: 3,
        cards: ['KD', 'H'],
        rolls: [roll],
      })),
    ),
  )
})
afterAll(async () => {
  await hub.close()
})

scene('every screen of Share and Share Alike, and the results of Chance', async (liveHub) => {
  const [ann, bo, cy, dee] = (await Promise.all(
    ['Ann', 'Bo', 'Cy', 'Dee'].map((name) => liveHub.person(name, {}, hub)),
  )) as [Person, Person, Person, Person]
  const dees = new SharesTable(dee)
  await tour('shares', { seat: ann.page, watcher: dee.page }, screensOf(visit), async (inspect) => {
    const { tables, code } = await opened([ann, bo, cy], {
      seats: 3,
      choose: { ...SHORT, ...UNTIMED, 'Talk about shares': 'The Whole Truth' },
      switchOn: ['Lowball', 'Open Market'],
    })
    const [anns, ...others] = tables as [SharesTable, SharesTable, SharesTable]
    await dees.visit(code)
    await dees.towers.waitFor()
    await anns.press(anns.company('Comet'))
    await anns.button('Lock Comet').waitFor()
    await inspect.both('select a note')
    await marked(tables, 'Comet', 'Beacon')
    await anns.stageIs('Lowball').waitFor()
    await anns.press(anns.card(HEART))
    await anns.button(`Lock ${HEART}`).waitFor()
    await inspect.both('lowball a card')
    await anns.press(anns.button(`Lock ${HEART}`))
    for (const other of others) await other.offerCard()

    // three actions: floors, peeks, a market
    await anns.play(HEART)
    await anns.press(anns.company('Comet'))
    await anns.page.getByText('then 1 floor, prize 1,000').first().waitFor()
    await inspect.both('action a tower')
    await anns.press(anns.builds)
    await anns.middle.getByText('2 to go').waitFor()
    await anns.press(anns.done)
    await anns.play(CLUB)
    await anns.press(anns.whom('Bo'))
    await anns.press(anns.page.getByRole('button', { name: 'Look at Bo’s tracker for 30 s' }))
    await Promise.all([
      anns.looks.waitFor(),
      dees.middle.getByText('Ann is looking at Bo’s share tracker').waitFor(),
    ])
    await inspect.both('action a look')
    await anns.press(anns.button('Stop looking'))
    await anns.press(anns.done)
    await anns.use(SPADE, `Open a market with ${SPADE}`)
    await Promise.all([anns, dees].map((table) => table.stageIs('Open market').waitFor()))
    await inspect.both('action a market')
    await closes(anns, ...(others as [SharesTable, SharesTable]))

    await playRound(tables)
    await marked(tables, 'Comet')
    await offered(tables)
    for (let turn = await active(tables); turn !== anns; turn = await active(tables)) await turn?.passOn()
    await anns.press(anns.page.getByRole('button', { name: /^Draw up to five/ }))
    await anns.page.getByRole('button', { name: /^From the Draw Deck/ }).waitFor()
    await inspect.both('action drawing')
    await anns.drawAll()

    // bots play the rest of the game
    await Promise.all(others.map((other) => other.leaveToBot()))
    await anns.tool('Let the bot play for me')
    await Promise.all(
      [anns, dees].map(({ page }) => page.getByRole('img', { name: 'Who held what' }).waitFor()),
    )
    await inspect.both('end')

    for (const roll of ROLLS) {
      const luck = await opened([ann], { seats: 3, choose: { ...SHORT, ...UNTIMED } })
      await dees.visit(luck.code)
      await dees.towers.waitFor()
      await anns.mark('Comet')
      await anns.endTurn.waitFor()
      await anns.play(DIAMOND)
      const before = await anns.cards()
      await anns.press(
        anns.page
          .getByRole('group', { name: 'Which number counts' })
          .getByRole('button', { name: new RegExp(`^${roll}: `) }),
      )
      if (roll === 1) await inspect.both('action the die')
      await anns.press(anns.button(new RegExp(`^Use the ${roll}`)))
      await CHANCE[roll](anns, dees, before, (screen) => inspect.both(`action ${screen}`))
      await anns.endTurn.waitFor()
      await dees.players.getByText(/^\d cards?, 2 actions left, started$/).waitFor({ state: 'attached' })
    }
  })
})
