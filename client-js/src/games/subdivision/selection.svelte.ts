/**
 * What this person is about to do, shared by the board and the tray: a size, a square, and what the hub says that
 * would bring. Nothing here is sent before it is confirmed.
 */
import type { Verdict } from '../../sdk/table.ts'
import type { SubdivisionTotal } from '../../sdk/wire.gen.ts'
import type { TableView } from '../../app/tableview.svelte.ts'
import { parkSquares, placements, sectionsOf, sizeFor, type Pips } from './selectors.ts'

/** What the hub said to the choice as it stands. */
export type Forecast =
  | { readonly is: 'none' }
  | { readonly is: 'asked' }
  | { readonly is: 'totals'; readonly totals: readonly SubdivisionTotal[] }
  | { readonly is: 'refused'; readonly verdict: Verdict }

const NONE: Forecast = { is: 'none' }
/** Squares passed over with a held key are not asked about. */
const PAUSE = 90

export class Selection {
  readonly #view: TableView
  #wished = $state<Pips | null>(null)
  square = $state<number | null>(null)
  forecast = $state.raw<Forecast>(NONE)

  constructor(view: TableView) {
    this.#view = view
  }

  get #acts(): boolean {
    return this.#view.status === 'running' && !this.#view.kept
  }

  /** The squares on which each size may be placed now. */
  get fits(): ReadonlyMap<number, ReadonlySet<number>> {
    return placements(this.#acts ? this.#view.choices('place', 'place') : [])
  }

  /** The squares that may become a park now. */
  get sites(): ReadonlySet<number> {
    return parkSquares(this.#acts ? this.#view.choices('park', 'park') : [])
  }

  /** What is asked of this seat now. */
  get kind(): 'place' | 'park' | null {
    return this.fits.size > 0 ? 'place' : this.sites.size > 0 ? 'park' : null
  }

  /** The size about to be placed. */
  get pips(): Pips | null {
    return sizeFor(this.#wished, this.fits)
  }

  /** The squares that may be chosen now; null where there is nothing to choose. */
  get legal(): ReadonlySet<number> | null {
    const { kind, pips } = this
    return kind === 'park' ? this.sites : pips === null ? null : (this.fits.get(pips) ?? null)
  }

  /** Whether the choice may be confirmed. */
  get ready(): boolean {
    return this.square !== null && this.legal?.has(this.square) === true
  }

  pick(pips: Pips): void {
    if (this.fits.has(pips)) this.#wished = pips
  }

  /** The move that the choice stands for. */
  #move(): { readonly move: string } & Readonly<Record<string, unknown>> {
    return this.kind === 'park'
      ? { move: 'park', square: this.square }
      : { move: 'place', pips: this.pips, square: this.square }
  }

  async confirm(): Promise<void> {
    const { kind } = this
    if (kind === null || !this.ready) return
    const prompted = this.square
    const verdict = await this.#view.do(kind, this.#move())
    if (verdict?.code === null && this.square === prompted) this.square = null
  }

  /** Ask the hub about the choice as it stands; returns what stops asking. Reads everything it depends on. */
  prompt(): (() => void) | undefined {
    const { kind, square } = this
    const prompt = kind === null ? undefined : this.#view.prompt(kind)
    const board = sectionsOf(this.#view)?.board
    // A park that may be set changes no total.
    if (prompt === undefined || square === null || board === undefined || (kind === 'park' && this.ready)) {
      this.forecast = NONE
      return undefined
    }
    const move = this.#move()
    let stopped = false
    this.forecast = { is: 'asked' }
    const timer = setTimeout(async () => {
      const { data, refused } = await this.#view.table.preview(prompt.id, move)
      if (stopped) return
      this.forecast =
        refused === null
          ? { is: 'totals', totals: (data as { totals: readonly SubdivisionTotal[] }).totals }
          : { is: 'refused', verdict: refused }
    }, PAUSE)
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }
}

const known = new WeakMap<TableView, Selection>()

/** The one choice of this table's page. */
export function selectionOf(view: TableView): Selection {
  const found = known.get(view) ?? new Selection(view)
  known.set(view, found)
  return found
}
