/**
 * The current selection, shared by the board and the tray: a coin in the draft, marks for the flips, a merger
 * and its payment, or stocks to cash out. Nothing here is sent before it is confirmed, except the marks,
 * which are private.
 */
import { perTable } from '../../app/pertable.svelte.ts'
import { promisesOf } from '../../app/promises.ts'
import { Selection, type Move, type Question } from '../../app/selection.svelte.ts'
import type { TableView } from '../../app/tableview.svelte.ts'
import { SUITS, VALUES, type Name } from './coins.ts'
import { squareOf } from './grid.ts'
import { nearOf, pairsOf, purseOf, reach, sectionsOf, type Merger, type Sections } from './selectors.ts'
import { say } from './words.ts'

/** The hub's preview of a merger (games/takeover/rules/values.py). */
export interface Preview {
  readonly cost: number
  readonly under: Name
  readonly worth: number
  readonly height: number
  readonly cheapest: readonly Name[]
  readonly lost: number
  readonly flips: boolean
  readonly gain: number
}

function toggled(names: readonly Name[], name: Name): readonly Name[] {
  return names.includes(name) ? names.filter((each) => each !== name) : [...names, name]
}

/** Whether both lists have the same names, in whatever order. */
function isSame(names: readonly Name[], others: readonly Name[]): boolean {
  return names.length === others.length && names.every((name) => others.includes(name))
}

/** How long, in milliseconds, the page waits before it takes a coin by itself. */
const TAKES_AFTER = 400

function picking(taking: Name | number): Move {
  return typeof taking === 'number' ? { move: 'pick', value: taking } : { move: 'pickCoin', coin: taking }
}

interface Chosen {
  readonly source: Name | null
  readonly onto: Name | null
  /** The payment; null for the cheapest. */
  readonly pay: readonly Name[] | null
  readonly nullCoin: Name | null
  /** A coin or a value in the draft. */
  readonly taking: Name | number | null
  /** Stocks to cash out; null if this person is not cashing out. */
  readonly cashing: readonly Name[] | null
}

const NOTHING: Chosen = {
  source: null,
  onto: null,
  pay: null,
  nullCoin: null,
  taking: null,
  cashing: null,
}

export class TakeoverSelection extends Selection<Chosen, Preview> {
  /** The coin and company of this name are highlighted together. */
  lit = $state<Name | null>(null)
  /** Whether this page takes the rest of the coins by itself. */
  takesRest = $state(false)
  /** The marks just made, until the view includes them. */
  #marking = $state.raw<readonly Name[] | null>(null)
  /** The stocks that the coach has named. */
  #suggested = $state.raw<readonly Name[] | null>(null)

  constructor(view: TableView) {
    super(view, NOTHING)
  }

  protected override begin(): void {
    super.begin()
    this.lit = null
  }

  get #sections(): Sections | null {
    return sectionsOf(this.view)
  }

  /** The kind of prompt that this seat has to answer. */
  get kind(): 'draft' | 'flip' | 'turn' | null {
    return this.view.acts
      ? ((['draft', 'flip', 'turn'] as const).find((kind) => this.view.prompt(kind) !== undefined) ?? null)
      : null
  }

  // --- the draft ---

  get takeable(): boolean {
    return this.kind === 'draft' && this.taking !== null && this.#left(this.taking)
  }

  /** Whether this coin, or a coin of this value, is still on the table. */
  #left(taking: Name | number): boolean {
    const { draft } = this.#sections ?? {}
    if (draft === undefined) return false
    return typeof taking === 'number'
      ? draft.coins === null && (draft.left[taking] ?? 0) > 0
      : draft.coins?.includes(taking) === true
  }

  /** The chosen coin, or the only value left. */
  get taking(): Name | number | null {
    return this.chosen.taking ?? this.#onlyLeft
  }

  get #onlyLeft(): number | null {
    const { draft } = this.#sections ?? {}
    if (draft?.coins !== null || this.view.about?.lesson != null) return null
    const values = draft.left.flatMap((count, value) => (count > 0 ? [value] : []))
    return values.length === 1 ? (values[0] ?? null) : null
  }

  /** Handles a tap on a coin or a value on the table. */
  chooseTaking(taking: Name | number): void {
    if (this.#left(taking)) this.choose({ taking })
    else this.refuse('draft', picking(taking))
  }

  async take(): Promise<void> {
    const { taking } = this
    if (this.takeable && taking !== null) await this.send('draft', picking(taking))
  }

  /**
   * Whether this page may take the rest of the coins: industries are hidden, and more than one pick is left.
   */
  get mayTakeRest(): boolean {
    const { draft } = this.#sections ?? {}
    if (draft?.coins !== null || this.takesRest || this.view.about?.lesson != null) return false
    const left = draft.order.slice(draft.picks.length).filter((seat) => seat === this.view.seat).length
    return left > 1
  }

  /** The highest value left, to take by itself; null if it is not this page's turn to, or a promise is at stake. */
  get #highest(): number | null {
    const { draft } = this.#sections ?? {}
    if (this.kind !== 'draft' || draft === undefined) return null
    const isPromised = promisesOf(this.view).some(
      ({ by, judgement, kind, terms }) =>
        by === this.view.seat &&
        judgement == null &&
        kind === 'pick' &&
        terms.number === draft.picks.length + 1,
    )
    const highest = draft.left.findLastIndex((count) => count > 0)
    return isPromised || highest < 0 ? null : highest
  }

  /** Whether this page is about to take a coin by itself. */
  get takesNow(): boolean {
    return this.takesRest && this.#highest !== null
  }

  /** Takes coins by itself, if this person has asked for it. The game's tray calls this during setup. */
  followRest(): void {
    const drafts = $derived(this.#sections?.stage.phase === 'draft')
    $effect(() => {
      if (!drafts) this.takesRest = false
    })
    $effect(() => {
      const value = this.takesRest && this.view.online ? this.#highest : null
      if (value === null) return undefined
      const timer = setTimeout(() => void this.send('draft', picking(value)), TAKES_AFTER)
      return () => clearTimeout(timer)
    })
  }

  // --- the flips ---

  get locked(): boolean {
    return this.#sections?.flip?.locked === true
  }

  /** The coins marked to become stocks. */
  get marked(): readonly Name[] {
    return this.#marking ?? this.#sections?.flip?.stocks ?? []
  }

  async mark(name: Name): Promise<void> {
    const coins = toggled(this.marked, name)
    if (this.locked || this.kind !== 'flip') return this.refuse('flip', { move: 'setStocks', coins })
    await this.#setMarks(coins)
  }

  async #setMarks(coins: readonly Name[]): Promise<void> {
    this.#marking = coins
    const verdict = await this.view.do('flip', { move: 'setStocks', coins }, say('markKept'))
    if (this.#marking === coins && verdict?.code !== null) this.#marking = null
  }

  /** Whether the coach may be asked which coins to make stocks: not in a lesson, and not once the marks are locked. */
  get maySuggest(): boolean {
    return this.kind === 'flip' && !this.locked && this.view.about?.lesson == null
  }

  /** Whether the stocks that the coach has named are marked, and no others. */
  get isSuggested(): boolean {
    return this.#suggested !== null && isSame(this.marked, this.#suggested)
  }

  /** Marks the stocks that the coach names in its advice (games/takeover/coach.py). */
  async markSuggested(): Promise<void> {
    const prompt = this.view.prompt('flip')
    if (prompt === undefined) return
    const { data, refused } = await this.view.table.coach(prompt.id)
    if (refused !== null) return this.view.showWhyNot(refused)
    const stocks = data?.args?.stocks
    if (!Array.isArray(stocks) || !this.maySuggest) return
    this.#suggested = stocks as readonly Name[]
    await this.#setMarks(this.#suggested)
  }

  /** Forgets the marks just made once the view includes them. */
  settle(): void {
    const kept = this.#sections?.flip?.stocks
    const marks = this.#marking
    if (marks !== null && (kept === undefined || isSame(kept, marks))) this.#marking = null
  }

  async lock(): Promise<void> {
    if (this.kind === 'flip' && !this.locked) await this.view.do('flip', { move: 'lock', coins: this.marked })
  }

  async unlock(): Promise<void> {
    if (this.kind === 'flip' && this.locked) await this.view.do('flip', { move: 'unlock' })
  }

  // --- a merger ---

  /** The company that moves, while it exists. */
  get source(): Name | null {
    const stacks = this.#sections?.board.stacks
    return stacks !== undefined && squareOf(stacks, this.chosen.source) !== null ? this.chosen.source : null
  }

  /** The company that the source is merged onto. */
  get onto(): Name | null {
    const stacks = this.#sections?.board.stacks
    return stacks !== undefined && this.source !== null && squareOf(stacks, this.chosen.onto) !== null
      ? this.chosen.onto
      : null
  }

  get pair(): string | null {
    return this.source === null || this.onto === null ? null : `${this.source}>${this.onto}`
  }

  /** The companies that the grid lets the source be merged onto. */
  get targets(): ReadonlyMap<Name, Merger> {
    return reach(this.#sections?.mergers?.mergers ?? [], this.source)
  }

  /** The targets that the coins in hand can reach: one that does not touch the source needs a null. */
  get near(): ReadonlyMap<Name, Merger> {
    return nearOf(this.targets, this.purse.nulls.length > 0)
  }

  /** The pairs that this seat may currently merge. */
  get legal(): ReadonlySet<string> {
    return pairsOf(this.view.acts ? this.view.choices('turn', 'merge') : [])
  }

  get merger(): Merger | null {
    return this.onto === null ? null : (this.targets.get(this.onto) ?? null)
  }

  /**
   * Handles a tap on a company: it becomes the source or the target; a second tap deselects it. One that the source
   * can never be put onto becomes the source itself.
   */
  chooseCorporation(name: Name): void {
    const begins = this.source === null || (this.kind === 'turn' && !this.targets.has(name))
    if (name === this.source) this.clear()
    else if (begins) this.choose({ source: name, onto: null, pay: null, nullCoin: null })
    else this.choose({ onto: name === this.onto ? null : name, pay: null, nullCoin: null })
  }

  /** Handles a tap on a square whose company has been swallowed. */
  chooseEmpty(): void {
    const { stacks = [] } = this.#sections?.board ?? {}
    const all = SUITS.flatMap((suit) => VALUES.map((value) => `${suit}${value}` as Name))
    const gone = all.find((name) => squareOf(stacks, name) === null)
    this.refuse(this.kind, { move: 'merge', pair: `${this.source ?? gone}>${gone}`, pay: [] })
  }

  /** Handles a tap on a coin in hand during a turn: says if it cannot be part of the chosen merger or cash-out. */
  chooseOwn(name: Name): void {
    const { cashing, pair, merger } = this
    if (cashing !== null) this.refuse(this.kind, { move: 'cashOut', coins: [name] })
    else if (pair !== null && merger !== null && !this.pay.includes(name))
      this.refuse(this.kind, { ...this.#merge(), pay: [...this.pay, name] })
  }

  /**
   * Goes back one step, deselecting first the target and then the source; returns whether anything was
   * selected.
   */
  back(): boolean {
    if (this.cashing === null && this.source === null && this.taking === null) return false
    if (this.cashing === null && this.onto !== null) this.chooseCorporation(this.onto)
    else this.clear()
    return true
  }

  get purse(): ReturnType<typeof purseOf> {
    return purseOf(this.#sections?.hand?.coins ?? [])
  }

  /** The coins to pay with: the chosen ones, or else the cheapest sufficient payment, or else all cash. */
  get pay(): readonly Name[] {
    const { cash } = this.purse
    const cost = this.merger?.cost ?? 0
    return this.chosen.pay?.filter((name) => cash.includes(name)) ?? this.#sections?.hand?.pay[cost] ?? cash
  }

  /** The null to discard, if one is needed. */
  get nullCoin(): Name | null {
    const { nulls } = this.purse
    if (this.merger === null || this.merger.touch) return null
    const { nullCoin } = this.chosen
    return nullCoin !== null && nulls.includes(nullCoin) ? nullCoin : (nulls[0] ?? null)
  }

  togglePay(name: Name): void {
    this.choose({ pay: toggled(this.pay, name) })
  }

  chooseNull(name: Name): void {
    this.choose({ nullCoin: name })
  }

  /** Whether the merger may be confirmed. */
  get ready(): boolean {
    return (
      this.kind === 'turn' && this.pair !== null && this.legal.has(this.pair) && this.forecast.is === 'shown'
    )
  }

  #merge(): Move {
    const { nullCoin } = this
    return { move: 'merge', pair: this.pair, pay: this.pay, ...(nullCoin === null ? {} : { null: nullCoin }) }
  }

  async merge(): Promise<void> {
    if (this.ready) await this.send('turn', this.#merge())
  }

  async pass(): Promise<void> {
    if (this.kind === 'turn') await this.sendOrWarn('turn', 'pass')
  }

  protected get question(): Question | null {
    const { kind, promptId, pair } = this
    const coins = this.#sections?.hand?.coins
    return kind !== 'turn' || promptId === null || pair === null || coins === undefined
      ? null
      : { prompt: promptId, move: this.#merge(), basis: coins }
  }

  // --- cashing out ---

  /** Whether stocks may currently be cashed out. */
  get mayCash(): boolean {
    return this.view.acts && this.view.may('turn', 'cashOut')
  }

  get cashing(): readonly Name[] | null {
    return this.chosen.cashing
  }

  cashMode(on: boolean): void {
    this.clear()
    if (on) this.choose({ cashing: [] })
  }

  toggleCash(name: Name): void {
    if (this.cashing !== null) this.choose({ cashing: toggled(this.cashing, name) })
  }

  async cashOut(): Promise<void> {
    const { cashing } = this
    if (cashing !== null && cashing.length > 0) await this.send('turn', { move: 'cashOut', coins: cashing })
  }
}

/** The selection on this table's page. */
export const selectionOf = perTable((view) => new TakeoverSelection(view))
