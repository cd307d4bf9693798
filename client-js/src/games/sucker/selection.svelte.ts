/**
 * What this person is about to do, shared by the board and the tray: a chip and a pile, who gets the move, what dies,
 * an answer to a rescue; or, at any time, prisoners to give and to kill; or a card to play. Nothing is sent before it is confirmed.
 */
import type { TableView } from '../../app/tableview.svelte.ts'
import type { Verdict } from '../../sdk/table.ts'
import {
  among,
  amounts,
  captureCard,
  counted,
  playable,
  sectionsOf,
  type Sections,
  type Spot,
} from './selectors.ts'

/** So many chips more, or fewer, of a colour in a seat's hand. */
export type Gain = readonly [seat: number, colour: number, count: number]

/** What the hub says a move would do (games/sucker/rules/views.py). */
export interface Preview {
  readonly gains: readonly Gain[]
  readonly dies: readonly number[]
  readonly captor: number | null
  readonly next: readonly number[]
  readonly forced: boolean
  readonly card: number | null
  readonly needy: number | null
  readonly rescuers: readonly number[]
  readonly back: number | null
  readonly falls: readonly number[]
  readonly ends: boolean
}

export type Forecast =
  | { readonly is: 'none' }
  | { readonly is: 'asked' }
  | { readonly is: 'shown'; readonly preview: Preview }
  | { readonly is: 'refused'; readonly verdict: Verdict }

export type Asked = 'turn' | 'choose' | 'kill' | 'rescue' | 'continue'
/** What the tray is about: what the table waits for, prisoners, or cards. */
export type About = 'asked' | 'prisoners' | 'cards'

type Move = { readonly move: string } & Readonly<Record<string, unknown>>

const NONE: Forecast = { is: 'none' }
/** What was passed over with a held key is not asked about. */
const PAUSE = 90
const ASKED = ['turn', 'choose', 'kill', 'rescue', 'continue'] as const

export class Selection {
  readonly #view: TableView
  #wished = $state<About>('asked')
  /** The colour of the chip, or of the prisoners. */
  #colour = $state<number | null>(null)
  /** The pile; kept while it stands. */
  #spot = $state<Spot | null>(null)
  /** A seat: who gets the move, or the prisoners. */
  #to = $state<number | null>(null)
  /** What the own place in a row of seats stands for: kill, or refuse. */
  #no = $state(false)
  #count = $state(1)
  #card = $state<number | null>(null)
  /** The piles as they lie on the table, and the place of a new one. */
  spots = $state.raw<readonly Spot[]>(['new'])
  /** The colour somebody only looks at: what a chip of it would lead to. */
  lens = $state<number | null>(null)
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

  /** What the table asks of this seat now. */
  get kind(): Asked | null {
    return this.#acts ? (ASKED.find((kind) => this.#view.prompt(kind) !== undefined) ?? null) : null
  }

  /** By colour, how many prisoners this seat may give or kill now. */
  get loose(): ReadonlyMap<number, number> {
    return amounts(this.#acts ? this.#view.choices('prisoners', 'transfer') : [])
  }

  /** The cards this seat may play now, with the colours each may name. */
  get cards(): ReadonlyMap<number, readonly number[]> {
    const { kind } = this
    return playable(kind === 'turn' || kind === 'rescue' ? this.#view.choices(kind, 'playCard') : [])
  }

  /** What the tray is about; without a prompt, prisoners. */
  get about(): About {
    if (this.#wished === 'prisoners' && this.loose.size > 0) return 'prisoners'
    if (this.#wished === 'cards' && this.cards.size > 0) return 'cards'
    return this.kind === null && this.loose.size > 0 ? 'prisoners' : 'asked'
  }

  turnTo(about: About): void {
    const { colour } = this
    this.clear()
    this.#wished = about
    if (about === 'prisoners' && colour !== null && this.loose.has(colour)) this.#colour = colour
  }

  // --- what may be chosen, and what is ---

  /** Colours that may be chosen now, with how many chips there are of each. */
  get colours(): ReadonlyMap<number, number> {
    const { kind, about } = this
    const own = this.#sections?.hands.chips[this.#view.seat ?? -1]
    if (about === 'prisoners') return this.loose
    if (about === 'cards')
      return counted(this.cards.get(this.card ?? -1) ?? [], (colour) => this.#heldByToken(colour))
    if (kind === 'turn')
      return counted(among(this.#view.choices('turn', 'place'), 'colour'), (colour) => own?.[colour] ?? 0)
    if (kind === 'rescue') return amounts(this.#view.choices('rescue', 'rescue'))
    const chips = this.pile?.chips ?? []
    return counted(
      among(this.#view.choices('kill', 'kill'), 'colour'),
      (colour) => chips.filter((chip) => chip === colour).length,
    )
  }

  #heldByToken(colour: number): number {
    const token = this.#sections?.cards?.cards.find(([id]) => id === this.card)?.[2]
    return token === undefined ? 0 : (this.#sections?.hands.chips[token]?.[colour] ?? 0)
  }

  /** The pile to choose or kill by. */
  get pile(): Sections['piles']['piles'][number] | null {
    const { stage, piles } = this.#sections ?? {}
    return piles?.piles.find(({ id }) => id === stage?.pile) ?? null
  }

  /** Who may get the move, or the prisoners. */
  get receivers(): ReadonlySet<number> {
    if (this.about === 'prisoners') return among(this.#view.choices('prisoners', 'transfer'), 'to')
    return among(this.kind === 'choose' ? this.#view.choices('choose', 'giveMove') : [], 'to')
  }

  get colour(): number | null {
    return this.#colour !== null && this.colours.has(this.#colour) ? this.#colour : null
  }

  get spot(): Spot | null {
    if (this.kind !== 'turn' || this.about !== 'asked') return null
    return this.#spot === 'new' || this.#sections?.piles.piles.some(({ id }) => id === this.#spot) === true
      ? this.#spot
      : null
  }

  get to(): number | null {
    return this.#to !== null && this.receivers.has(this.#to) ? this.#to : null
  }

  /** Kill, of prisoners; refuse, in a rescue. */
  get no(): boolean {
    return this.#no && (this.about === 'prisoners' || (this.about === 'asked' && this.#mayRefuse))
  }

  get #mayRefuse(): boolean {
    return this.kind === 'rescue' && this.#view.may('rescue', 'refuse')
  }

  /** How many may be given or killed at once. */
  get most(): number {
    const gives = this.about === 'prisoners' || (this.kind === 'rescue' && this.about === 'asked')
    return gives && this.colour !== null ? (this.colours.get(this.colour) ?? 1) : 1
  }

  get count(): number {
    return Math.min(this.#count, this.most)
  }

  set count(count: number) {
    this.#count = count
  }

  /** The card to be played: chosen among cards, or beside the placing. */
  get card(): number | null {
    if (this.about === 'cards') {
      const only = this.cards.size === 1 ? ([...this.cards.keys()][0] ?? null) : null
      return this.#card !== null && this.cards.has(this.#card) ? this.#card : only
    }
    return this.#card !== null && this.#card === this.withCard ? this.#card : null
  }

  /** The capture card that may be played with the placing as it stands. */
  get withCard(): number | null {
    const { colour, spot } = this
    return colour === null || typeof spot !== 'number'
      ? null
      : captureCard(this.#view.choices('turn', 'place'), colour, spot)
  }

  // --- choosing ---

  chooseColour(colour: number): void {
    if (!this.colours.has(colour)) return
    const again = this.colour === colour
    this.#colour = again ? null : colour
    this.#count = 1
    if (this.about === 'asked') this.#no = false
    if (this.kind === 'turn' && this.about === 'asked') this.#card = null
  }

  chooseSpot(spot: Spot): void {
    if (this.kind !== 'turn') return
    if (this.about !== 'asked') this.turnTo('asked')
    this.#spot = this.spot === spot ? null : spot
    this.#card = null
    if (this.#spot !== null && this.colour === null && this.colours.size === 1)
      this.#colour = [...this.colours.keys()][0] ?? null
  }

  /** To the next pile, or the one before. */
  step(by: number): void {
    const { spots } = this
    const from = this.spot === null ? (by > 0 ? -1 : spots.length) : spots.indexOf(this.spot)
    const to = spots[Math.min(spots.length - 1, Math.max(0, from + by))]
    if (to !== undefined && to !== this.spot) this.chooseSpot(to)
  }

  chooseTo(seat: number): void {
    if (!this.receivers.has(seat)) return
    this.#to = this.to === seat ? null : seat
    this.#no = false
  }

  chooseNo(): void {
    this.#no = !this.#no
    this.#to = null
    if (this.about === 'asked') this.#colour = null
  }

  chooseCard(card: number): void {
    this.#card = this.card === card && this.about !== 'cards' ? null : card
    if (this.about === 'cards') this.#colour = null
  }

  clear(): void {
    this.#wished = 'asked'
    this.#colour = this.#spot = this.#to = this.#card = null
    this.#no = false
    this.#count = 1
  }

  /** One step back. */
  back(): boolean {
    if (this.to !== null || this.no) [this.#to, this.#no] = [null, false]
    else if (this.spot !== null) this.#spot = null
    else if (this.colour !== null) this.#colour = null
    else if (this.about !== 'asked' && this.kind !== null) this.turnTo('asked')
    else return false
    return true
  }

  // --- the move ---

  /** The ask and the move that stand for the choice; null while something is missing. */
  get choice(): { readonly prompt: Asked | 'prisoners'; readonly move: Move } | null {
    const { kind, about, colour, spot, to, no, count, card } = this
    if (about === 'prisoners') {
      if (colour === null) return null
      if (no) return { prompt: 'prisoners', move: { move: 'killPrisoners', colour, count } }
      return to === null ? null : { prompt: 'prisoners', move: { move: 'transfer', colour, count, to } }
    }
    if (kind === null) return null
    if (about === 'cards') {
      const names = this.cards.get(card ?? -1)
      if (card === null || names === undefined || (names.length > 0 && colour === null)) return null
      return { prompt: kind, move: { move: 'playCard', card, ...(names.length > 0 ? { colour } : {}) } }
    }
    switch (kind) {
      case 'turn':
        return colour === null || spot === null
          ? null
          : {
              prompt: kind,
              move: {
                move: 'place',
                colour,
                ...(spot === 'new' ? {} : { pile: spot }),
                ...(card === null ? {} : { card }),
              },
            }
      case 'choose':
        return to === null ? null : { prompt: kind, move: { move: 'giveMove', to } }
      case 'kill':
        return colour === null ? null : { prompt: kind, move: { move: 'kill', colour } }
      case 'rescue':
        if (no) return { prompt: kind, move: { move: 'refuse' } }
        return colour === null ? null : { prompt: kind, move: { move: 'rescue', colour, count } }
      case 'continue':
        return null
    }
  }

  /** All that is chosen, whether or not it is asked for. */
  get #chosen(): string {
    return JSON.stringify([
      this.#wished,
      this.#colour,
      this.#spot,
      this.#to,
      this.#no,
      this.#count,
      this.#card,
    ])
  }

  /** Whether the choice may be confirmed. */
  get ready(): boolean {
    return this.choice !== null && (this.choice.move.move === 'refuse' || this.forecast.is === 'shown')
  }

  async confirm(): Promise<void> {
    const { choice } = this
    if (choice === null || !this.ready) return
    const chosen = this.#chosen
    const verdict = await this.#view.do(choice.prompt, choice.move)
    if (verdict?.code === null && this.#chosen === chosen) this.clear() // unless somebody was quicker than the hub
  }

  async relent(): Promise<void> {
    await this.#view.do('rescue', { move: 'relent' })
  }

  async goOn(): Promise<void> {
    await this.#view.do('continue', { move: 'continue' })
  }

  /** What the hub is to be asked about, and all that its answer depends on: the same words, the same answer. */
  get question(): string | null {
    const { choice } = this
    const prompt = choice === null ? undefined : this.#view.prompt(choice.prompt)
    const sections = this.#sections
    if (choice === null || prompt === undefined || sections === null || choice.move.move === 'refuse')
      return null
    return JSON.stringify({
      prompt: prompt.id,
      move: choice.move,
      on: [sections.stage.number, sections.hands.chips, sections.cards?.left],
    })
  }

  /** Ask the hub what the choice would do; returns what stops asking. */
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
}

const known = new WeakMap<TableView, Selection>()

/** The one choice of this table's page. */
export function selectionOf(view: TableView): Selection {
  const found = known.get(view) ?? new Selection(view)
  known.set(view, found)
  return found
}
