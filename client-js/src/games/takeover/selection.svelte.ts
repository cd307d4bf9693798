/**
 * What this person is about to do, shared by the board and the tray: a coin of the draft, marks for the flips, a merger
 * and its payment, stocks to cash out. Nothing here is sent before it is confirmed, save the marks, which are private.
 */
import type { Verdict } from '../../sdk/table.ts'
import type { TableView } from '../../app/tableview.svelte.ts'
import type { Name } from './coins.ts'
import { squareOf } from './grid.ts'
import { nearOf, pairsOf, purseOf, reach, sectionsOf, type Merger, type Sections } from './selectors.ts'
import { say } from './words.ts'

/** What the hub says a merger would do (games/takeover/rules/values.py). */
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

/** What the hub said to the merger as it stands. */
export type Forecast =
  | { readonly is: 'none' }
  | { readonly is: 'asked' }
  | { readonly is: 'shown'; readonly preview: Preview }
  | { readonly is: 'refused'; readonly verdict: Verdict }

const NONE: Forecast = { is: 'none' }
/** What was passed over with a held key is not asked about. */
const PAUSE = 90

function toggled(names: readonly Name[], name: Name): readonly Name[] {
  return names.includes(name) ? names.filter((each) => each !== name) : [...names, name]
}

export class Selection {
  readonly #view: TableView
  #source = $state<Name | null>(null)
  #onto = $state<Name | null>(null)
  /** A payment of one's own; null: the cheapest. */
  #pay = $state.raw<readonly Name[] | null>(null)
  #null = $state<Name | null>(null)
  /** A coin or a value of the draft. */
  taking = $state<Name | number | null>(null)
  /** Stocks to cash out; null: that is not what this person is about. */
  cashing = $state.raw<readonly Name[] | null>(null)
  /** The coin and the corporation that are looked at together. */
  lit = $state<Name | null>(null)
  /** Marks just made, until the view has them. */
  #marking = $state.raw<readonly Name[] | null>(null)
  forecast = $state.raw<Forecast>(NONE)

  constructor(view: TableView) {
    this.#view = view
  }

  get #sections(): Sections | null {
    return sectionsOf(this.#view)
  }

  get #acts(): boolean {
    return this.#view.status === 'running' && !this.#view.kept
  }

  /** What is asked of this seat now. */
  get kind(): 'draft' | 'flip' | 'turn' | null {
    return this.#acts
      ? ((['draft', 'flip', 'turn'] as const).find((kind) => this.#view.prompt(kind) !== undefined) ?? null)
      : null
  }

  // --- the draft ---

  get takeable(): boolean {
    const { draft } = this.#sections ?? {}
    if (this.kind !== 'draft' || this.taking === null || draft === undefined) return false
    return typeof this.taking === 'number'
      ? draft.coins === null && (draft.left[this.taking] ?? 0) > 0
      : draft.coins?.includes(this.taking) === true
  }

  async take(): Promise<void> {
    const { taking } = this
    if (!this.takeable) return
    const verdict = await this.#view.do(
      'draft',
      typeof taking === 'number' ? { move: 'pick', value: taking } : { move: 'pickCoin', coin: taking },
    )
    if (verdict?.code === null && this.taking === taking) this.taking = null
  }

  // --- the flips ---

  get locked(): boolean {
    return this.#sections?.flip?.locked === true
  }

  /** What shall be stocks. */
  get marked(): readonly Name[] {
    return this.#marking ?? this.#sections?.flip?.stocks ?? []
  }

  async mark(name: Name): Promise<void> {
    if (this.locked || this.kind !== 'flip') return
    const coins = toggled(this.marked, name)
    this.#marking = coins
    const verdict = await this.#view.do('flip', { move: 'setStocks', coins }, say('markKept'))
    if (this.#marking === coins && verdict?.code !== null) this.#marking = null
  }

  /** The view has what was marked. */
  settle(): void {
    const kept = this.#sections?.flip?.stocks
    const made = this.#marking
    if (
      made !== null &&
      (kept === undefined || (kept.length === made.length && made.every((name) => kept.includes(name))))
    )
      this.#marking = null
  }

  async lock(): Promise<void> {
    if (this.kind === 'flip' && !this.locked)
      await this.#view.do('flip', { move: 'lock', coins: this.marked })
  }

  async unlock(): Promise<void> {
    if (this.kind === 'flip' && this.locked) await this.#view.do('flip', { move: 'unlock' })
  }

  // --- a merger ---

  /** The corporation that moves, while it stands. */
  get source(): Name | null {
    const stacks = this.#sections?.board.stacks
    return stacks !== undefined && squareOf(stacks, this.#source) !== null ? this.#source : null
  }

  /** The corporation it goes onto. */
  get onto(): Name | null {
    const stacks = this.#sections?.board.stacks
    return stacks !== undefined && this.source !== null && squareOf(stacks, this.#onto) !== null
      ? this.#onto
      : null
  }

  get pair(): string | null {
    return this.source === null || this.onto === null ? null : `${this.source}>${this.onto}`
  }

  /** What the source may go onto as far as the grid goes. */
  get targets(): ReadonlyMap<Name, Merger> {
    return reach(this.#sections?.mergers?.mergers ?? [], this.source)
  }

  /** Those of them that the coins at hand can reach: what does not touch needs a null. */
  get near(): ReadonlyMap<Name, Merger> {
    return nearOf(this.targets, this.purse.nulls.length > 0)
  }

  /** The pairs this seat may merge now. */
  get legal(): ReadonlySet<string> {
    return pairsOf(this.#acts ? this.#view.choices('turn', 'merge') : [])
  }

  get merger(): Merger | null {
    return this.onto === null ? null : (this.targets.get(this.onto) ?? null)
  }

  /** A corporation is tapped: it moves, or what moves goes onto it; once more, and it is let go. */
  choose(name: Name): void {
    if (this.source === null) [this.#source, this.#onto] = [name, null]
    else if (name === this.source) this.clear()
    else this.#onto = name === this.onto ? null : name
    this.#pay = null
    this.#null = null
  }

  clear(): void {
    this.#source = this.#onto = this.#null = this.#pay = null
    this.cashing = null
    this.taking = null
  }

  /** One step back: what it goes onto, then what moves. */
  back(): boolean {
    if (this.cashing === null && this.source === null && this.taking === null) return false
    if (this.cashing === null && this.onto !== null) this.choose(this.onto)
    else this.clear()
    return true
  }

  get purse(): ReturnType<typeof purseOf> {
    return purseOf(this.#sections?.hand?.coins ?? [])
  }

  /** The coins to pay with: those chosen, else the cheapest that do, else all there are. */
  get pay(): readonly Name[] {
    const { cash } = this.purse
    const cost = this.merger?.cost ?? 0
    return this.#pay?.filter((name) => cash.includes(name)) ?? this.#sections?.hand?.pay[cost] ?? cash
  }

  /** The null to discard, where one is needed. */
  get nullCoin(): Name | null {
    const { nulls } = this.purse
    if (this.merger === null || this.merger.touch) return null
    return this.#null !== null && nulls.includes(this.#null) ? this.#null : (nulls[0] ?? null)
  }

  togglePay(name: Name): void {
    this.#pay = toggled(this.pay, name)
  }

  chooseNull(name: Name): void {
    this.#null = name
  }

  /** Whether the merger may be confirmed. */
  get ready(): boolean {
    return (
      this.kind === 'turn' && this.pair !== null && this.legal.has(this.pair) && this.forecast.is === 'shown'
    )
  }

  #merge(): { readonly move: string } & Readonly<Record<string, unknown>> {
    const { nullCoin } = this
    return { move: 'merge', pair: this.pair, pay: this.pay, ...(nullCoin === null ? {} : { null: nullCoin }) }
  }

  async merge(): Promise<void> {
    if (!this.ready) return
    const { pair } = this
    const verdict = await this.#view.do('turn', this.#merge())
    if (verdict?.code === null && this.pair === pair) this.clear()
  }

  async pass(): Promise<void> {
    if (this.kind === 'turn') await this.#view.do('turn', { move: 'pass' })
  }

  /** What the hub is to be asked about, and all that its answer depends on: the same words, the same answer. */
  get question(): string | null {
    const prompt = this.kind === 'turn' ? this.#view.prompt('turn') : undefined
    const coins = this.#sections?.hand?.coins
    return prompt === undefined || this.pair === null || coins === undefined
      ? null
      : JSON.stringify({ prompt: prompt.id, move: this.#merge(), coins })
  }

  /** Ask the hub what a merger would do; returns what stops asking. */
  prompt(question: string | null): (() => void) | undefined {
    if (question === null) {
      this.forecast = NONE
      return undefined
    }
    const { prompt, move } = JSON.parse(question) as { prompt: string; move: Record<string, unknown> }
    let stopped = false
    this.forecast = { is: 'asked' }
    const timer = setTimeout(async () => {
      const { data, refused } = await this.#view.table.preview(prompt, move)
      if (stopped) return
      this.forecast =
        refused === null ? { is: 'shown', preview: data as Preview } : { is: 'refused', verdict: refused }
    }, PAUSE)
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }

  // --- cashing out ---

  /** Whether stocks may be cashed out now. */
  get mayCash(): boolean {
    return this.#acts && this.#view.may('turn', 'cashOut')
  }

  cashMode(on: boolean): void {
    this.clear()
    this.cashing = on ? [] : null
  }

  toggleCash(name: Name): void {
    if (this.cashing !== null) this.cashing = toggled(this.cashing, name)
  }

  async cashOut(): Promise<void> {
    const { cashing } = this
    if (cashing === null || cashing.length === 0) return
    const verdict = await this.#view.do('turn', { move: 'cashOut', coins: cashing })
    if (verdict?.code === null && this.cashing === cashing) this.cashing = null
  }
}

const known = new WeakMap<TableView, Selection>()

/** The one choice of this table's page. */
export function selectionOf(view: TableView): Selection {
  const found = known.get(view) ?? new Selection(view)
  known.set(view, found)
  return found
}
