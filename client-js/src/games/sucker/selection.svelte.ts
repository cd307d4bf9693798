/**
 * The current selection, shared by the board and the tray: a chip and a pile, the seat that gets the move,
 * the chip that dies, an answer to a rescue, prisoners to give or kill (at any time), or a card to play.
 * Nothing is sent before it is confirmed.
 */
import { perTable } from '../../app/pertable.svelte.ts'
import { Selection, type Move, type Question } from '../../app/selection.svelte.ts'
import type { TableView } from '../../app/tableview.svelte.ts'
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

/** How many more (or fewer) chips of a colour a seat will have in its hand. */
export type Gain = readonly [seat: number, colour: number, count: number]

/** The hub's preview of a move (games/sucker/rules/views.py). */
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

export type Asked = 'turn' | 'choose' | 'kill' | 'rescue' | 'continue'
/** The subject of the tray: the prompt that the table is waiting for, prisoners, or cards. */
export type About = 'asked' | 'prisoners' | 'cards'

const ASKED = ['turn', 'choose', 'kill', 'rescue', 'continue'] as const

interface Chosen {
  readonly about: About
  /** The colour of the chip, or of the prisoners. */
  readonly colour: number | null
  /** The pile; kept while it exists. */
  readonly spot: Spot | null
  /** The seat that gets the move, or the prisoners. */
  readonly to: number | null
  /** Whether the player's own place in a row of seats is chosen, which means killing or refusing. */
  readonly no: boolean
  readonly count: number
  readonly card: number | null
}

const NOTHING: Chosen = {
  about: 'asked',
  colour: null,
  spot: null,
  to: null,
  no: false,
  count: 1,
  card: null,
}

/** A chip onto a pile, or onto a new one. */
function placing(colour: number, spot: Spot | null): Move {
  return { move: 'place', colour, ...(typeof spot === 'number' ? { pile: spot } : {}) }
}

export class SuckerSelection extends Selection<Chosen, Preview> {
  /** The piles in the order shown on the table, with the place of a new one. */
  spots = $state.raw<readonly Spot[]>(['new'])
  /** The colour that this person is only inspecting, to see what placing such a chip would do. */
  lens = $state<number | null>(null)

  constructor(view: TableView) {
    super(view, NOTHING)
  }

  get #sections(): Sections | null {
    return sectionsOf(this.view)
  }

  /** The kind of prompt that this seat has to answer. */
  get kind(): Asked | null {
    return this.view.acts ? (ASKED.find((kind) => this.view.prompt(kind) !== undefined) ?? null) : null
  }

  /** For each colour, how many prisoners this seat may currently give or kill. */
  get loose(): ReadonlyMap<number, number> {
    return amounts(this.view.acts ? this.view.choices('prisoners', 'transfer') : [])
  }

  /** The cards this seat may currently play, with the colours each may name. */
  get cards(): ReadonlyMap<number, readonly number[]> {
    const { kind } = this
    return playable(kind === 'turn' || kind === 'rescue' ? this.view.choices(kind, 'playCard') : [])
  }

  /** The subject of the tray; prisoners if there is no prompt. */
  get about(): About {
    if (this.chosen.about === 'prisoners' && this.loose.size > 0) return 'prisoners'
    if (this.chosen.about === 'cards' && this.cards.size > 0) return 'cards'
    return this.kind === null && this.loose.size > 0 ? 'prisoners' : 'asked'
  }

  turnTo(about: About): void {
    const { colour } = this
    this.clear()
    this.choose({ about })
    if (about === 'prisoners' && colour !== null && this.loose.has(colour)) this.choose({ colour })
  }

  // --- what may be chosen, and what is chosen ---

  /** The colours that may be chosen, with the number of chips of each. */
  get colours(): ReadonlyMap<number, number> {
    const { kind, about } = this
    const hand = this.#sections?.hands.chips[this.view.seat ?? -1]
    if (about === 'prisoners') return this.loose
    if (about === 'cards')
      return counted(this.cards.get(this.card ?? -1) ?? [], (colour) => this.#heldByToken(colour))
    if (kind === 'turn')
      return counted(among(this.view.choices('turn', 'place'), 'colour'), (colour) => hand?.[colour] ?? 0)
    if (kind === 'rescue') return amounts(this.view.choices('rescue', 'rescue'))
    const chips = this.pile?.chips ?? []
    return counted(
      among(this.view.choices('kill', 'kill'), 'colour'),
      (colour) => chips.filter((chip) => chip === colour).length,
    )
  }

  #heldByToken(colour: number): number {
    const token = this.#sections?.cards?.cards.find(([id]) => id === this.card)?.[2]
    return token === undefined ? 0 : (this.#sections?.hands.chips[token]?.[colour] ?? 0)
  }

  /** The pile that the prompt is about, when choosing the next player or the chip to kill. */
  get pile(): Sections['piles']['piles'][number] | null {
    const { stage, piles } = this.#sections ?? {}
    return piles?.piles.find(({ id }) => id === stage?.pile) ?? null
  }

  /** The seats that may get the move, or the prisoners. */
  get receivers(): ReadonlySet<number> {
    if (this.about === 'prisoners') return among(this.view.choices('prisoners', 'transfer'), 'to')
    return among(this.kind === 'choose' ? this.view.choices('choose', 'giveMove') : [], 'to')
  }

  get colour(): number | null {
    return this.chosen.colour !== null && this.colours.has(this.chosen.colour) ? this.chosen.colour : null
  }

  get spot(): Spot | null {
    if (this.kind !== 'turn' || this.about !== 'asked') return null
    return this.chosen.spot === 'new' ||
      this.#sections?.piles.piles.some(({ id }) => id === this.chosen.spot) === true
      ? this.chosen.spot
      : null
  }

  get to(): number | null {
    return this.chosen.to !== null && this.receivers.has(this.chosen.to) ? this.chosen.to : null
  }

  /** Whether to kill (for prisoners) or to refuse (in a rescue). */
  get no(): boolean {
    return this.chosen.no && (this.about === 'prisoners' || (this.about === 'asked' && this.#mayRefuse))
  }

  get #mayRefuse(): boolean {
    return this.kind === 'rescue' && this.view.may('rescue', 'refuse')
  }

  /** How many chips may be given or killed at once. */
  get most(): number {
    const gives = this.about === 'prisoners' || (this.kind === 'rescue' && this.about === 'asked')
    return gives && this.colour !== null ? (this.colours.get(this.colour) ?? 1) : 1
  }

  get count(): number {
    return Math.min(this.chosen.count, this.most)
  }

  set count(count: number) {
    this.choose({ count })
  }

  /** The card to be played, chosen from the cards or along with a placement. */
  get card(): number | null {
    if (this.about === 'cards') {
      const only = this.cards.size === 1 ? ([...this.cards.keys()][0] ?? null) : null
      return this.chosen.card !== null && this.cards.has(this.chosen.card) ? this.chosen.card : only
    }
    return this.chosen.card !== null && this.chosen.card === this.withCard ? this.chosen.card : null
  }

  /** The capture card that may be played along with the chosen placement. */
  get withCard(): number | null {
    const { colour, spot } = this
    return colour === null || typeof spot !== 'number'
      ? null
      : captureCard(this.view.choices('turn', 'place'), colour, spot)
  }

  // --- choosing ---

  chooseColour(colour: number): void {
    if (!this.colours.has(colour)) return this.#refuseColour(colour)
    // the only chip to place stays chosen: choosing a pile may have chosen it already
    const only = this.kind === 'turn' && this.about === 'asked' && this.colours.size === 1
    this.choose({
      colour: this.colour === colour && !only ? null : colour,
      count: 1,
      ...(this.about === 'asked' && { no: false }),
      ...(this.about === 'asked' && this.kind === 'turn' && { card: null }),
    })
  }

  /** Asks why a chip of this colour cannot be chosen. */
  #refuseColour(colour: number): void {
    const { kind, spot } = this
    if (this.about === 'prisoners') this.refuse('prisoners', { move: 'killPrisoners', colour, count: 1 })
    else if (this.about === 'cards') this.refuse(kind, { move: 'playCard', card: this.card ?? -1, colour })
    else if (kind === 'turn') this.refuse(kind, placing(colour, spot))
    else if (kind === 'kill') this.refuse(kind, { move: 'kill', colour })
    else this.refuse(kind, { move: 'rescue', colour, count: 1 })
  }

  chooseSpot(spot: Spot): void {
    if (this.kind !== 'turn') return this.refuse(this.kind, placing(this.view.seat ?? 0, spot))
    if (this.about !== 'asked') this.turnTo('asked')
    const released = this.spot === spot
    this.choose({ spot: released ? null : spot, card: null })
    if (!released && this.colour === null && this.colours.size === 1)
      this.choose({ colour: [...this.colours.keys()][0] ?? null })
  }

  /** Moves to the next pile, or to the previous one. */
  step(by: number): void {
    const { spots } = this
    const from = this.spot === null ? (by > 0 ? -1 : spots.length) : spots.indexOf(this.spot)
    const to = spots[Math.min(spots.length - 1, Math.max(0, from + by))]
    if (to !== undefined && to !== this.spot) this.chooseSpot(to)
  }

  chooseTo(seat: number): void {
    if (!this.receivers.has(seat)) {
      if (this.about === 'prisoners') {
        const { colour, count } = this
        return this.refuse('prisoners', { move: 'transfer', colour, count, to: seat })
      }
      return this.refuse(this.kind, { move: 'giveMove', to: seat })
    }
    this.choose({ to: this.to === seat ? null : seat, no: false })
  }

  chooseNo(): void {
    this.choose({ no: !this.chosen.no, to: null, ...(this.about === 'asked' && { colour: null }) })
  }

  chooseCard(card: number): void {
    this.choose(this.about === 'cards' ? { card, colour: null } : { card: this.card === card ? null : card })
  }

  /** Goes back one step, and returns whether there was a step to undo. */
  back(): boolean {
    if (this.to !== null || this.no) this.choose({ to: null, no: false })
    else if (this.spot !== null) this.choose({ spot: null })
    else if (this.colour !== null) this.choose({ colour: null })
    else if (this.about !== 'asked' && this.kind !== null) this.turnTo('asked')
    else return false
    return true
  }

  // --- the move ---

  /** The prompt and the move that carry out the choice; null while something is missing. */
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
              move: { ...placing(colour, spot), ...(card === null ? {} : { card }) },
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

  /** Whether the choice may be confirmed. */
  get ready(): boolean {
    return this.choice !== null && (this.choice.move.move === 'refuse' || this.forecast.is === 'shown')
  }

  async confirm(): Promise<void> {
    const { choice } = this
    if (choice !== null && this.ready) await this.send(choice.prompt, choice.move)
  }

  async relent(): Promise<void> {
    await this.view.do('rescue', { move: 'relent' })
  }

  async goOn(): Promise<void> {
    await this.view.do('continue', { move: 'continue' })
  }

  protected get question(): Question | null {
    const { choice } = this
    const prompt = choice === null ? undefined : this.view.prompt(choice.prompt)
    const sections = this.#sections
    if (choice === null || prompt === undefined || sections === null) return null
    const { stage, hands, cards } = sections
    return { prompt: prompt.id, move: choice.move, basis: [stage.number, hands.chips, cards?.left] }
  }

  /** Keeps the choice while prisoners are being given away, as that is not part of the turn. */
  protected override begin(): void {
    if (this.about !== 'prisoners' || this.colour === null) super.begin()
  }
}

/** The selection on this table's page. */
export const selectionOf = perTable((view) => new SuckerSelection(view))
