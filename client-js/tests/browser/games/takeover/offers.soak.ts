/** Offers in Takeover that cannot be accepted, are saved, too many, too late, or die with their coins. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { scene } from '../../livehub.ts'
import { Deals } from '../../pages/deals.ts'
import { CALM } from '../../pages/home.ts'
import { inPlay, opened, valueIn, type TakeoverTable } from './page.ts'

const ANY = [['Any coin', 'any coin']] as const

/** The wish that fits a coin best; only the most valuable coins are cash here. */
function wishFor(coin: string): string {
  return coin.startsWith('the stock') ? coin : `at least ${valueIn(coin)} in cash`
}

scene(
  'Takeover: wishes that cannot be fulfilled, saved offers, the limit, and offers that die with their coins',
  async (liveHub) => {
    const people = await liveHub.people('Ann', 'Bo', 'Cy')
    const { tables } = await opened(people, { choose: CALM })
    await inPlay(tables)
    const turn = (await Promise.all(tables.map((table) => table.pass.isVisible()))).indexOf(true)
    const [turns, firsts, seconds] = [tables[turn], tables[(turn + 1) % 3], tables[(turn + 2) % 3]] as [
      TakeoverTable,
      TakeoverTable,
      TakeoverTable,
    ]
    const [t, p, q] = [turns, firsts, seconds].map((table) => new Deals(table)) as [Deals, Deals, Deals]
    const [T, P, Q] = [t, p, q].map((deals) => deals.table.person.name) as [string, string, string]

    await Promise.all([p.open(), q.open()])
    const before = await begun(p)
    await p.back.click()
    const [second = ''] = before

    // only the player who reads a wish learns that it cannot be fulfilled
    const lacking = before.find((name) => name.startsWith('the stock')) ?? ''
    await q.offer(T, [], [['Stock by name', lacking]])
    await t.open()
    await t.from(Q).getByText('You do not have what this offer asks for.').waitFor()
    expect(await t.from(Q).getByRole('button', { name: 'Accept…' }).count()).toBe(0)
    await q.press(q.to(T), 'Withdraw')

    // one coin in two offers and in a saved one: the first acceptance ends them all
    await p.begin()
    await p.toWhom(T)
    await p.give(second)
    await p.keep.click()
    await p.kept.filter({ hasText: T }).waitFor()
    await p.page.reload()
    await p.open()
    await p.press(p.kept, 'Send')
    await p.kept.waitFor({ state: 'detached' })
    await p.offer(Q, [second], ANY)
    await p.begin()
    await p.toWhom(Q)
    await p.give(second)
    await p.keep.click()
    await t.from(P).getByText(second).waitFor({ state: 'attached' })
    await q.accept(q.from(P).filter({ has: q.page.getByRole('button') }))
    await t.from(P).getByText('Withdrawn, or its goods are gone').waitFor()
    await p.kept.getByText('You no longer have all of this.').waitFor()
    expect(await p.kept.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
    await p.press(p.kept, 'Remove')

    // when the limit on offers to one player is reached, the rule is shown
    const [third = ''] = await begun(p)
    await p.back.click()
    for (const wish of ['at least 3 in cash', 'at least 4 in cash'])
      await p.offer(Q, [third], [['Cash', wish]])
    await p.begin()
    await p.toWhom(Q)
    await p.give(third)
    await p.page.getByRole('status').filter({ hasText: 'Withdraw one first.' }).waitFor()
    expect(await p.send.getAttribute('aria-disabled')).toBe('true')
    await p.back.click()

    // an answer that is under way when the offer is withdrawn is refused, but not lost
    await q.press(q.from(P).filter({ hasText: 'at least 3 in cash' }), 'Counter')
    const release = await held(q.page)
    await q.send.click()
    await p.press(p.to(Q).filter({ hasText: 'at least 3 in cash' }), 'Withdraw')
    await p.to(Q).getByText('Withdrawn').waitFor()
    await release()
    await q.page
      .getByRole('status')
      .filter({ hasText: 'Too late: the game has moved on. Look at the board and choose again.' })
      .filter({ hasText: `${P}’s offer has ended` })
      .waitFor()
    await q.page.getByText('Withdrawn, or its goods are gone').waitFor()
    await q.says(`want ${wishFor(third)}.`).waitFor()
    await q.back.click()

    // a merger spends one coin and flips another: the offers with either are gone, and no reason is given
    const cash = (await begun(t)).filter((name) => name.endsWith('(cash)'))
    await t.back.click()
    const pair = (await turns.pairs()).find(({ onto, cost, touch }) => onto.own && touch && cost > 0)
    if (pair === undefined) throw new Error('no stock here can be covered for money')
    await t.offer(P, [`the stock ${pair.onto.coin}`], ANY)
    await t.offer(Q, cash, ANY)
    await Promise.all([
      p.from(T).getByRole('button', { name: 'Accept…' }).waitFor(),
      q.from(T).getByRole('button', { name: 'Accept…' }).waitFor(),
    ])
    await turns.mergeThem(pair)
    await Promise.all(
      [p.from(T), q.from(T), t.to(P), t.to(Q)].map((offer) =>
        offer.getByText('Withdrawn, or its goods are gone').waitFor(),
      ),
    )
  },
)

/** Holds back everything this page sends to the hub, until the returned function is called. */
async function held(page: Page): Promise<() => Promise<void>> {
  const release = await page.evaluateHandle(() => {
    const { prototype } = WebSocket
    const { send } = prototype
    const waiting: (() => void)[] = []
    prototype.send = function (data) {
      waiting.push(() => send.call(this, data))
    }
    return () => {
      prototype.send = send
      for (const each of waiting) each()
    }
  })
  return async () => release.evaluate((go) => go())
}

/** Begins an offer, and returns the names of the things this player could give. */
async function begun(deals: Deals): Promise<string[]> {
  await deals.begin()
  return deals.mine()
}
