/**
 * What this person is about to do, shared by the board and the tray: cards of the own hand, a tower, players, a number
 * of the Chance chart; and what the hub says that would bring. Nothing here is sent before it is confirmed, save the
 * share and the card that are only noted, which are private. Nothing that is looked at is ever here: a card to take is
 * its place in the hand.
 */
import type { SharesTowers } from '../../sdk/wire.gen.ts'
import type { TableView } from '../../app/tableview.svelte.ts'
import { COMPANIES, type Card, type Company } from './cards.ts'
import { cardsIn, companiesIn, numbersIn, sightOf, type Kind, type Sight, type What } from './sight.ts'

/** What the hub says a move would do (games/shares/rules/values.py). */
export interface Preview {
  readonly towers: SharesTowers | null
  readonly uses: number | null
  readonly chance: number | null
  readonly wasted: boolean
}

type Move = { readonly move: string } & Readonly<Record<string, unknown>>

/** Asks under which cards are played, discarded, or open a market. */
const ACTING: readonly Kind[] = ['turn', 'chance4']
/** What was passed over with a held key is not asked about. */
const PAUSE = 90

export class Picking {
  readonly #view: TableView
  #cards = $state.raw<readonly Card[]>([])
  #tower = $state<Company | null>(null)
  #seats = $state.raw<readonly number[]>([])
  what = $state<What>('tracker')
  #by = $state<number | null>(null)
  #place = $state<number | null>(null)
  #open = $state<Card | null>(null)
  /** What was just noted, until the view has it. */
  #noting = $state<Company | Card | null>(null)
  forecast = $state.raw<Preview | null>(null)

  constructor(view: TableView) {
    this.#view = view
  }

  get #sight(): Sight | null {
    return sightOf(this.#view)
  }

  get #acts(): boolean {
    return this.#view.status === 'running' && !this.#view.kept
  }

  /** What is asked of this seat now. */
  get kind(): Kind | null {
    const { main } = this.#view
    return this.#acts && main !== undefined && this.#view.prompt(main.kind)?.id === main.id
      ? (main.kind as Kind)
      : null
  }

  /** The ask this seat answers. */
  get prompted(): string | null {
    return this.kind === null ? null : (this.#view.main?.id ?? null)
  }

  #choices(move: string): ReturnType<TableView['choices']> {
    return this.kind === null ? [] : this.#view.choices(this.kind, move)
  }

  may(move: string): boolean {
    return this.#choices(move).length > 0
  }

  async #do(move: Move): Promise<void> {
    const { kind, prompted } = this
    if (kind === null) return
    const verdict = await this.#view.do(kind, move)
    if (verdict?.code === null && (this.prompted === prompted || this.prompted === null)) this.clear()
  }

  clear(): void {
    this.#cards = []
    this.#seats = []
    this.#tower = this.#by = this.#place = this.#open = this.#noting = null
  }

  /** Let go what is chosen; false: nothing was. */
  back(): boolean {
    const chosen =
      this.cards.length > 0 ||
      this.tower !== null ||
      this.seats.length > 0 ||
      this.by !== null ||
      this.place !== null ||
      this.open !== null
    this.clear()
    return chosen
  }

  // --- chosen by all in secret: a share, or a card for the first turn ---

  get locked(): boolean {
    const { mark, bid } = this.#sight ?? {}
    return (mark ?? bid)?.locked === true
  }

  /** The share that is noted. */
  get company(): Company | null {
    return this.kind === 'select'
      ? ((this.#noting as Company | null) ?? this.#sight?.mark?.company ?? null)
      : null
  }

  /** The card that is noted for Lowball. */
  get bid(): Card | null {
    return this.kind === 'lowball' ? ((this.#noting as Card | null) ?? this.#sight?.bid?.card ?? null) : null
  }

  async note(what: Company | Card): Promise<void> {
    const { kind } = this
    if (this.locked || (kind !== 'select' && kind !== 'lowball')) return
    this.#noting = what
    const verdict = await this.#view.do(
      kind,
      kind === 'select' ? { move: 'select', company: what } : { move: 'bid', card: what },
    )
    if (this.#noting === what && verdict?.code !== null) this.#noting = null
  }

  /** The view has what was noted. */
  settle(): void {
    const { mark, bid } = this.#sight ?? {}
    if (
      this.#noting !== null &&
      ((mark === undefined && bid === undefined) || this.#noting === (mark?.company ?? bid?.card))
    )
      this.#noting = null
  }

  get lockable(): boolean {
    return !this.locked && (this.company ?? this.bid) !== null
  }

  async lock(): Promise<void> {
    const { kind, company, bid } = this
    if (this.lockable && kind !== null)
      await this.#view.do(kind, { move: 'lock', ...(company === null ? { card: bid } : { company }) })
  }

  async unlock(): Promise<void> {
    if (this.kind !== null && this.may('unlock')) await this.#view.do(this.kind, { move: 'unlock' })
  }

  // --- cards of the own hand ---

  /** Whether cards may be chosen now. */
  get picksCards(): boolean {
    return this.kind !== null && ACTING.includes(this.kind)
  }

  /** The cards chosen, in the order they were: so they come onto the Discard Pile. */
  get cards(): readonly Card[] {
    const hand = this.#sight?.hand?.cards.map(({ card }) => card) ?? []
    return this.picksCards ? this.#cards.filter((card) => hand.includes(card)) : []
  }

  toggle(card: Card): void {
    if (this.picksCards)
      this.#cards = this.cards.includes(card)
        ? this.cards.filter((each) => each !== card)
        : [...this.cards, card]
  }

  get single(): Card | null {
    return this.cards.length === 1 ? (this.cards[0] ?? null) : null
  }

  get playable(): boolean {
    return this.single !== null && cardsIn(this.#choices('play')).includes(this.single)
  }

  get opens(): boolean {
    return this.single !== null && cardsIn(this.#choices('openMarket')).includes(this.single)
  }

  get discards(): boolean {
    return this.cards.length > 0 && this.may('discard')
  }

  async play(): Promise<void> {
    if (this.playable) await this.#do({ move: 'play', card: this.single })
  }

  async discard(): Promise<void> {
    if (this.discards) await this.#do({ move: 'discard', cards: this.cards })
  }

  async openMarket(): Promise<void> {
    if (this.opens) await this.#do({ move: 'openMarket', card: this.single })
  }

  /** A move that needs nothing chosen: drawUp, endTurn, decline, done, fromDeck, stopPeeking, closeMarket. */
  async plainly(move: string): Promise<void> {
    if (this.may(move)) await this.#do({ move })
  }

  // --- a tower ---

  get #deed(): 'add' | 'remove' | null {
    return this.kind === 'hearts' ? 'add' : this.kind === 'spades' ? 'remove' : null
  }

  /** The towers, or companies, that may be chosen now; null: there is nothing to choose. */
  get sites(): readonly Company[] | null {
    if (this.kind === 'select') return this.locked ? null : COMPANIES
    return this.#deed === null ? null : companiesIn(this.#choices(this.#deed))
  }

  get tower(): Company | null {
    return this.#deed !== null && this.#tower !== null && this.sites?.includes(this.#tower) === true
      ? this.#tower
      : null
  }

  choose(company: Company): void {
    if (this.sites?.includes(company) !== true) return
    if (this.kind === 'select') void this.note(company)
    else this.#tower = company === this.tower ? null : company
  }

  async build(): Promise<void> {
    if (this.tower !== null && this.#deed !== null) await this.#do({ move: this.#deed, tower: this.tower })
  }

  // --- players ---

  /** The seats that may be chosen now, and how many of them it takes; null: there are none to choose. */
  get targets(): { readonly of: readonly number[]; readonly count: number } | null {
    const { kind } = this
    if (kind === 'clubs') return { of: numbersIn(this.#choices('spy'), 'seat'), count: 1 }
    if (kind === 'chance1' || kind === 'chance6')
      return { of: numbersIn(this.#choices('target'), 'seat'), count: 1 }
    return kind === 'chance2' ? { of: numbersIn(this.#choices('swap'), 'seats'), count: 2 } : null
  }

  get seats(): readonly number[] {
    return this.#seats.filter((seat) => this.targets?.of.includes(seat) === true)
  }

  /** Whether as many are chosen as it takes. */
  get named(): boolean {
    return this.targets !== null && this.seats.length === this.targets.count
  }

  chooseSeat(seat: number): void {
    const { targets, seats } = this
    if (targets?.of.includes(seat) !== true) return
    this.#seats = seats.includes(seat)
      ? seats.filter((each) => each !== seat)
      : [...seats, seat].slice(-targets.count)
  }

  async nameThem(): Promise<void> {
    const { kind, seats, what } = this
    const [seat] = seats
    if (!this.named) return
    if (kind === 'clubs') await this.#do({ move: 'spy', seat, what })
    else await this.#do(kind === 'chance2' ? { move: 'swap', seats } : { move: 'target', seat })
  }

  // --- a roll ---

  /** By how much the roll may be adjusted. */
  get steps(): readonly number[] {
    return this.kind === 'adjust' ? numbersIn(this.#choices('adjust'), 'by') : []
  }

  get by(): number | null {
    return this.#by !== null && this.steps.includes(this.#by) ? this.#by : null
  }

  chooseBy(by: number): void {
    this.#by = by
  }

  async adjust(): Promise<void> {
    if (this.by !== null) await this.#do({ move: 'adjust', by: this.by })
  }

  // --- cards of others, and of the Discard Pile ---

  get place(): number | null {
    return this.kind === 'take' ? this.#place : null
  }

  choosePlace(place: number): void {
    this.#place = place === this.#place ? null : place
  }

  async take(): Promise<void> {
    if (this.place !== null) await this.#do({ move: 'take', place: this.place })
  }

  /** The open cards that may be drawn now. */
  get drawable(): readonly Card[] {
    return cardsIn(this.#choices('fromDiscard'))
  }

  get open(): Card | null {
    return this.#open !== null && this.drawable.includes(this.#open) ? this.#open : null
  }

  chooseOpen(card: Card): void {
    this.#open = card === this.open ? null : card
  }

  async drawOpen(): Promise<void> {
    if (this.open !== null) await this.#do({ move: 'fromDiscard', card: this.open })
  }

  // --- what the hub says it would do ---

  /** What the hub is to be asked about; the same words, the same answer. */
  get question(): string | null {
    const { prompted, single, tower, by } = this
    const move: Move | null = this.playable
      ? { move: 'play', card: single }
      : tower !== null && this.#deed !== null
        ? { move: this.#deed, tower }
        : by !== null
          ? { move: 'adjust', by }
          : null
    return prompted === null || move === null ? null : JSON.stringify({ prompt: prompted, move })
  }

  /** Ask the hub; returns what stops asking. */
  prompt(question: string | null): (() => void) | undefined {
    this.forecast = null
    if (question === null) return undefined
    const { prompt, move } = JSON.parse(question) as { prompt: string; move: Move }
    let stopped = false
    const timer = setTimeout(async () => {
      const { data, refused } = await this.#view.table.preview(prompt, move)
      if (!stopped && refused === null) this.forecast = data as Preview
    }, PAUSE)
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }

  /** What is confirmed by Enter. */
  async confirm(): Promise<boolean> {
    const { kind } = this
    const ready: Readonly<Partial<Record<Kind, readonly [boolean, () => Promise<void>]>>> = {
      select: [this.lockable, () => this.lock()],
      lowball: [this.lockable, () => this.lock()],
      turn: [this.playable, () => this.play()],
      chance4: [this.playable, () => this.play()],
      hearts: [this.tower !== null, () => this.build()],
      spades: [this.tower !== null, () => this.build()],
      clubs: [this.named, () => this.nameThem()],
      chance1: [this.named, () => this.nameThem()],
      chance2: [this.named, () => this.nameThem()],
      chance6: [this.named, () => this.nameThem()],
      adjust: [this.by !== null, () => this.adjust()],
      chance3: [this.open !== null, () => this.drawOpen()],
      draw: [this.open !== null, () => this.drawOpen()],
    }
    const [may, does] = (kind === null ? undefined : ready[kind]) ?? [false, null]
    if (!may || does === null) return false
    await does()
    return true
  }
}

const known = new WeakMap<TableView, Picking>()

/** The one choice of this table's page. */
export function pickingOf(view: TableView): Picking {
  const found = known.get(view) ?? new Picking(view)
  known.set(view, found)
  return found
}
