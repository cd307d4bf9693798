/** The goods of an Open Market for the deals panel: shares, any number of each company. */
import type { GameDeals, Terms, Thing } from '../../app/deals.ts'
import type { TableView } from '../../app/tableview.svelte.ts'
import { COMPANIES, type Company } from './cards.ts'
import DealsShare from './DealsShare.svelte'
import { formatCompany } from './format.ts'
import { say } from './words.ts'

/** A share of this company as an item to trade. */
function shareOf(item: string): Thing {
  return { item, face: 'share' }
}

function holdings(view: TableView): readonly number[] {
  return view.gameSection('shares', 'tracker')?.holdings ?? []
}

function named({ item }: Thing): string {
  return say('share', { company: formatCompany(item as Company) })
}

/**
 * A limit for offers prepared before a market opens; once it is open, the hub sets the limits.
 */
const MANY = 9

/** The terms between markets: give any shares the player owns, wish for any shares at all. */
function ahead(view: TableView): readonly Terms[] {
  const owned = COMPANIES.filter((_, index) => (holdings(view)[index] ?? 0) > 0)
  return [
    {
      to: view.seats.flatMap(({ number, mine }) => (mine ? [] : [number])),
      give: {
        type: 'multiset',
        of: owned,
        times: owned.map((company) => holdings(view)[COMPANIES.indexOf(company)] ?? 0),
        bounds: [],
        tight: false,
      },
      wish: { type: 'multiset', of: COMPANIES, times: COMPANIES.map(() => MANY), bounds: [], tight: false },
    },
  ]
}

export const deals: GameDeals = {
  prompt: 'market',
  lines: {
    offered: 'shares.offered',
    countered: 'shares.countered',
    swapped: 'shares.exchanged',
    closed: 'shares.marketClosed',
    good: shareOf,
    wish: shareOf,
  },
  trades: (view) => view.about?.options.openMarket === true,
  offers: (view) =>
    (view.gameSection('shares', 'deals')?.deals ?? []).map(({ id, by, to, give, wish }) => ({
      id,
      by,
      to,
      give: give.map(shareOf),
      wish: wish.map(shareOf),
    })),
  goods: (view) => COMPANIES.filter((_, index) => (holdings(view)[index] ?? 0) > 0).map(shareOf),
  wishes: (_view, items) =>
    items.length === 0
      ? []
      : [{ title: say('shelfShares'), things: items.map((item) => shareOf(String(item))) }],
  cost: () => 1,
  wishFor: ({ item }) => item,
  good: named,
  wish: named,
  ahead,
  closed: (ended) => say(ended ? 'marketOver' : 'marketNone'),
  Good: DealsShare,
  Wish: DealsShare,
}
