/**
 * Selects what the board needs from the hub's sections. The board never decides anything: ranks, prizes and
 * legal moves come from the rules.
 */
import type { TableView } from '../../app/tableview.svelte.ts'
import type { Choice, Games, SharesPeekContent, SharesTracker } from '../../sdk/wire.gen.ts'
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

export function heldOf({ holdings }: Pick<SharesTracker, 'holdings'>, company: Company): number {
  return holdings[COMPANIES.indexOf(company)] ?? 0
}

// --- a lesson ---

/** What may be pressed: a company, a card, a result of a roll, or the button that makes a move. */
export type Target = `company:${Company}` | `card:${Card}` | `by:${number}` | `does:${string}`

/** What to press next to make this move of a lesson, given what is chosen; null if the board marks nothing. */
export function targetOf(
  move: Readonly<Record<string, unknown>>,
  chosen: {
    readonly company: Company | null
    readonly cards: readonly Card[]
    readonly discarding: boolean
    readonly by: number | null
  },
): Target | null {
  const { company, cards, discarding, by } = chosen
  switch (move.move) {
    case 'lock':
      return move.company === company ? 'does:lock' : `company:${move.company as Company}`
    case 'add':
    case 'remove':
      return move.tower === company ? 'does:build' : `company:${move.tower as Company}`
    case 'adjust':
      return move.by === by ? 'does:adjust' : `by:${move.by as number}`
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
