/**
 * A whole game of Share and Share Alike with clicks, on three players' pages and a watcher's; by touch and by keys
 * alone: touch.soak.ts and keys.soak.ts.
 */
import { expect } from 'vitest'
import { scene } from '../../livehub.ts'
import { Deals } from '../../pages/deals.ts'
import { CALM } from '../../pages/home.ts'
import { marked, opened, shareOf, SharesTable, SHORT, supplied, toEnd } from './page.ts'

scene(
  'Share and Share Alike: three people and a watcher, a look, a market with two trades, to the reckoning',
  async (liveHub) => {
    const people = await Promise.all(['Ann', 'Bo', 'Cy'].map((name) => liveHub.person(name, { line: true })))
    const eve = await liveHub.person('Eve')
    const { tables, code } = await opened(people, {
      seats: 3,
      choose: { ...SHORT, ...CALM, 'Talk about shares': 'The Whole Truth' },
      switchOn: ['Open Market'],
    })
    const eves = await new SharesTable(eve).visit(code)
    await eves.towers.waitFor()
    expect(await eves.hand.count()).toBe(0)

    // a share is noted, seen in a second tab, changed, locked, unlocked
    const [anns] = tables as [SharesTable]
    await anns.company('Comet').click()
    const twin = new SharesTable(await anns.person.secondTab())
    await twin.tracker.getByText('Comet: 0 shares, selected for this round').waitFor({ state: 'attached' })
    await twin.page.close()
    await anns.mark('Anchor')
    await eves.players.getByText('5 cards, locked').waitFor({ state: 'attached' })
    await anns.button('Unlock').click()
    await marked(tables, 'Anchor', 'Beacon', 'Comet')
    await anns.tracker.getByText('Anchor: 1 share, round 1').waitFor({ state: 'attached' })
    await anns
      .tower(/^Anchor/)
      .getByText('1 yours')
      .waitFor()
    expect(await eves.towers.getByText('yours').count()).toBe(0)

    // a peek: everybody sees who is looking at what; only that player sees the content, while it lasts
    const spy = await supplied(tables, 'clubs')
    const others = tables.filter((table) => table !== spy)
    const [target, third] = others as [SharesTable, SharesTable]
    const [S, T] = [spy.person.name, target.person.name]
    const mine = await target.tracker.allInnerTexts()
    await spy.play((await spy.first('clubs')) ?? '')
    await spy.whom(T).click()
    await spy.page.getByRole('button', { name: `Look at ${T}’s tracker for 30 s` }).click()
    await spy.looks.getByRole('timer').waitFor()
    const secret = spy.page.getByRole('list', { name: `${T}’s tracker` })
    expect(await secret.getByRole('listitem').allInnerTexts()).toEqual(mine)
    await Promise.all(
      [target, third, eves].map((table) =>
        table.middle.getByText(`${S} is looking at ${T}’s tracker`).waitFor(),
      ),
    )
    for (const table of [...others, eves])
      expect(await table.page.getByRole('list', { name: `${T}’s tracker` }).count()).toBe(0)
    expect(await spy.estimates.getByRole('button', { includeHidden: true, disabled: false }).count()).toBe(0)
    // a reload within the window restores it with only the time that is left; its end removes it for good
    const before = await seconds(spy)
    await spy.page.reload()
    await spy.looks.waitFor()
    expect(await seconds(spy)).toBeLessThanOrEqual(before)
    // it is dropped at once when offline, since its end could not be received, and restored when online
    spy.person.line?.cut()
    await spy.looks.waitFor({ state: 'detached' })
    expect(await kept(spy)).not.toMatch(canary(T))
    spy.person.line?.mend()
    await spy.looks.waitFor()
    expect(await kept(spy)).toMatch(canary(T))
    await spy.button('Stop looking').click()
    await spy.looks.waitFor({ state: 'detached' })
    await third.middle.getByText(`${S} is looking at`).waitFor({ state: 'detached' })
    expect(await kept(spy)).not.toMatch(canary(T))
    if (await spy.done.isVisible()) await spy.done.click()
    await spy.page.reload()
    await spy.hand.waitFor()
    expect(await spy.page.getByRole('list', { name: `${T}’s tracker` }).count()).toBe(0)

    // The Whole Truth: shown to one player, then to everybody
    await target.truth.getByRole('button', { name: S, exact: true }).click()
    await target.button(`Show it to ${S}`).click()
    await spy.truth.getByRole('list', { name: `${T}’s tracker` }).waitFor({ state: 'attached' })
    expect(await third.truth.getByRole('list', { name: `${T}’s tracker` }).count()).toBe(0)
    await target.button('Everybody').click()
    await target.button('Show it to everybody').click()
    await Promise.all(
      [third, eves].map((table) =>
        table.truth.getByRole('list', { name: `${T}’s tracker` }).waitFor({ state: 'attached' }),
      ),
    )

    // a market: offers are saved beforehand, and two trades are made in its thirty seconds
    const broker = await supplied(tables, 'royals')
    const royal = (await broker.first('royals')) ?? ''
    const partners = tables.filter((table) => table !== broker)
    const market = await new Deals(broker).open()
    for (const partner of partners) {
      await market.begin()
      await market.toWhom(partner.person.name)
      await market.wish(null, shareOf(await partner.richest()))
      await market.keep.click()
      await market.kept.filter({ hasText: partner.person.name }).waitFor()
    }
    const claimed = (await Promise.all(tables.map((table) => table.holdings()))).map(sum)
    await broker.use(royal, `Open a market with ${royal}`)
    await broker.stageIs('Open market').waitFor()
    await eves.middle.getByText(`${broker.person.name} opened a market with ${royal}`).waitFor()
    for (const partner of partners)
      await market.press(market.kept.filter({ hasText: partner.person.name }), 'Send')
    await Promise.all(
      partners.map(async (partner) => {
        await partner.button('Go to the deals').click()
        const deals = new Deals(partner)
        await deals.accept(deals.from(broker.person.name))
        await deals.from(broker.person.name).getByText('Traded').waitFor()
      }),
    )
    await broker.button('Close the market').click()
    await eves.middle.getByText(`Last: ${broker.person.name} opened a market with ${royal}`).waitFor()
    await Promise.all(
      [...tables, eves].map((table) => table.stageIs('Open market').waitFor({ state: 'detached' })),
    )
    expect(await eves.page.getByRole('region', { name: 'Latest trades' }).getByRole('listitem').count()).toBe(
      2,
    )
    const after = (await Promise.all(tables.map((table) => table.holdings()))).map(sum)
    expect(after.map((count, index) => count - (claimed[index] ?? 0))).toEqual(
      tables.map((table) => (table === broker ? 2 : -1)),
    )

    await toEnd(tables, 'Ember')
    const all = [...tables, eves]
    await Promise.all(all.map((table) => table.over.waitFor()))
    const results = await Promise.all(all.map((table) => table.worths.ariaSnapshot()))
    expect(new Set(results).size, results.join('\n')).toBe(1)
    await eves.page.getByRole('img', { name: 'Points by company' }).waitFor()
    await eves.page.getByRole('img', { name: 'Who held what' }).waitFor()
    const scores = await eves.scores()
    const paid = await eves.paid()
    expect(Math.abs(sum(scores) - paid)).toBeLessThan(0.03)
  },
)

/** Matches what a page or its stores contain only while its user is looking at this person's tracker. */
function canary(name: string): RegExp {
  return new RegExp(`"${name}’s tracker"|"marks"|"peek_content"`)
}

/** Everything that a page shows and that the browser stores for it. */
async function kept(table: SharesTable): Promise<string> {
  return table.page.evaluate(async () => {
    const cached = await Promise.all(
      (await caches.keys()).map(async (name) =>
        Promise.all((await (await caches.open(name)).matchAll()).map((answer) => answer.text())),
      ),
    )
    const stores = [localStorage, sessionStorage].map((store) => ({ ...store }))
    return (
      document.documentElement.outerHTML +
      JSON.stringify([stores, await indexedDB.databases(), document.cookie, history.state]) +
      (cached.flat() as string[]).filter((text) => !text.includes('function')).join('')
    )
  })
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0)
}

/** The seconds shown by the ring of a peek. */
async function seconds(table: SharesTable): Promise<number> {
  return Number(/\d+/.exec((await table.looks.getByRole('timer').getAttribute('aria-label')) ?? '')?.[0])
}
