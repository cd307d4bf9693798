/**
 * So Long Sucker by touch and by keys alone, a rescue that runs out of time, which takes as long as its clock, and the
 * 1964 rules, which have no cards.
 */
import { expect } from 'vitest'
import { PHONE, scene } from '../../livehub.ts'
import { CALM } from '../../pages/home.ts'
import { fromFirst, KeyTable, opened, piledUp, playOut, SuckerTable, toRescue } from './page.ts'

const FAST = { Timers: 'Fast' } as const
const SIDEWAYS = { width: 844, height: 390 }

scene(
  'So Long Sucker by touch alone on phones: a full pile, blackmail, a capture, prisoners, the end',
  async (liveHub) => {
    const people = await Promise.all(
      ['Ann', 'Bo', 'Cy', 'Dee'].map((name) => liveHub.person(name, { screen: PHONE })),
    )
    const { tables } = await opened(people, { choose: CALM })
    const order = (await fromFirst(tables)) as [SuckerTable, SuckerTable, SuckerTable, SuckerTable]
    const [a, b, c, d] = order
    const [A, B, C, D] = order.map((table) => table.person.name) as [string, string, string, string]
    await piledUp(order, 6)

    // everyone sees whom a card names; only its owner and that player see what it does
    const cardOf = (owner: string, against: string): RegExp =>
      new RegExp(`^${owner} against ${against}: (?!Unknown)`)
    await Promise.all(
      [b, c].map((table) => table.cards.getByText(cardOf(B, C)).waitFor({ state: 'attached' })),
    )
    await Promise.all(
      [a, d].map((table) =>
        table.cards.getByText(`${B} against ${C}: Unknown`).waitFor({ state: 'attached' }),
      ),
    )

    await c.place(C)
    await c.give(B)
    await b.press(b.chip('turn', B))
    await b.press(b.pile(1))
    await b.page.getByText('You capture the pile and play next.').first().waitFor({ state: 'attached' })
    await b.press(b.button('Place on pile 1'))
    await b.kill(B)
    for (const part of [`2 of ${A}`, `6 of ${B}`, `1 of ${C}`, `1 of ${D}`])
      await d.hands.getByText(new RegExp(`^${B}: .*${part}`)).waitFor({ state: 'attached' })

    // on the player's own move: prisoners are in the same tray
    await b.press(b.button('Prisoners'))
    await b.press(b.prisoner(A))
    await b.press(b.receiver(D))
    await b.press(b.button('More: How many'))
    const gives = b.button(`Give ${D} 2 chips`)
    await gives.waitFor()
    // on a phone held sideways, the row with the number of chips fits, and its sentence is in view
    await b.page.setViewportSize(SIDEWAYS)
    await b.page.locator('.page.short').waitFor()
    await b.person.photograph('sucker-give-sideways')
    const [row, sentence, stage] = await Promise.all(
      [gives, b.page.locator('.choosing > .facts'), b.stage].map((each) => each.boundingBox()),
    )
    expect(row && row.x + row.width).toBeLessThanOrEqual(SIDEWAYS.width)
    expect(sentence?.y).toBeGreaterThanOrEqual(stage ? stage.y + stage.height : Infinity)
    await b.page.setViewportSize(PHONE)
    await b.press(gives)
    await d.prisoner(A).waitFor()
    await b.place(B, 2)
    await b.give(D)
    // on another player's move: three taps are enough
    await b.press(b.prisoner(C))
    await b.press(b.button('Kill'))
    await b.press(b.button('Kill 1 chip'))
    await b.prisoner(C).waitFor({ state: 'detached' })
    await Promise.all(
      tables.map((table) =>
        table.hands.getByText(new RegExp(`^${D}: .*2 of ${A}`)).waitFor({ state: 'attached' }),
      ),
    )
    await d.place(A)
    // play to the end, against bots
    await Promise.all([a, b, c].map((table) => table.leaveToBot()))
    await playOut([d])
    await d.winners.waitFor()
  },
)

scene(
  'So Long Sucker: a prisoner changes hands in three clicks, and nobody answers in time',
  async (liveHub) => {
    const { tables } = await opened(await liveHub.people('Ann', 'Bo', 'Cy', 'Dee'), { choose: FAST })
    const { a, c, d } = await toRescue(tables, tables[3] as SuckerTable, async (turn, { a, c, d }) => {
      if (turn !== 3) return
      const [A, D] = [a.person.name, d.person.name]
      await c.prisoner(A).click()
      await c.receiver(D).click()
      await c.button(`Give ${D} 1 chip`).click()
      await d.prisoner(A).waitFor()
      await c.prisoner(A).waitFor({ state: 'detached' })
      await d.prisoner(A).click()
      await d.receiver(c.person.name).click()
      await d.button(`Give ${c.person.name} 1 chip`).click()
      await c.prisoner(A).waitFor()
    })
    await c.open('Log')
    await c.log.getByText('ran out of time, so they refused to help.').waitFor()
    await Promise.all([a, c, d].map((table) => table.rescue.waitFor({ state: 'detached' })))
    await a.page.getByText('You have been eliminated. You can still talk.').waitFor()
  },
)

scene(
  'So Long Sucker as in 1964: no secret row, no card, and the last one left wins alone',
  async (liveHub) => {
    const people = await liveHub.people('Ann', 'Bo', 'Cy', 'Dee')
    const { tables } = await opened(people, { choose: CALM, switchOff: ['Blind allies', 'Blackmail'] })
    const order = (await fromFirst(tables)) as [SuckerTable, SuckerTable, SuckerTable, SuckerTable]
    const [a, b, c, d] = order
    const [A, B, C] = order.map((table) => table.person.name) as [string, string, string]
    await piledUp(order, 6)
    await c.place(C)
    await c.give(B)
    await b.place(B, 1)
    await b.kill(A)
    for (const table of tables) {
      expect(await table.row.count()).toBe(0)
      expect(await table.cards.count()).toBe(0)
    }
    await Promise.all([b, c, d].map((table) => table.leaveToBot()))
    await playOut([a])

    await a.over.waitFor()
    const end = await a.winners.ariaSnapshot()
    expect(end).toMatch(/ is the last one standing, and wins\./)
    expect(end).not.toMatch(/ally|enemy/)
  },
)

scene('So Long Sucker by keys alone, to the end', async (liveHub) => {
  const { tables } = await opened(await liveHub.people('Ann', 'Bo', 'Cy', 'Dee'), { choose: CALM })
  const order = (await fromFirst(
    tables.map(({ person }) => new KeyTable(person, ['Ann', 'Bo', 'Cy', 'Dee'])),
  )) as [KeyTable, KeyTable, KeyTable, KeyTable]
  const [a, b, c, d] = order
  const [A, B, C, D] = order.map((table) => table.person.name) as [string, string, string, string]
  await piledUp(order, 6)
  await c.place(C)
  await c.give(B)
  await b.place(B, 1)
  await b.kill(B)
  await b.prompted('turn').waitFor()
  await b.page.keyboard.press('p')
  await b.prisoner(A).waitFor()
  await b.slot(A)
  await b.slot(D)
  const gives = b.button(`Give ${D} 1 chip`)
  await b.enter(gives)
  await d.prisoner(A).waitFor()
  await b.place(B, 2)
  await b.give(D)
  await b.prisoner(C).waitFor()
  await b.slot(C)
  await b.page.keyboard.press('k')
  await b.enter(b.button('Kill 1 chip'))
  await b.prisoner(C).waitFor({ state: 'detached' })
  // with Tab and arrow keys, from the place of a new pile, which is the last: a second Enter on the pile confirms
  await d.prompted('turn').waitFor()
  await d.slot(D)
  await d.tabTo(d.piles.locator('button[tabindex="0"]'))
  await d.page.keyboard.press('ArrowLeft')
  await d.pile(2).and(d.page.locator(':focus')).waitFor()
  await d.page.keyboard.press('Enter')
  await d.button('Place on pile 2').and(d.page.locator(':enabled')).waitFor()
  await d.page.keyboard.press('Enter')
  await d.chip('turn', D).waitFor({ state: 'detached' })
  // play to the end, against bots
  await Promise.all([a, b, c].map((table) => table.leaveToBot()))
  await playOut([d])
  await d.winners.waitFor()
})
