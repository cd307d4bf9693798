/**
 * The player's guesses about how many shares the others have in each company. They are kept in this tab, per
 * table and seat, and never sent. They are only ever entered manually; nothing seen in a peek is added here.
 */
import type { TableView } from '../../app/tableview.svelte.ts'
import { COMPANIES, type Company } from './cards.ts'

type Guess = number | null
const NONE: readonly Guess[] = COMPANIES.map(() => null)

function read(place: string): readonly Guess[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(place) ?? '[]')
    return Array.isArray(kept)
      ? COMPANIES.map((_, index) => (typeof kept[index] === 'number' ? kept[index] : null))
      : NONE
  } catch {
    return NONE
  }
}

export class Guesses {
  readonly seat: number
  readonly #view: TableView
  readonly #place: string
  of = $state.raw<readonly Guess[]>(NONE)

  constructor(view: TableView, seat: number) {
    this.#view = view
    this.seat = seat
    this.#place = `parley.guesses.${view.code}.${seat}`
    this.of = read(this.#place)
  }

  /** Notes are locked while peeking (SSA-28). */
  get locked(): boolean {
    return this.#view.section('talk_policy')?.notes_locked ?? false
  }

  set(company: Company, guess: Guess): void {
    if (this.locked) return
    this.of = this.of.map((before, index) => (COMPANIES[index] === company ? guess : before))
    sessionStorage.setItem(this.#place, JSON.stringify(this.of))
  }

  forget(): void {
    if (this.locked) return
    this.of = NONE
    sessionStorage.removeItem(this.#place)
  }
}

const known = new WeakMap<TableView, Guesses>()

/** The guesses of the player at this seat; null for spectators. */
export function guessesOf(view: TableView): Guesses | null {
  const { seat } = view
  if (seat === null) return null
  const before = known.get(view)
  const guesses = before?.seat === seat ? before : new Guesses(view, seat)
  known.set(view, guesses)
  return guesses
}
