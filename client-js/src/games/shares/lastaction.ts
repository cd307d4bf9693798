/** What others have just done, in a sentence for whoever waits, and what a roll gave. */
import type { TableView } from '../../app/tableview.svelte.ts'
import type { AudienceLine } from '../../sdk/wire.gen.ts'
import { ACTIONS, OWN } from './actions.ts'
import { COMPANIES, type Card } from './cards.ts'
import { formatCard, formatCards, formatCompany, formatEffect, formatLooked, signed } from './format.ts'
import type { What } from './selectors.ts'
import { say } from './words.ts'

/** The number on the Chance chart that draws cards. */
const DRAWS = 3

/** Lines after which an earlier action is no longer news. */
const BEGINS = new Set(['shares.round', 'shares.starts', 'shares.highest'])

/** What a card has done to the towers: "Comet +2, Anchor +1"; empty if nothing. */
function formatTowerChanges(lines: readonly AudienceLine[]): string {
  return COMPANIES.flatMap((company) => {
    const count = (key: string): number =>
      lines.filter(([, each, args]) => each === key && args.company === company).length
    const floors = count('shares.added') - count('shares.removed')
    return floors === 0 ? [] : [`${formatCompany(company)} ${signed(floors)}`]
  }).join(', ')
}

/** Whose secrets a line is about: by name, and 1 for the viewer's, whom the texts call "you". */
const whose = (
  view: TableView,
  { other }: AudienceLine[2],
): { readonly other: string; readonly yours: number } => ({
  other: view.nameOf(Number(other)),
  yours: Number(other === view.seat),
})

/** What another seat has done last in this round; null if nothing, or if this person has acted since. */
export function lastAction(view: TableView): string | null {
  const { lines } = view.state
  const start = lines.findLastIndex(([, key]) => ACTIONS.has(key) || BEGINS.has(key))
  const [, key, args] = lines[start] ?? []
  if (key === undefined || args === undefined || !ACTIONS.has(key) || args.seat === view.seat) return null
  const after = lines.slice(start + 1)
  if (after.some(([, each, { seat }]) => OWN.has(each) && seat === view.seat)) return null
  const name = view.nameOf(Number(args.seat))
  const find = (...keys: string[]): AudienceLine[2] | undefined =>
    after.findLast(([, each]) => keys.includes(each))?.[2]
  if (key === 'shares.discarded')
    return say('actionDiscarded', { name, cards: formatCards(args.cards as readonly Card[]) })
  if (key === 'shares.drawUp') {
    const count = after.filter(([, each]) => each === 'shares.drew' || each === 'shares.drewOpen').length
    return say('actionDrew', { name, count })
  }
  const card = formatCard(args.card as Card)
  if (key === 'shares.market') return say('actionMarket', { name, card })
  const [changes, peek, chance] = [
    formatTowerChanges(after),
    find('peek.began'),
    find('shares.chance', 'shares.inVain'),
  ]
  if (changes !== '') return say('actionTowers', { name, card, changes })
  const [swapped, took] = [find('shares.swapped'), find('shares.took')]
  const swappers = swapped?.seats as readonly number[] | undefined
  // this person's own loss is told at length beside it
  if (swappers?.includes(view.seat ?? -1) === true || took?.other === view.seat)
    return say('actionPlayed', { name, card })
  if (swappers !== undefined)
    return say('actionSwapped', { name, card, names: swappers.map((seat) => view.nameOf(seat)) })
  if (took !== undefined) return say('actionTook', { name, card, other: view.nameOf(Number(took.other)) })
  if (chance !== undefined)
    return say('actionRolled', { name, card, effect: formatEffect(Number(chance.number)) })
  if (peek !== undefined)
    return say('actionLooked', {
      name,
      card,
      ...whose(view, peek),
      what: formatLooked(peek.what as What),
    })
  return say('actionPlayed', { name, card })
}

/**
 * Who else has sat out in this round since this person last acted, or `sinceAnybody` last acted; null if nobody.
 */
export function outNews(view: TableView, sinceAnybody = false): string | null {
  const { lines } = view.state
  const since = lines.findLastIndex(
    ([, key, { seat }]) =>
      BEGINS.has(key) || (sinceAnybody ? ACTIONS.has(key) : OWN.has(key) && seat === view.seat),
  )
  const names = lines
    .slice(since + 1)
    .flatMap(([, key, { seat }]) =>
      key === 'shares.out' && seat !== view.seat ? [view.nameOf(Number(seat))] : [],
    )
  return names.length === 0 ? null : say('actionOut', { names, count: names.length })
}

/** Who made this person roll, and what they have to decide by that roll; null if nobody did. */
export function passedNews(view: TableView): string | null {
  const { lines } = view.state
  const start = lines.findLastIndex(([, key]) => ACTIONS.has(key) || BEGINS.has(key))
  const since = lines.slice(start + 1)
  const passed = since.findLastIndex(([, key]) => key === 'shares.passed')
  const chance = since.slice(passed + 1).findLast(([, key]) => key === 'shares.chance')?.[2]
  const { seat: by, other } = since[passed]?.[2] ?? {}
  const kind = view.main?.kind ?? ''
  if (other !== view.seat || chance === undefined || !/^chance|^take$/.test(kind)) return null
  const number = Number(chance.number)
  return say('passedNews', { name: view.nameOf(Number(by)), number, effect: formatEffect(number) })
}

/**
 * What the roll for this person's last card has given, if it asks for nothing more: until they act, but no longer than
 * the choice of the next share.
 */
export function rollNews(view: TableView): string | null {
  const { seat: viewer } = view
  const { lines } = view.state
  const last = lines.findLastIndex(
    ([, key, { seat }]) => OWN.has(key) && key !== 'shares.stuck' && seat === viewer,
  )
  const since = lines.slice(last)
  const rounds = since.filter(([, key]) => key === 'shares.round').length
  if (last < 0 || rounds > Number(view.main?.kind === 'select')) return null
  const [, key, args] =
    since.findLast(([, each]) => each === 'shares.chance' || each === 'shares.inVain') ?? []
  if (args === undefined || args.seat !== viewer) return null
  const [number, isVain] = [Number(args.number), key === 'shares.inVain']
  if (!isVain && number !== DRAWS) return null
  return say('rollNews', { effect: formatEffect(number, isVain) })
}
