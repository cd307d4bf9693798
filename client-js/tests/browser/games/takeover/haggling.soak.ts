/** Trades in Takeover among three players; saved offers, limits and the ends of offers are in offers.soak.ts, and touch
 * and keys alone in deals.soak.ts. */
import { expect } from 'vitest'
import { scene } from '../../livehub.ts'
import { Deals } from '../../pages/deals.ts'
import { CALM } from '../../pages/home.ts'
import { inPlay, opened, valueIn, type TakeoverTable } from './page.ts'

/** The wish that fits a coin best; only the most valuable coins are cash here. */
function wishFor(coin: string): string {
  return coin.startsWith('the stock') ? coin : `at least ${valueIn(coin)} in cash`
}

scene('Takeover: three people propose, counter, accept, decline and withdraw', async (liveHub) => {
  const people = await liveHub.people('Ann', 'Bo', 'Cy')
  const { tables } = await opened(people, { choose: CALM })
  await inPlay(tables)
  const turn = (await Promise.all(tables.map((table) => table.pass.isVisible()))).indexOf(true)
  const [turns, firsts, seconds] = [tables[turn], tables[(turn + 1) % 3], tables[(turn + 2) % 3]] as [
    TakeoverTable,
    TakeoverTable,
    TakeoverTable,
  ]
  const [p, q] = [firsts, seconds].map((table) => new Deals(table)) as [Deals, Deals]
  const [P, Q] = [p, q].map((deals) => deals.table.person.name) as [string, string]

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
    q.from(P).getByText('Withdrawn, or its goods are gone').waitFor(),
  ])
  expect(await below.boundingBox()).toEqual(box)
  await q.press(below, 'Decline')
})
