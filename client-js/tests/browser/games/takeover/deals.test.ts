/** Trades in Takeover among three players, with saved offers; by touch and by keys alone in deals.soak.ts. */
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
  'Takeover: three people propose, counter, accept, decline and withdraw, and offers die with their coins',
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

    // two players trade during the third player's turn, and the acceptor changes what they give
    await p.open()
    await p.begin()
    const before = await p.mine()
    const [given = '', second = '', last = ''] = before
    await p.toWhom(Q)
    await p.give(given)
    await p.wish('Any coin', 'any coin')
    await p.says(`You give ${Q} ${given}, and want any coin.`).waitFor()
    await p.send.click()
    await p.to(Q).getByRole('timer').waitFor()
    await q.noticeOf(P).click()
    await q.press(q.from(P), 'Accept…')
    const choices = q.forIt(q.from(P))
    expect(await choices.and(q.page.locator('[aria-pressed=true]')).count()).toBe(1)
    const changed = choices.and(q.page.locator('[aria-pressed=false]')).last()
    const back = (await changed.getAttribute('aria-label')) ?? ''
    await changed.click()
    await q.says(`You give ${back}, and get ${given}.`).waitFor()
    await q.press(q.from(P), 'Make the trade')
    await Promise.all([q.from(P).getByText('Traded').waitFor(), p.to(Q).getByText('Traded').waitFor()])
    await turns.open('Log')
    await turns.log.getByText('traded coins, 1 for 1').waitFor()
    expect(await turns.log.getByText(/offer/).count()).toBe(0)

    // a counter-offer starts as the mirror image of the offer it answers; once declined, it is gone for both
    await p.offer(Q, [back], [['Cash', 'at least 5 in cash']])
    await q.press(q.from(P).filter({ hasText: 'at least 5 in cash' }), 'Counter')
    await q.page.getByRole('heading', { name: `Answer to ${P}` }).waitFor()
    await q.says(`and want ${wishFor(back)}.`).waitFor()
    await q.send.click()
    await p.to(Q).getByText('Answered with another offer').waitFor()
    await p.press(p.from(Q), 'Decline')
    await Promise.all([p.from(Q).getByText('Declined').waitFor(), q.to(P).getByText('Declined').waitFor()])

    // a withdrawn offer is gone, and the other player learns nothing else; the offers below it do not move
    await p.offer(Q, [second], [])
    await p.offer(Q, [last], [])
    const below = q.from(P).filter({ hasText: last })
    await below.getByRole('button', { name: 'Accept…' }).waitFor()
    const box = await below.boundingBox()
    await p.press(p.to(Q).filter({ hasText: second }), 'Withdraw')
    await Promise.all([
      p.to(Q).getByText('Withdrawn').waitFor(),
      q.from(P).getByText('This offer has ended').waitFor(),
    ])
    expect(await below.boundingBox()).toEqual(box)
    await q.press(below, 'Decline')

    // only the player who reads a wish learns that it cannot be fulfilled
    const lacking = before.find((name) => name.startsWith('the stock') && name !== given) ?? ''
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
    await t.from(P).getByText('This offer has ended').waitFor()
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
    await q.page.getByText('This offer has ended').waitFor()
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
        offer.getByText('This offer has ended').waitFor(),
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
