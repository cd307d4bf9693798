/**
 * The move that this player is preparing, shared by the board and the tray: a size, a square, and the hub's
 * forecast of the score. No move is sent before it is confirmed.
 */
import { perTable } from '../../app/pertable.svelte.ts'
import { Selection, type Move, type Question } from '../../app/selection.svelte.ts'
import type { TableView } from '../../app/tableview.svelte.ts'
import type { SubdivisionTotal } from '../../sdk/wire.gen.ts'
import { squaresNear } from './grid.ts'
import { parkSquares, placements, sectionsOf, SIZES, sizeFor, type Pips } from './selectors.ts'

/** The hub's preview of a move (games/subdivision/rules/values.py). */
interface Preview {
  readonly totals: readonly SubdivisionTotal[]
}

interface Chosen {
  readonly square: number | null
}

export class SubdivisionSelection extends Selection<Chosen, Preview> {
  /** The size last asked for, which stays selected from turn to turn. */
  #wished = $state<Pips | null>(null)

  constructor(view: TableView) {
    super(view, { square: null })
  }

  get square(): number | null {
    return this.chosen.square
  }

  set square(square: number | null) {
    this.choose({ square })
  }

  /** The squares on which each size may currently be placed. */
  get fits(): ReadonlyMap<number, ReadonlySet<number>> {
    return placements(this.view.acts ? this.view.choices('place', 'place') : [])
  }

  /** The squares that may currently become a park. */
  get sites(): ReadonlySet<number> {
    return parkSquares(this.view.acts ? this.view.choices('park', 'park') : [])
  }

  /** The kind of prompt that this seat has to answer. */
  get kind(): 'place' | 'park' | null {
    return this.fits.size > 0 ? 'place' : this.sites.size > 0 ? 'park' : null
  }

  /** The square that the lesson asks for; null at other tables. */
  get target(): number | null {
    const square = this.view.lessonMove?.square
    return this.kind !== null && typeof square === 'number' ? square : null
  }

  /** The size that the lesson asks for, if it fits; null at other tables. */
  get preset(): Pips | null {
    const wanted = this.view.lessonMove?.pips
    return SIZES.find((pips) => pips === wanted && this.fits.has(pips)) ?? null
  }

  /** The size about to be placed. */
  get pips(): Pips | null {
    return sizeFor(this.#wished, this.fits)
  }

  /** The squares that may be chosen; null if there is nothing to choose. */
  get legal(): ReadonlySet<number> | null {
    const { kind, pips } = this
    return kind === 'park' ? this.sites : pips === null ? null : (this.fits.get(pips) ?? null)
  }

  /** The size that the lesson asks for on the chosen square, if another is selected. */
  get missing(): Pips | null {
    const { preset, square } = this
    return square !== null && square === this.target && this.pips !== preset ? preset : null
  }

  /** Whether the choice may be confirmed. */
  get ready(): boolean {
    return this.square !== null && this.legal?.has(this.square) === true && this.missing === null
  }

  /** This seat's own 3s that keep a 3 off the chosen square. */
  get blamed(): readonly number[] {
    const { square } = this
    const { seat } = this.view
    const board = sectionsOf(this.view)?.board
    if (square === null || board === undefined || this.refusal?.code !== 'NEAR_OWN') return []
    return squaresNear(square, board.size).filter((near) => {
      const piece = board.squares[near]
      return piece != null && piece[0] === seat && piece[1] === 3
    })
  }

  pick(pips: Pips): void {
    if (this.fits.has(pips)) this.#wished = pips
    else this.refuse('place', { move: 'place', pips, square: this.square ?? 0 })
  }

  /** The move that carries out the choice. */
  #move(): Move {
    return this.kind === 'park'
      ? { move: 'park', square: this.square }
      : { move: 'place', pips: this.pips, square: this.square }
  }

  async confirm(): Promise<void> {
    if (this.kind !== null && this.ready) await this.send(this.kind, this.#move())
  }

  protected get question(): Question | null {
    const { promptId, square } = this
    const board = sectionsOf(this.view)?.board
    if (promptId === null || square === null || board === undefined || this.missing !== null) return null
    // A legal park does not change any total.
    return this.kind === 'park' && this.ready
      ? null
      : { prompt: promptId, move: this.#move(), basis: board.squares }
  }
}

/** The selection for this table's page. */
export const selectionOf = perTable((view) => new SubdivisionSelection(view))
