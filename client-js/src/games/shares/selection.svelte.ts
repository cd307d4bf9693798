/**
 * What the player has selected, shared by the board and the tray: cards from the hand, a tower, players or a
 * number on the Chance chart; also the hub's preview of the effect. Nothing is sent before it is confirmed;
 * the exceptions are a noted share and a noted card, which stay private. Nothing seen in a peek is ever kept
 * here: a card to take is stored as its place in the hand.
 */
import { perTable } from '../../app/pertable.svelte.ts'
import { Selection, type Move, type Question } from '../../app/selection.svelte.ts'
import type { TableView } from '../../app/tableview.svelte.ts'
import type { SharesHeld, SharesTowers } from '../../sdk/wire.gen.ts'
import { COMPANIES, type Card, type Company } from './cards.ts'
import {
  cardsIn,
  companiesIn,
  numbersIn,
  sectionsOf,
  targetOf,
  type Kind,
  type Sections,
  type Target,
  type What,
} from './selectors.ts'

/** The effect a move would have, according to the hub (games/shares/rules/values.py). */
export interface Preview {
  readonly towers: SharesTowers | null
  readonly uses: number | null
  readonly chance: number | null
  readonly wasted: boolean
}

/** Prompts that let cards be played, discarded, or used to open a market. */
const ACTING: readonly Kind[] = ['turn', 'chance4']
/** The moves without a choice that may break promises: they give actions away. */
const MAY_BREAK: ReadonlySet<string> = new Set(['drawUp', 'endTurn', 'decline'])
interface Chosen {
  readonly cards: readonly Card[]
  /** Whether the cards are chosen to be discarded. */
  readonly discarding: boolean
  /** The card whose effect is told while no card may be chosen. */
  readonly reading: Card | null
  readonly tower: Company | null
  readonly seats: readonly number[]
  readonly by: number | null
  readonly place: number | null
  readonly open: Card | null
}

const NOTHING: Chosen = {
  cards: [],
  discarding: false,
  reading: null,
  tower: null,
  seats: [],
  by: null,
  place: null,
  open: null,
}

export class SharesSelection extends Selection<Chosen, Preview> {
  what = $state<What>('tracker')
  /** Whether a card must be chosen before the action that was tapped; until something else is chosen. */
  needsCard = $state(false)
  /** Whether the Chance chart is open. */
  showsChart = $state(false)
  /** The share or card just noted, until it is in the view. */
  #noting = $state<Company | Card | null>(null)

  constructor(view: TableView) {
    super(view, NOTHING)
  }

  get #sections(): Sections | null {
    return sectionsOf(this.view)
  }

  /** The kind of prompt that this seat has to answer now. */
  get kind(): Kind | null {
    const { main } = this.view
    return this.view.acts && main !== undefined && this.view.prompt(main.kind)?.id === main.id
      ? (main.kind as Kind)
      : null
  }

  #choices(move: string): ReturnType<TableView['choices']> {
    return this.kind === null ? [] : this.view.choices(this.kind, move)
  }

  may(move: string): boolean {
    return this.#choices(move).length > 0
  }

  async #do(move: Move): Promise<void> {
    if (this.kind !== null) await this.send(this.kind, move)
  }

  protected override choose(part: Partial<Chosen>): void {
    this.needsCard = false
    super.choose(part)
  }

  /** While floors of one card are left, the tower of the last one stays chosen. */
  protected override begin(): void {
    const { tower } = this
    super.begin()
    this.needsCard = false
    this.#noting = null
    if (tower !== null) this.choose({ tower })
  }

  /** Clears the selection, and returns false if nothing was selected. */
  back(): boolean {
    const chosen =
      this.cards.length > 0 ||
      this.discarding ||
      this.reading !== null ||
      this.tower !== null ||
      this.seats.length > 0 ||
      this.by !== null ||
      this.place !== null ||
      this.open !== null
    this.clear()
    return chosen
  }

  /** What the lesson asks to press next; null at other tables. */
  get target(): Target | null {
    const { lessonMove } = this.view
    const { company, tower, cards, discarding, by } = this
    return lessonMove === null || this.kind === null
      ? null
      : targetOf(lessonMove, { company: company ?? tower, cards, discarding, by })
  }

  // --- the secret choice that everybody makes: a share, or a card for the first turn ---

  get locked(): boolean {
    const { mark, bid } = this.#sections ?? {}
    return (mark ?? bid)?.locked === true
  }

  /** The noted share. */
  get company(): Company | null {
    return this.kind === 'select'
      ? ((this.#noting as Company | null) ?? this.#sections?.mark?.company ?? null)
      : null
  }

  /** The card noted for Lowball. */
  get bid(): Card | null {
    return this.kind === 'lowball'
      ? ((this.#noting as Card | null) ?? this.#sections?.bid?.card ?? null)
      : null
  }

  async note(what: Company | Card): Promise<void> {
    const { kind } = this
    if (kind !== 'select' && kind !== 'lowball') return
    this.choose({ reading: null })
    const move = kind === 'select' ? { move: 'select', company: what } : { move: 'bid', card: what }
    if (this.locked) return this.refuse(kind, move)
    this.#noting = what
    const verdict = await this.view.do(kind, move)
    if (this.#noting === what && verdict?.code !== null) this.#noting = null
  }

  /** Forgets the share or card just noted once it is in the view. */
  settle(): void {
    const { mark, bid } = this.#sections ?? {}
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
      await this.view.do(kind, { move: 'lock', ...(company === null ? { card: bid } : { company }) })
  }

  async unlock(): Promise<void> {
    if (this.kind !== null && this.may('unlock')) await this.view.do(this.kind, { move: 'unlock' })
  }

  // --- cards from the player's hand ---

  #held(card: Card | null): SharesHeld | null {
    return this.#sections?.hand?.cards.find((held) => held.card === card) ?? null
  }

  /** Whether cards may be chosen now. */
  get picksCards(): boolean {
    return this.kind !== null && ACTING.includes(this.kind)
  }

  /** Whether a tap on a card only tells what it does: before a turn, while a share is chosen or others play. */
  get reads(): boolean {
    return this.kind === null || this.kind === 'select'
  }

  /** The card whose effect is told. */
  get reading(): SharesHeld | null {
    return this.reads ? this.#held(this.chosen.reading) : null
  }

  /** The chosen cards in the order they were chosen, which is how they are put on the Discard Pile. */
  get cards(): readonly Card[] {
    return this.picksCards ? this.chosen.cards.filter((card) => this.#held(card) !== null) : []
  }

  /** Whether several cards may be chosen, to be discarded together; otherwise one, to be played. */
  get discarding(): boolean {
    return this.picksCards && this.chosen.discarding
  }

  /** Chooses a card, in place of the one chosen before unless cards are discarded, or takes it back. */
  chooseCard(card: Card): void {
    const { cards } = this
    if (this.reads) this.choose({ reading: this.reading?.card === card ? null : card })
    else if (this.picksCards) {
      const others = this.discarding ? cards.filter((each) => each !== card) : []
      this.choose({ cards: cards.includes(card) ? others : [...others, card] })
    } else this.refuse(this.kind, { move: 'play', card })
  }

  /** The card chosen to be played. */
  get single(): Card | null {
    return this.discarding ? null : (this.cards[0] ?? null)
  }

  /** The same with what it does. */
  get held(): SharesHeld | null {
    return this.#held(this.single)
  }

  get playable(): boolean {
    return this.single !== null && cardsIn(this.#choices('play')).includes(this.single)
  }

  get opens(): boolean {
    return this.single !== null && cardsIn(this.#choices('openMarket')).includes(this.single)
  }

  get mayDiscard(): boolean {
    return this.may('discard')
  }

  /** Whether there are cards to discard. */
  get discards(): boolean {
    return this.discarding && this.cards.length > 0
  }

  async play(): Promise<void> {
    if (this.playable) await this.#do({ move: 'play', card: this.single })
    else this.#refuseOne({ move: 'play', card: this.single })
  }

  /** From now on, cards are chosen to be discarded; the chosen one is the first of them. */
  beginDiscard(): void {
    if (this.mayDiscard) this.choose({ discarding: true })
    else this.refuse(this.kind, { move: 'discard', cards: this.cards })
  }

  /** Cards are chosen to be played again. */
  endDiscard(): void {
    this.choose({ discarding: false, cards: [] })
  }

  async discard(): Promise<void> {
    if (this.discards) await this.#do({ move: 'discard', cards: this.cards })
    else this.refuse(this.kind, { move: 'discard', cards: [] })
  }

  async openMarket(): Promise<void> {
    if (this.opens) await this.#do({ move: 'openMarket', card: this.single })
    else this.#refuseOne({ move: 'openMarket', card: this.single })
  }

  async drawUp(): Promise<void> {
    if (this.may('drawUp')) await this.sendSimple('drawUp')
    else this.refuse(this.kind, { move: 'drawUp' })
  }

  /** Says why a move with one card cannot be made; without one, that one must be chosen first. */
  #refuseOne(move: Move): void {
    if (this.single === null) this.needsCard = true
    else this.refuse(this.kind, move)
  }

  /**
   * Sends a move that needs no choice: drawUp, endTurn, decline, done, fromDeck, stopPeeking, closeMarket.
   */
  async sendSimple(move: string): Promise<void> {
    if (this.kind === null || !this.may(move)) return
    await (MAY_BREAK.has(move) ? this.sendOrWarn(this.kind, move) : this.send(this.kind, { move }))
  }

  // --- a tower ---

  get #building(): 'add' | 'remove' | null {
    return this.kind === 'hearts' ? 'add' : this.kind === 'spades' ? 'remove' : null
  }

  /** The towers or companies that may be chosen now; null if there is nothing to choose. */
  get sites(): readonly Company[] | null {
    if (this.kind === 'select') return this.locked ? null : COMPANIES
    return this.#building === null ? null : companiesIn(this.#choices(this.#building))
  }

  get tower(): Company | null {
    const { tower } = this.chosen
    return this.#building !== null && tower !== null && this.sites?.includes(tower) === true ? tower : null
  }

  chooseCompany(company: Company): void {
    if (this.kind === 'select') void this.note(company)
    else if (this.sites?.includes(company) !== true)
      this.refuse(this.kind, { move: this.#building ?? 'add', tower: company })
    else this.choose({ tower: company })
  }

  async build(): Promise<void> {
    const { kind, tower } = this
    if (tower === null || kind === null || this.#building === null) return
    const left = (this.#sections?.scene.uses ?? 1) - 1
    const verdict = await this.view.do(kind, { move: this.#building, tower })
    if (verdict?.code === null && this.chosen.tower === tower && left === 0) this.clear()
  }

  // --- players ---

  /** The seats that may be chosen now, and how many must be; null if there are none to choose. */
  get targets(): { readonly of: readonly number[]; readonly count: number } | null {
    const { kind } = this
    if (kind === 'clubs') return { of: numbersIn(this.#choices('spy'), 'seat'), count: 1 }
    if (kind === 'chance1' || kind === 'chance6')
      return { of: numbersIn(this.#choices('target'), 'seat'), count: 1 }
    return kind === 'chance2' ? { of: numbersIn(this.#choices('swap'), 'seats'), count: 2 } : null
  }

  get seats(): readonly number[] {
    return this.chosen.seats.filter((seat) => this.targets?.of.includes(seat) === true)
  }

  /** Whether the right number of seats is chosen. */
  get named(): boolean {
    return this.targets !== null && this.seats.length === this.targets.count
  }

  chooseSeat(seat: number): void {
    const { targets, seats } = this
    if (targets?.of.includes(seat) !== true) return
    this.choose({
      seats: seats.includes(seat)
        ? seats.filter((each) => each !== seat)
        : [...seats, seat].slice(-targets.count),
    })
  }

  async confirmTargets(): Promise<void> {
    const { kind, seats, what } = this
    const [seat] = seats
    if (!this.named) return
    if (kind === 'clubs') await this.#do({ move: 'spy', seat, what })
    else await this.#do(kind === 'chance2' ? { move: 'swap', seats } : { move: 'target', seat })
  }

  // --- a roll ---

  /** The amounts by which the roll may be adjusted. */
  get steps(): readonly number[] {
    return this.kind === 'adjust' ? numbersIn(this.#choices('adjust'), 'by') : []
  }

  get by(): number | null {
    const { by } = this.chosen
    return by !== null && this.steps.includes(by) ? by : null
  }

  chooseBy(by: number): void {
    this.choose({ by })
  }

  async adjust(): Promise<void> {
    if (this.by !== null) await this.#do({ move: 'adjust', by: this.by })
  }

  // --- cards from others, and from the Discard Pile ---

  get place(): number | null {
    return this.kind === 'take' ? this.chosen.place : null
  }

  choosePlace(place: number): void {
    this.choose({ place: place === this.chosen.place ? null : place })
  }

  async take(): Promise<void> {
    if (this.place !== null) await this.#do({ move: 'take', place: this.place })
  }

  /** The cards in the Discard Pile that may be drawn now. */
  get drawable(): readonly Card[] {
    return cardsIn(this.#choices('fromDiscard'))
  }

  get open(): Card | null {
    const { open } = this.chosen
    return open !== null && this.drawable.includes(open) ? open : null
  }

  chooseOpen(card: Card): void {
    this.choose({ open: card === this.open ? null : card })
  }

  async drawOpen(): Promise<void> {
    if (this.open !== null) await this.#do({ move: 'fromDiscard', card: this.open })
  }

  // --- the preview of the selection, and confirming it ---

  protected get question(): Question | null {
    const { promptId, single, tower, by } = this
    const move: Move | null = this.playable
      ? { move: 'play', card: single }
      : tower !== null && this.#building !== null
        ? { move: this.#building, tower }
        : by !== null
          ? { move: 'adjust', by }
          : null
    return promptId === null || move === null ? null : { prompt: promptId, move }
  }

  /** Confirms the selection, as Enter does, and returns whether there was one to confirm. */
  async confirm(): Promise<boolean> {
    const { kind } = this
    const acts = this.discarding
      ? ([this.discards, () => this.discard()] as const)
      : ([this.playable, () => this.play()] as const)
    const ready: Readonly<Partial<Record<Kind, readonly [boolean, () => Promise<void>]>>> = {
      select: [this.lockable, () => this.lock()],
      lowball: [this.lockable, () => this.lock()],
      turn: acts,
      chance4: acts,
      hearts: [this.tower !== null, () => this.build()],
      spades: [this.tower !== null, () => this.build()],
      clubs: [this.named, () => this.confirmTargets()],
      chance1: [this.named, () => this.confirmTargets()],
      chance2: [this.named, () => this.confirmTargets()],
      chance6: [this.named, () => this.confirmTargets()],
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

/** The selection on this table's page. */
export const selectionOf = perTable((view) => new SharesSelection(view))
