/** Formats cards, companies, choices and log lines as text. */
import { words } from '../../app/language.ts'
import type { Value, Values } from '../../app/words.ts'
import type { SharesHeld, SharesStanding, SharesTowers, SharesTracker } from '../../sdk/wire.gen.ts'
import { COMPANIES, rankOf, SIZES, suitOf, type Card, type Company, type Size } from './cards.ts'
import { heldOf, type Kind, type What } from './selectors.ts'
import { say, texts } from './words.ts'

export function formatCompany(company: Company): string {
  return say(`company${company}`)
}

export function formatRank(rank: string): string {
  const key = `rank${rank}`
  return key in texts.ui ? words.format(texts.ui[key as keyof typeof texts.ui]) : rank
}

/** "King of hearts". */
export function formatCard(card: Card): string {
  return say('card', { rank: formatRank(rankOf(card)), suit: say(`suit${suitOf(card)}`) })
}

export function formatCards(cards: readonly Card[]): string {
  return cards.length === 0 ? say('nothing') : words.value(cards.map(formatCard))
}

/** A bundle of shares: "2 shares of Anchor and 1 share of Ember", or "nothing". */
export function formatLot(lot: readonly Company[]): string {
  const parts = COMPANIES.flatMap((company) => {
    const count = lot.filter((each) => each === company).length
    return count === 0 ? [] : [say('shares', { count, company: formatCompany(company) })]
  })
  return parts.length === 0 ? say('nothing') : words.value(parts)
}

export function formatWhat(what: What): string {
  return say(what)
}

/** What somebody has looked at, for those who may not know what a tracker is. */
export function formatLooked(what: What): string {
  return say(what === 'hand' ? 'whatHand' : 'whatTracker')
}

const EFFECTS = {
  1: 'chance1',
  2: 'chance2',
  3: 'chance3',
  4: 'chance4',
  5: 'chance5',
  6: 'chance6',
} as const

/** The number on the Chance chart that does nothing. */
const NOTHING = 5

/** The effect of a number on the Chance chart; `isVain` if it had none this time. */
export function formatEffect(number: number, isVain = false): string {
  const effect = say(EFFECTS[number as keyof typeof EFFECTS] ?? 'chance5')
  return isVain && number !== NOTHING ? say('effectless', { effect }) : effect
}

const AUTO: Readonly<
  Partial<Record<Kind, 'autoSelect' | 'autoTurn' | 'autoLapse' | 'autoStays' | 'autoDraw' | 'autoDecline'>>
> = {
  select: 'autoSelect',
  turn: 'autoTurn',
  hearts: 'autoLapse',
  spades: 'autoLapse',
  clubs: 'autoLapse',
  adjust: 'autoStays',
  draw: 'autoDraw',
  chance3: 'autoDraw',
  chance4: 'autoDecline',
}

/** The default that was applied when a seat's time was up. */
function formatAuto(kind: Kind): string {
  return say(AUTO[kind] ?? 'autoChance')
}

// --- towers ---

export function formatSize(size: number, pips: boolean): string {
  return say(pips ? 'pips' : 'floors', { count: size })
}

const PLACES = { 1: 'place1', 2: 'place2', 3: 'place3', 4: 'place4', 5: 'place5' } as const

/** A place among the companies: "2nd", or "2nd tied". */
export function formatPlace({ place, tied }: Pick<SharesStanding, 'place' | 'tied'>): string {
  const name = say(PLACES[place as keyof typeof PLACES] ?? 'place5')
  return tied > 1 ? say('placeTied', { place: name }) : name
}

/** A tower: its standing, the player's own shares in it, and its standing after the selected move. */
export function formatTower(
  company: Company,
  standing: SharesStanding,
  pips: boolean,
  tracker: SharesTracker | undefined,
  would: SharesStanding | undefined,
): string {
  const { place, tied, prize, floors } = standing
  const values = { company: formatCompany(company), size: formatSize(standing.size, pips), place, prize }
  const top = floors.at(-1)
  const held = tracker === undefined ? 0 : heldOf(tracker, company)
  return [
    tied > 1 ? say('towerTied', { ...values, tied }) : say('tower', values),
    top === undefined ? null : say('towerTop', { floor: say(`floor${top}`) }),
    held === 0 ? null : say('towerYours', { count: held }),
    would === undefined || (would.size === standing.size && would.prize === prize)
      ? null
      : say('towerWould', { size: formatSize(would.size, pips), prize: would.prize }),
  ]
    .filter((part) => part !== null)
    .join(', ')
}

export function formatSupply(towers: SharesTowers): string {
  return words.value(SIZES.map((size, index) => say(`supply${size}`, { count: towers.supply[index] ?? 0 })))
}

export function signed(number: number): string {
  return number > 0 ? `+${words.value(number)}` : number < 0 ? `−${words.value(-number)}` : words.value(0)
}

// --- cards about to be played ---

/** The effect of playing a card; `wasted` if it would have none. */
export function formatPlay({ card, uses, adjust }: SharesHeld, wasted: boolean): string {
  const [name, count] = [formatCard(card), uses]
  const suit = suitOf(card)
  const does =
    suit === 'H'
      ? say('playHearts', { card: name, count })
      : suit === 'S'
        ? say('playSpades', { card: name, count })
        : suit === 'C'
          ? say('playClubs', { card: name, count })
          : adjust > 0
            ? say('playAdjust', { card: name, count: adjust })
            : say('playDiamonds', { card: name })
  return wasted ? `${does}. ${say('playWasted')}` : does
}

/** What a card does, as a sentence. */
export function formatCardLine(held: SharesHeld, wasted = false): string {
  const does = formatPlay(held, wasted)
  return does.endsWith('.') ? does : `${does}.`
}

const LAID = { H: 'playedHearts', S: 'playedSpades', C: 'playedClubs', D: 'playedDiamonds' } as const

/** What a card was played for: its suit, or to open a market; `market` is null if that is not known. */
export function formatLaid(
  card: Card,
  who: { readonly name: string; readonly you: number },
  market: boolean | null,
): string {
  const what = market === null ? 'playedBy' : market ? 'openedMarket' : LAID[suitOf(card)]
  return say(what, { ...who, card: formatCard(card) })
}

// --- lines of the log ---

const LOTS = new Set(['give', 'wish', 'back'])

/** The arguments of a log line, with cards, companies, floors and effects in words. */
export function formatArguments(line: string, values: Values): Values {
  const args: Record<string, Value> = { ...values }
  for (const [key, value] of Object.entries(values)) {
    if (key === 'card') args.card = formatCard(value as Card)
    else if (key === 'cards') args.cards = formatCards(value as readonly Card[])
    else if (['company', 'yours', 'rival'].includes(key)) args[key] = formatCompany(value as Company)
    else if (key === 'size') args.size = say(`floor${value as Size}`)
    else if (LOTS.has(key)) args[key] = formatLot(value as readonly Company[])
    else if (key === 'what')
      args.what = line.startsWith('peek.') ? formatLooked(value as What) : formatAuto(value as Kind)
  }
  if (line === 'shares.chance' || line === 'shares.inVain')
    args.number = formatEffect(Number(values.number), line === 'shares.inVain')
  return args
}
