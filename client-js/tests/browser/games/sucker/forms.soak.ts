/**
 * So Long Sucker with blackmail, in which each kind of card is played; play.soak.ts has the 1964 rules, which
 * have no cards.
 */
import { afterAll, beforeAll, expect } from 'vitest'
import { dealt, Hub } from '../../../hub.ts'
import { scene, type Person } from '../../livehub.ts'
import { CALM } from '../../pages/home.ts'
import { opened, piledUp, SuckerTable } from './page.ts'

type Four = readonly [SuckerTable, SuckerTable, SuckerTable, SuckerTable]

let hub: Hub

beforeAll(async () => {
  hub = await Hub.start(dealt({ game: 'sucker', seats: 4, deck: ['return', 'tribute', 'capture'] }))
})
afterAll(async () => {
  await hub.close()
})

scene(
  'So Long Sucker: capture, return and tribute, each known to two until it is played',
  async (liveHub) => {
    const people = (await Promise.all(
      ['Ann', 'Bo', 'Cy', 'Dee'].map((name) => liveHub.person(name, {}, hub)),
    )) as [Person, Person, Person, Person]
    const watcher = await liveHub.person('Eve', {}, hub)
    const { tables, code } = await opened(people, { choose: CALM })
    const [ann, bo, cy, dee] = tables as unknown as Four
    const eve = await new SuckerTable(watcher).visit(code)
    const all = [ann, bo, cy, dee, eve]
    const known = async (card: string, kind: string, to: readonly SuckerTable[]): Promise<void> => {
      await Promise.all(
        all.map((table) =>
          table.cards
            .getByText(`${card}: ${to.includes(table) ? kind : 'Unknown'}`, { exact: true })
            .waitFor({ state: 'attached' }),
        ),
      )
    }
    const played = async (card: string, kind: string): Promise<void> => {
      await known(card, kind, all)
      await Promise.all(
        all.map((table) =>
          table.cards
            .getByRole('listitem')
            .filter({ hasText: card })
            .filter({ hasText: 'played' })
            .waitFor({ state: 'attached' }),
        ),
      )
    }
    const hold = (owner: string, chips: string): Promise<unknown> =>
      Promise.all(
        all.map((table) => table.hands.getByText(`${owner}: ${chips}`).waitFor({ state: 'attached' })),
      )

    // Dee forces Ann, Ann forces Bo, and Bo forces Cy: three cards
    await piledUp([ann, bo, cy, dee], 6)
    await known('Dee against Ann', 'Return', [dee, ann])
    await known('Ann against Bo', 'Tribute', [ann, bo])
    await known('Bo against Cy', 'Capture', [bo, cy])

    // Bo places one of Cy's chips on Cy's pile: without the card Cy captures the pile, with it Bo does
    await cy.place('Cy')
    await cy.give('Bo')
    await bo.place('Bo', 1)
    await bo.kill('Bo')
    await hold('Bo', '2 of Ann’s, 6 of Bo’s, 1 of Cy’s, and 1 of Dee’s')
    await bo.chip('turn', 'Cy').click()
    await bo.pile(2).click()
    await bo.page.getByText('Cy captures the pile and plays next.').first().waitFor({ state: 'attached' })
    await bo.button('With a card').click()
    await bo.page.getByText('You capture the pile and play next.').first().waitFor({ state: 'attached' })
    await bo.button('Capture pile 2').click()
    await played('Bo against Cy', 'Capture') // one of Cy's two chips dies
    await hold('Bo', '2 of Ann’s, 6 of Bo’s, 1 of Cy’s, and 1 of Dee’s')
    await bo.place('Bo')
    await bo.give('Dee')

    // return: Ann gets her chips back, and one dies; Dee still has to place
    await hold('Ann', '5 of Ann’s')
    await dee.button('Cards').click()
    await dee.button('Return, names Ann').click()
    await dee.page
      .getByText('Ann gets all their own chips back; one dies.')
      .first()
      .waitFor({ state: 'attached' })
    await dee.button('Play the card').click()
    await played('Dee against Ann', 'Return')
    await hold('Ann', '6 of Ann’s')
    await dee.place('Dee')
    await dee.give('Ann')

    // tribute: Ann names a colour of which Bo holds prisoners
    await ann.button('Cards').click()
    await ann.button('Tribute, names Bo').click()
    const colours = ann.page.getByRole('group', { name: 'Which colour' })
    expect(
      await colours
        .getByRole('button', { disabled: false })
        .evaluateAll((found) => found.map((each) => each.getAttribute('aria-label'))),
    ).toEqual(['Cy’s chips: 1', 'Dee’s chips: 1'])
    await colours.getByRole('button', { name: 'Dee’s chips: 1' }).click()
    await ann.page.getByText('Bo hands you all of Dee’s chips.').first().waitFor({ state: 'attached' })
    await ann.button('Play the card').click()
    await played('Ann against Bo', 'Tribute')
    await hold('Ann', '6 of Ann’s and 1 of Dee’s')
    await hold('Bo', '5 of Bo’s and 1 of Cy’s')
    await ann.place('Ann')
    await eve.open('Log')
    for (const line of [
      /captured pile 2 with a blackmail card naming/,
      /played return: .* got 2 chips back, and one of them died\./,
      /played tribute: .* handed over one of/,
    ])
      await eve.log.getByText(line).waitFor()
  },
)
