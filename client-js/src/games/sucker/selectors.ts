/**
 * Selects what the board needs from the hub's sections. Nothing is decided here: the rules determine who is
 * next, who is prompted and who wins.
 */
import type { TableView } from '../../app/tableview.svelte.ts'
import type {
  Choice,
  Games,
  SuckerCard,
  SuckerForecast,
  SuckerHands,
  SuckerPiles,
  SuckerTrail,
} from '../../sdk/wire.gen.ts'

type AllSections = Games['sucker']['sections']

/** The sections of this view; those not open in this phase, or to this viewer, are missing. */
export type Sections = Partial<AllSections> &
  Pick<AllSections, 'stage' | 'hands' | 'piles' | 'trail' | 'match'>

export type Kind = 'capture' | 'return' | 'tribute'

/** A pile by its number, or a new one. */
export type Spot = number | 'new'

export function sectionsOf(view: TableView): Sections | null {
  const section = <Name extends keyof AllSections>(name: Name): AllSections[Name] | undefined =>
    view.gameSection('sucker', name)
  const [stage, hands, piles, trail, match] = [
    section('stage'),
    section('hands'),
    section('piles'),
    section('trail'),
    section('match'),
  ]
  return stage && hands && piles && trail && match
    ? { ...(view.state.sections as unknown as Partial<AllSections>), stage, hands, piles, trail, match }
    : null
}

// --- hands ---

export function chipsOf(hands: SuckerHands, seat: number, colour: number): number {
  return hands.chips[seat]?.[colour] ?? 0
}

/** How many chips a seat holds, of any colour. */
export function heldBy(hands: SuckerHands, seat: number): number {
  return hands.chips[seat]?.reduce((sum, count) => sum + count, 0) ?? 0
}

// --- choices ---

function numbers(choice: Choice, field: string): readonly number[] {
  const domain = choice.fields[field]
  return domain?.type === 'one_of' ? domain.of.filter((each) => typeof each === 'number') : []
}

/** All the values that a field may have in these choices. */
export function among(choices: readonly Choice[], field: string): ReadonlySet<number> {
  return new Set(choices.flatMap((choice) => numbers(choice, field)))
}

/** For each colour, how many of its chips may be given or killed at once. */
export function amounts(choices: readonly Choice[]): ReadonlyMap<number, number> {
  return new Map(
    choices.flatMap((choice) => {
      const count = choice.fields.count
      return numbers(choice, 'colour').map(
        (colour) => [colour, count?.type === 'range' ? count.most : 1] as const,
      )
    }),
  )
}

/** A map from these colours to their counts. */
export function counted(
  colours: Iterable<number>,
  count: (colour: number) => number,
): ReadonlyMap<number, number> {
  return new Map([...colours].map((colour) => [colour, count(colour)]))
}

/** The capture card that may be played with this placement. */
export function captureCard(choices: readonly Choice[], colour: number, pile: number): number | null {
  const placement = choices.find(
    (choice) =>
      'card' in choice.fields &&
      numbers(choice, 'colour').includes(colour) &&
      numbers(choice, 'pile').includes(pile),
  )
  return placement === undefined ? null : (numbers(placement, 'card')[0] ?? null)
}

/** The return and tribute cards that may be played, by id, with the colours that a tribute card may name. */
export function playable(choices: readonly Choice[]): ReadonlyMap<number, readonly number[]> {
  return new Map(
    choices.flatMap((choice) =>
      numbers(choice, 'card').map((card) => [card, numbers(choice, 'colour')] as const),
    ),
  )
}

// --- piles ---

export function outlookOf(piles: SuckerPiles, spot: Spot, colour: number): SuckerForecast | null {
  const outlook = spot === 'new' ? piles.fresh : piles.piles.find(({ id }) => id === spot)?.outlook
  return outlook?.[colour] ?? null
}

/** How a chip counts in its pile: it is the top of its colour, under another one, or its seat is out. */
export type Weight = 'top' | 'under' | 'dead'

export interface Layer {
  readonly colour: number
  readonly weight: Weight
  /** The lowest of the tops: its seat would get the move if no colour were missing. */
  readonly decides: boolean
}

/** The chips of a pile, bottom first, each with its weight. */
export function layersOf(
  chips: readonly number[],
  tops: readonly (number | null)[],
  decides: number | null,
  alive: readonly boolean[],
): readonly Layer[] {
  return chips.map((colour, place) => ({
    colour,
    weight: alive[colour] !== true ? 'dead' : tops[colour] === place ? 'top' : 'under',
    decides: place === decides,
  }))
}

// --- the trail of the move ---

/** The place on the visible trail that the move goes back to if its holder is defeated; null if not on it. */
export function backOn({ seats, back }: SuckerTrail): number | null {
  const at = back === null ? -1 : seats.slice(0, -1).lastIndexOf(back)
  return at < 0 ? null : at
}

// --- the secret row ---

/** Whether the seat at this place in a row is the enemy or ally of the row's owner, or neither (2a). */
export function standing(row: readonly number[], place: number): 'enemy' | 'neutral' | 'ally' {
  return place === 0 ? 'enemy' : place === row.length - 1 ? 'ally' : 'neutral'
}

// --- cards ---

export interface CardView {
  readonly id: number
  readonly owner: number
  readonly token: number
  readonly status: SuckerCard[3]
  /** Null if this viewer does not know it. */
  readonly kind: Kind | null
}

/** All cards taken in this round, with what this viewer knows about them; those still held come first. */
export function cardsOf({ cards, mine }: Pick<Sections, 'cards' | 'mine'>): readonly CardView[] {
  const known = new Map(mine?.kinds)
  const views = (cards?.cards ?? []).map(([id, owner, token, status, kind]) => ({
    id,
    owner,
    token,
    status,
    kind: kind ?? known.get(id) ?? null,
  }))
  return views.toSorted((one, other) => Number(other.status === 'held') - Number(one.status === 'held'))
}

// --- history ---

/** The number of chips each seat held at the beginning of a round and after each step. */
export function curves(
  chips: readonly number[],
  deeds: AllSections['history']['deeds'],
): readonly (readonly number[])[] {
  return chips.map((count, seat) => [count, ...deeds.map(([, , , , held]) => held[seat] ?? 0)])
}

export interface Life {
  readonly pile: number
  readonly chips: readonly { readonly step: number; readonly seat: number; readonly colour: number }[]
  /** When it was captured and by whom, or when it died. */
  readonly end: { readonly step: number; readonly seat: number | null } | null
}

/** The history of each pile in a round, in the order in which they were started. */
export function lives(deeds: AllSections['history']['deeds']): readonly Life[] {
  const lifeOf = new Map<
    number,
    { chips: { step: number; seat: number; colour: number }[]; end: Life['end'] }
  >()
  deeds.forEach(([what, seat, colour, pile], index) => {
    if (pile === null) return
    const life = lifeOf.get(pile) ?? { chips: [], end: null }
    lifeOf.set(pile, life)
    if (what === 'place' && colour !== null) life.chips.push({ step: index + 1, seat, colour })
    else if (what !== 'place') life.end = { step: index + 1, seat: what === 'capture' ? seat : null }
  })
  return [...lifeOf].map(([pile, life]) => ({ pile, ...life }))
}

// --- the end of a round ---

type Over = AllSections['match']['results'][number]

/** To whom the end of a round is told: 1 is its survivor, 2 the last one eliminated, and 0 anybody else. */
export function roleOf({ survivor, out }: Over, viewer: number | null): 0 | 1 | 2 {
  if (viewer === null) return 0
  return viewer === survivor ? 1 : viewer === out.at(-1) ? 2 : 0
}

/** Which of the four possible endings the round had (2d). */
export function ended({ survivor, out, winners }: Over): 'alone' | 'both' | 'none' | 'other' {
  if (winners.length === 0) return 'none'
  if (winners.length > 1) return 'both'
  return winners[0] === survivor || out.length === 0 ? 'alone' : 'other'
}
