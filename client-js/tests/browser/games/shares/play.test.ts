/**
 * A whole game of Share and Share Alike with clicks, on two players' pages; by touch and by keys
 * alone: touch.soak.ts and keys.soak.ts.
 */
import { expect, onTestFinished } from 'vitest'
import type { Sections } from '../../../../src/sdk/index.ts'
import { dealt, Hub } from '../../../hub.ts'
import { Companion, lastOf } from '../../companion.ts'
import { scene } from '../../livehub.ts'
import { Deals } from '../../pages/deals.ts'
import { CALM } from '../../pages/home.ts'
import { beginAt } from '../../seating.ts'
import { active, marked, playRound, shareOf, SharesTable, SHORT } from './page.ts'

const DEAL = dealt({ game: 'shares', seats: 3, cards: ['C', 'KS'] })

scene(
  'Share and Share Alike: two pages and a person without one, a look, a market with two trades, to the reckoning',
  async (liveHub) => {
    const hub = await Hub.start(DEAL)
    onTestFinished(() => hub.close())
    const ann = await liveHub.person('Ann', { line: true }, hub)
    const { tables, code, companions } = await beginAt(
      SharesTable,
      'shares',
      [ann, await liveHub.person('Bo', {}, hub)],
      {
        seats: 3,
        choose: { ...SHORT, ...CALM, 'Talk about shares': 'The Whole Truth' },
        switchOn: ['Open Market'],
      },
      ['Cy'],
      hub,
    )
    const [anns, bos] = tables as [SharesTable, SharesTable]
    const [cy] = companions as [Companion]
    const cys = (): Sections<'shares'> => cy.sections
    await Promise.all(tables.map((table) => table.towers.waitFor()))
    const eve = await Companion.watch('Eve', code, hub)
    expect(eve.sections).toHaveProperty('towers')
    for (const own of ['hand', 'tracker', 'mark']) expect(eve.sections).not.toHaveProperty(own)

    // a share is locked, unlocked, noted
    await anns.mark('Anchor')
    await bos.players.getByText('5 cards, locked').waitFor({ state: 'attached' })
    await anns.button('Unlock').click()
    cy.plays((offers) => lastOf(offers, 'lock', 'endTurn'))
    await marked(tables, 'Anchor', 'Beacon')
    await anns.tracker.getByText('Anchor: 1 share, round 1').waitFor({ state: 'attached' })
    await anns
      .tower(/^Anchor/)
      .getByText('1 yours')
      .waitFor()
    expect(
      await bos
        .tower(/^Anchor/)
        .getByText('yours')
        .count(),
    ).toBe(0)

    // a peek: everybody sees who is looking at what; only that player sees the content, while it lasts
    const mine = await bos.tracker.allInnerTexts()
    await anns.play((await anns.first('clubs')) ?? '')
    await anns.whom('Bo').click()
    await ann.page.getByRole('button', { name: /^Look at Bo’s tracker for / }).click()
    await anns.looks.getByRole('timer').waitFor()
    const secret = ann.page.getByRole('list', { name: 'Bo’s tracker' })
    expect(await secret.getByRole('listitem').allInnerTexts()).toEqual(mine)
    await bos.middle.getByText('Ann is looking at your share tracker').waitFor()
    for (const other of [cy, eve]) {
      await other.when((sections) => 'peek' in sections)
      expect(other.sections).not.toHaveProperty('peek_content')
    }
    expect(await bos.page.getByRole('list', { name: 'Bo’s tracker' }).count()).toBe(0)
    expect(await anns.estimates.getByRole('button', { includeHidden: true, disabled: false }).count()).toBe(0)
    // a reload within the window restores it with only the time that is left; its end removes it for good
    const before = await seconds(anns)
    await ann.page.reload()
    await anns.looks.waitFor()
    expect(await seconds(anns)).toBeLessThanOrEqual(before)
    await anns.isWhole('latertrays.js')
    // it is dropped at once when offline, since its end could not be received, and restored when online
    ann.line?.cut()
    await anns.looks.waitFor({ state: 'detached' })
    expect(await kept(anns)).not.toMatch(canary('Bo'))
    ann.line?.mend()
    await anns.looks.waitFor()
    expect(await kept(anns)).toMatch(canary('Bo'))
    await anns.button('Stop looking').click()
    await anns.looks.waitFor({ state: 'detached' })
    await bos.middle.getByText('Ann is looking at').waitFor({ state: 'detached' })
    expect(await kept(anns)).not.toMatch(canary('Bo'))
    if (await anns.done.isVisible()) await anns.done.click()
    await ann.page.reload()
    await anns.hand.waitFor()
    expect(await ann.page.getByRole('list', { name: 'Bo’s tracker' }).count()).toBe(0)

    // The Whole Truth: shown to one player, then to everybody
    await bos.truth.getByRole('button', { name: 'Ann', exact: true }).click()
    await bos.button('Show it to Ann').click()
    await anns.truth.getByRole('list', { name: 'Bo’s tracker' }).waitFor({ state: 'attached' })
    expect(cys().seen?.shown[1] ?? null).toBeNull()
    await bos.button('Everybody').click()
    await bos.button('Show it to everybody').click()
    await cy.when(() => (cys().shows?.shown[1] ?? null) !== null)

    // a market: offers are saved beforehand, and two trades are made in it
    while ((await active(tables)) !== anns) await bos.passOn()
    const market = await new Deals(anns).open()
    for (const [partner, company] of [
      ['Bo', 'Beacon'],
      ['Cy', 'Ember'],
    ] as const) {
      await market.begin()
      await market.toWhom(partner)
      await market.wish(null, shareOf(company))
      await market.keep.click()
      await market.kept.filter({ hasText: partner }).waitFor()
    }
    const holdings = async (): Promise<readonly number[]> =>
      [await anns.holdings(), await bos.holdings(), cys().tracker?.holdings ?? []].map(sum)
    const claimed = await holdings()
    await anns.use('King of spades', 'Open a market with King of spades')
    await anns.stageIs('Open market').waitFor()
    await bos.middle.getByText('Ann opened a market with the King of spades').waitFor()
    for (const partner of ['Bo', 'Cy']) await market.press(market.kept.filter({ hasText: partner }), 'Send')
    await bos.button('Go to the deals').click()
    const deals = new Deals(bos)
    await deals.accept(deals.from('Ann'))
    await deals.from('Ann').getByText('Traded').waitFor()
    await cy.does({ move: 'accept' })
    await anns.button('Close the market').click()
    await bos.middle.getByText('Last: Ann opened a market with the King of spades').waitFor()
    await Promise.all(tables.map((table) => table.stageIs('Open market').waitFor({ state: 'detached' })))
    expect(await bos.page.getByRole('region', { name: 'Latest trades' }).getByRole('listitem').count()).toBe(
      2,
    )
    expect((await holdings()).map((count, index) => count - (claimed[index] ?? 0))).toEqual([2, -1, -1])

    // a round on, one page only looks on, and the other one comes back to the result
    await playRound(tables)
    await marked(tables, 'Ember')
    for (const { person } of tables)
      (await Companion.beside(person, code, hub)).plays((offers) => lastOf(offers, 'lock', 'endTurn'))
    await ann.page.goto('/healthz')
    await cy.when(({ table }) => table?.status === 'finished')
    await anns.visit(code)
    await Promise.all(tables.map((table) => table.over.waitFor()))
    const results = await Promise.all(tables.map((table) => table.worths.ariaSnapshot()))
    expect(new Set(results).size, results.join('\n')).toBe(1)
    await bos.page.getByRole('img', { name: 'Points by company' }).waitFor()
    await bos.page.getByRole('img', { name: 'Who held what' }).waitFor()
    const scores = await bos.scores()
    const paid = await bos.paid()
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
