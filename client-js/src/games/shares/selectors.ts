/**
 * Selects what the board needs from the hub's sections. The board never decides anything: ranks, prizes and
 * legal moves come from the rules.
 */
import type { TableView } from '../../app/tableview.svelte.ts'
import type { Choice, Games, SharesPeekContent, SharesShown, SharesTracker } from '../../sdk/wire.gen.ts'
import { COMPANIES, type Card, type Company } from './cards.ts'

type AllSections = Games['shares']['sections']
export type Kind = AllSections['scene']['kind']
export type What = 'hand' | 'tracker'

/**
 * The sections of this view, except for the content of a peek; those not open in this phase or to this viewer
 * are missing.
 */
export type Sections = Partial<Omit<AllSections, 'peek_content'>> &
  Pick<AllSections, 'stage' | 'scene' | 'recent' | 'towers' | 'players' | 'piles'>

export function sectionsOf(view: TableView): Sections | null {
  const section = <Name extends keyof AllSections>(name: Name): AllSections[Name] | undefined =>
    view.gameSection('shares', name)
  const [stage, scene, recent] = [section('stage'), section('scene'), section('recent')]
  const [towers, players, piles] = [section('towers'), section('players'), section('piles')]
  return stage && scene && recent && towers && players && piles
    ? {
        ...(view.state.sections as unknown as Partial<AllSections>),
        stage,
        scene,
        recent,
        towers,
        players,
        piles,
      }
    : null
}

/**
 * The hand or tracker that this seat is peeking at, and the time left.
 */
export interface Looked {
  readonly peekContent: SharesPeekContent
  readonly other: number
  readonly what: What
  /** In milliseconds. */
  readonly left: number
  readonly length: number
}

/**
 * The current peek; null as soon as its time is up, whatever the hub has sent. It is read afresh each time
 * and never stored.
 */
export function lookedAt(view: TableView): Looked | null {
  const [peek, peekContent] = [view.gameSection('shares', 'peek'), view.gameSection('shares', 'peek_content')]
  const window = peek && view.window(peek.window)
  if (!peek || !peekContent || !window || view.status !== 'running' || peek.seat !== view.seat) return null
  const left = view.left(window)
  return left <= 0
    ? null
    : { peekContent, other: peek.other, what: peek.what as What, left, length: window.span }
}

// --- choices ---

/** All values that a field may take in these choices. */
function among(choices: readonly Choice[], field: string): readonly (string | number)[] {
  return choices.flatMap((choice): readonly (string | number)[] => {
    const domain = choice.fields[field]
    return domain?.type === 'one_of' || domain?.type === 'subset' ? domain.of : []
  })
}

export function cardsIn(choices: readonly Choice[], field = 'card'): readonly Card[] {
  return among(choices, field) as readonly Card[]
}

export function companiesIn(choices: readonly Choice[], field = 'tower'): readonly Company[] {
  return among(choices, field) as readonly Company[]
}

export function numbersIn(choices: readonly Choice[], field: string): readonly number[] {
  return among(choices, field).filter((each) => typeof each === 'number')
}

// --- trackers ---

/** The rounds in which a company was marked, counted from 1. */
export function roundsOf({ marks }: SharesTracker, company: Company): readonly number[] {
  return marks.flatMap((marked, index) => (marked === company ? [index + 1] : []))
}

export function heldOf({ holdings }: Pick<SharesTracker, 'holdings'>, company: Company): number {
  return holdings[COMPANIES.indexOf(company)] ?? 0
}

/** The latest tracker that a seat has shown this viewer, and whether everybody was shown it. */
export function shownBy(
  { seen, shows }: Pick<Sections, 'seen' | 'shows'>,
  seat: number,
): { readonly shown: SharesShown; readonly all: boolean } | null {
  const [forSeat, all] = [seen?.shown[seat] ?? null, shows?.shown[seat] ?? null]
  if (forSeat !== null) return { shown: forSeat, all: false }
  return all === null ? null : { shown: all, all: true }
}

// --- a lesson ---

/** What may be pressed: a company, a card, or the button that makes a move. */
export type Target = `company:${Company}` | `card:${Card}` | `does:${string}`

/** What to press next to make this move of a lesson, given what is chosen; null if the board marks nothing. */
export function targetOf(
  move: Readonly<Record<string, unknown>>,
  chosen: {
    readonly company: Company | null
    readonly cards: readonly Card[]
    readonly discarding: boolean
  },
): Target | null {
  const { company, cards, discarding } = chosen
  switch (move.move) {
    case 'lock':
      return move.company === company ? 'does:lock' : `company:${move.company as Company}`
    case 'add':
    case 'remove':
      return move.tower === company ? 'does:build' : `company:${move.tower as Company}`
    case 'discard':
      return discarding ? (nextCard(move.cards as readonly Card[], cards) ?? 'does:discard') : 'does:choose'
    case 'play':
    case 'endTurn':
    case 'drawUp':
      if (discarding) return 'does:keep'
      return move.move !== 'play' || cards.includes(move.card as Card)
        ? `does:${move.move}`
        : `card:${move.card as Card}`
    default:
      return null
  }
}

/** The next card to choose, or to take back, until exactly these are chosen; null once they are. */
function nextCard(wanted: readonly Card[], chosen: readonly Card[]): Target | null {
  const next = chosen.find((card) => !wanted.includes(card)) ?? wanted.find((card) => !chosen.includes(card))
  return next === undefined ? null : `card:${next}`
}

// --- the prize calculator ---

export interface Estimate {
  readonly company: Company
  readonly prize: number
  readonly held: number
  /** The shares the others have: the guess, or an equal share of whatever the guesses leave. */
  readonly others: number
  readonly guessed: boolean
  /** The value of each share held; null if none is. */
  readonly value: number | null
}

/** The total number of shares that the others have, in all companies. */
export function othersHave({ players }: Pick<Sections, 'players'>, tracker: SharesTracker): number {
  return Math.max(0, players.shares - tracker.holdings.reduce((sum, count) => sum + count, 0))
}

/** How many of the others' shares the guesses leave; negative if more were guessed than there are. */
export function unplaced(all: number, guesses: readonly (number | null)[]): number {
  return all - guesses.reduce<number>((sum, guess) => sum + (guess ?? 0), 0)
}

/**
 * What the shares held would be worth if the game ended now: takes the others' shares as guessed, and spreads the
 * remaining ones evenly over the companies without a guess.
 */
export function estimates(
  sections: Pick<Sections, 'towers' | 'players'>,
  tracker: SharesTracker,
  guesses: readonly (number | null)[],
): readonly Estimate[] {
  const open = guesses.filter((guess) => guess === null).length
  const each = open === 0 ? 0 : Math.max(0, unplaced(othersHave(sections, tracker), guesses)) / open
  return COMPANIES.map((company, index) => {
    const [prize, held] = [sections.towers.companies[index]?.prize ?? 0, tracker.holdings[index] ?? 0]
    const guess = guesses[index] ?? null
    const others = guess ?? each
    return {
      company,
      prize,
      held,
      others,
      guessed: guess !== null,
      value: held > 0 ? prize / (held + others) : null,
    }
  })
}
