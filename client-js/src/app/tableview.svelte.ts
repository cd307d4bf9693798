/**
 * A table for components to show: the SDK's table as reactive state, with the queries that screens need.
 *
 * Besides what the hub sent, it holds only this person's latest request and the hub's answer to it.
 */
import { Table, type Previewed, type TableState, type Verdict } from '../sdk/table.ts'
import type { Passage } from './table/rulings.ts'
import type * as Wire from '../sdk/wire.gen.ts'
import type { Place } from '../sdk/api.ts'
import type { Check } from '../sdk/salts.ts'
import { announce } from './announce.svelte.ts'
import { openWith } from './early.ts'
import type { GameClient, PromptRole } from './game.ts'
import { keepInstance, takeInstance } from './instance.ts'
import { t, tMaybe, words } from './language.ts'
import { noteChange } from './movement.svelte.ts'
import { isolate } from './names.ts'
import { socketUrl } from './socketurl.ts'
import { SECOND_TAP } from './tapguard.svelte.ts'
import type { Value } from './words.ts'

export interface SeatView {
  readonly number: number
  readonly letter: string
  readonly name: string
  readonly colour: number
  readonly free: boolean
  /** The level of the bot, if a bot always plays this seat. */
  readonly bot: string | null
  /** The key of the character as which its bot plays. */
  readonly character: string | null
  /** Whether a bot is playing for an absent person. */
  readonly substitute: boolean
  /** Whether that person asked for the bot. */
  readonly asked: boolean
  /** Whether the person left for good, so that a bot plays on. */
  readonly left: boolean
  /** Whether nobody holds the seat: it is free, or a bot plays it for good. */
  readonly vacant: boolean
  /** Whether its person lets somebody take it over while they are away. */
  readonly offered: boolean
  readonly ready: boolean
  /** Whether it is kept for somebody from the last game who has not come yet. */
  readonly held: boolean
  readonly connected: boolean
  readonly host: boolean
  readonly mine: boolean
}

/** The outcome of this person's last request. */
export type Answer =
  | { readonly is: 'none' }
  | { readonly is: 'sent' }
  | { readonly is: 'counted'; readonly message: string }
  | {
      readonly is: 'refused'
      readonly why: string
      readonly rule: string | null
      readonly code: string | null
      /** Whether this was only a question (whynot.ts), and nothing was sent. */
      readonly asked: boolean
      /** The move that was sent, with its choices; null if none was. */
      readonly move: Readonly<Record<string, unknown>> | null
    }

const NOBODY: readonly SeatView[] = []
/** The kit's time-related prompt kinds, which any game may use. */
const ABOUT_TIME = new Set(['extend', 'lastCall'])
const TICK = 200

/** What confirms an action on the table. The page itself shows the effect of the others. */
const MANAGED: Readonly<
  Partial<Record<Wire.Act['do'], 'answer.voted' | 'answer.called' | 'answer.changed'>>
> = {
  vote: 'answer.voted',
  call_vote: 'answer.called',
  lock: 'answer.changed',
  close_watching: 'answer.changed',
  delay_watching: 'answer.changed',
  hear_watchers: 'answer.changed',
  admission: 'answer.changed',
  take_latecomers: 'answer.changed',
  offer_seat: 'answer.changed',
  hand_over: 'answer.changed',
}

export function letterOf(seat: number): string {
  return String.fromCharCode(65 + seat)
}

export class TableView {
  readonly code: string
  readonly game: GameClient
  readonly table: Table
  readonly #forget: () => void
  readonly #leave: () => void
  readonly #timer: ReturnType<typeof setInterval>

  state = $state.raw<TableState>() as TableState
  /** Table time, updated a few times a second. */
  now = $state(0)
  answer = $state.raw<Answer>({ is: 'none' })
  #prompted = 0
  /** In a lesson, the move that the learner is told to make; null at other tables and while bots move. */
  lessonMove = $state.raw<Readonly<Record<string, unknown>> | null>(null)
  /** The ids of this seat's promises that the move being chosen would break, or the one that was held back. */
  breaks = $state.raw<readonly string[]>([])
  /** What else the move that is being made would break, in the game's words. */
  caution = $state.raw<string | null>(null)
  /** The number of the newest log line when this person's last answer was accepted; -1 before. */
  acted = $state(-1)
  /** The prompt that the refusal shown is about. */
  #refused: string | undefined
  /** The last answer sent, and what becomes of it: the same answer a moment later is a second tap. */
  #last: { readonly key: string; readonly verdict: Promise<Verdict>; until: number } | null = null

  /**
   * At a place of its own, or on the table of another view; `show` turns the table's state into the one this view
   * shows.
   */
  constructor(
    code: string,
    place: Place | Table,
    game: GameClient,
    show: (state: TableState) => TableState = (state) => state,
  ) {
    this.code = code
    this.game = game
    this.table =
      place instanceof Table
        ? place
        : new Table({
            url: socketUrl(place),
            ticket: place.ticket,
            resume: takeInstance(code),
            open: openWith(place.ticket),
          })
    let received = this.table.state
    this.state = show(received)
    this.#forget = this.table.subscribe((state) => {
      noteChange(received, state)
      received = state
      this.state = show(state)
      this.now = this.table.clock.now()
      if (this.answer.is === 'refused' && this.main?.id !== this.#refused) this.forgetAnswer()
    })
    this.#timer = setInterval(() => {
      this.now = this.table.clock.now()
    }, TICK)
    if (place instanceof Table) {
      this.now = place.clock.now()
      this.#leave = () => undefined
      return
    }
    const unkeep = keepInstance(code, this.table)
    this.#leave = () => {
      unkeep()
      this.table.leave()
    }
    this.table.connect()
  }

  close(): void {
    clearInterval(this.#timer)
    this.#forget()
    this.#leave()
  }

  /** At the end, whether the dice are those fixed before the start, as far as this page knows. */
  get check(): Check {
    return this.about === undefined ? null : this.table.check
  }

  // --- sections ---

  section<Name extends keyof Wire.HubSections>(name: Name): Wire.HubSections[Name] | undefined {
    return this.state.sections[name] as Wire.HubSections[Name] | undefined
  }

  gameSection<Key extends keyof Wire.Games, Name extends keyof Wire.Games[Key]['sections'] & string>(
    _game: Key,
    name: Name,
  ): Wire.Games[Key]['sections'][Name] | undefined {
    return this.state.sections[name] as Wire.Games[Key]['sections'][Name] | undefined
  }

  readonly about = $derived(this.section('table'))
  readonly status = $derived(this.about?.status ?? null)
  readonly running = $derived(this.status === 'running' || this.status === 'paused')
  readonly seat = $derived(this.state.seat)
  readonly seated = $derived(this.seat !== null)
  readonly online = $derived(this.state.link.is === 'open')
  readonly hosting = $derived(this.seat === null ? this.state.hosting : this.about?.host === this.seat)
  /** Whether this person plays or hosts here, rather than only watching. */
  readonly takesPart = $derived(this.seated || this.hosting)
  /** Whether no host is connected: then anybody seated may do some of what only a host may do. */
  readonly hostGone = $derived.by(() => {
    const host = this.about?.host ?? null
    if (this.about?.host_name != null) return this.section('presence')?.host !== true
    return host === null || this.section('presence')?.connected[host] === false
  })
  /** The number of watchers, not counting this page. */
  readonly watchers = $derived(
    Math.max(0, (this.section('presence')?.watchers ?? 0) - (this.takesPart ? 0 : 1)),
  )
  readonly #lateness = $derived(this.about?.watch_delay ?? 'none')
  /** How late spectators see the game, in words; null if they see it at once. */
  readonly delay = $derived(this.#lateness === 'none' ? null : t(`delay.${this.#lateness}`))
  readonly live = $derived(this.section('windows')?.live ?? false)
  /** What stops table time although the game is running. */
  readonly stoppedBy = $derived(this.section('windows')?.stopped_by ?? null)
  readonly seats: readonly SeatView[] = $derived.by(() => {
    const table = this.about
    if (table === undefined) return NOBODY
    const connected = this.section('presence')?.connected ?? []
    return table.seats.map((seat, number) => ({
      number,
      letter: letterOf(number),
      name:
        seat.name !== null
          ? isolate(seat.name)
          : seat.bot === null
            ? t('seat.free')
            : t('seat.bot', { letter: letterOf(number) }),
      colour: seat.colour,
      free: seat.name === null && seat.bot === null,
      bot: seat.bot,
      character: seat.character,
      substitute: seat.substitute,
      asked: seat.asked,
      left: seat.vacant && seat.substitute,
      vacant: seat.vacant,
      offered: seat.offered,
      ready: seat.ready,
      held: seat.held,
      connected: seat.bot !== null || (connected[number] ?? false),
      host: table.host === number,
      mine: this.seat === number,
    }))
  })
  /** Whether anybody has a seat: nothing starts for nobody. */
  readonly occupied = $derived(this.seats.some((seat) => !seat.vacant))
  /** Whether the host has pressed start, and the players' devices are adding to the dice. */
  readonly starting = $derived((this.about?.salt_hashes ?? null) !== null)
  /** Whether a bot is playing for me at my own seat. */
  readonly kept = $derived(this.seats[this.seat ?? -1]?.substitute ?? false)
  /** Whether I asked the bot to play for me. */
  readonly asked = $derived(this.seats[this.seat ?? -1]?.asked ?? false)

  /** Whether I am the only person at the table: bots play all other seats for good. */
  readonly alone = $derived(
    this.seated && this.seats.every(({ mine, bot, left }) => mine || bot !== null || left),
  )

  /** The seats that are out: the rules ask them nothing more in this game or round. */
  readonly out: readonly number[] = $derived(this.section('out_seats')?.seats ?? [])
  /** Whether the bots are finishing the game without waiting. */
  readonly skipping = $derived(this.about?.skipping ?? false)
  /** Whether this person is out and only bots are still playing, so that these need not wait. */
  readonly maySkip = $derived(
    this.seated &&
      this.status === 'running' &&
      !this.skipping &&
      this.seats.every(({ number, vacant }) => vacant || this.out.includes(number)),
  )

  /** Whether this person is playing: seated, in a running game, and not replaced by a bot. */
  readonly acts = $derived(this.seated && !this.kept && this.status === 'running')

  /** The host's name, with or without a seat; null if there is no host. */
  readonly host = $derived.by(() => {
    const { host = null, host_name = null } = this.about ?? {}
    if (host_name !== null) return isolate(host_name)
    return host === null ? null : this.nameOf(host)
  })

  nameOf(seat: number): string {
    return this.seats[seat]?.name ?? letterOf(seat)
  }

  // --- prompts and moves ---

  /** All open prompts. */
  readonly prompts = $derived(this.section('prompts')?.prompts ?? [])

  /** The role of this kind of prompt on the stage. */
  role(kind: string): PromptRole {
    return ABOUT_TIME.has(kind) ? 'aside' : (this.game.prompts[kind] ?? 'decision')
  }

  /** The prompt that the table is waiting on and the stage shows: the first that is not an aside. */
  readonly main = $derived(this.prompts.find(({ kind }) => this.role(kind) !== 'aside'))
  /** The seats that the table is still waiting for. */
  readonly due: readonly number[] = $derived(
    this.main?.seats.filter((seat) => this.game.done(this, seat) !== true) ?? [],
  )

  /** The open prompt of this kind, if it is open to me. */
  prompt(kind: string): Wire.PromptInfo | undefined {
    const { seat } = this
    return seat === null
      ? undefined
      : this.prompts.find((prompt) => prompt.kind === kind && prompt.seats.includes(seat))
  }

  /** My legal moves of this kind for this kind of prompt. */
  choices(kind: string, move: string): readonly Wire.Choice[] {
    const prompt = this.prompt(kind)
    const all = prompt && this.section('choices')?.choices[prompt.id]
    return all?.filter((choice) => choice.move === move) ?? []
  }

  may(kind: string, move: string): boolean {
    return this.choices(kind, move).length > 0
  }

  /**
   * Answer the open prompt of this kind; `message` is shown once the answer is accepted. It is null if the page
   * itself shows what has changed.
   */
  async do(
    kind: string,
    move: { readonly move: string } & Readonly<Record<string, unknown>>,
    message: string | null = null,
  ): Promise<Verdict | null> {
    const prompt = this.prompt(kind)
    return prompt === undefined ? null : this.reply(prompt.id, move, message)
  }

  /** Answer this particular prompt, if several of its kind may be open. */
  reply(
    prompt: string,
    move: { readonly move: string } & Readonly<Record<string, unknown>>,
    message: string | null = null,
  ): Promise<Verdict> {
    const key = JSON.stringify([prompt, move])
    if (this.#last?.key === key && performance.now() < this.#last.until) return this.#last.verdict
    const verdict = this.#follow(this.table.do(prompt, move), message, move)
    const sent = { key, verdict, until: Infinity }
    this.#last = sent
    void verdict.then(({ code }) => {
      sent.until = code === null ? performance.now() + SECOND_TAP : 0
      if (code === null) this.acted = this.state.lines.at(-1)?.[0] ?? -1
    })
    return verdict
  }

  manage(act: Wire.Act): Promise<Verdict> {
    const key = MANAGED[act.do]
    return this.#follow(this.table.manage(act), key === undefined ? null : t(key))
  }

  /** Say something to the table, or (a watcher, unless `toTable`) to the other watchers. */
  say(said: { text: string; to?: number } | { phrase: string }, toTable = this.seated): Promise<Verdict> {
    return this.#follow(this.table.say(toTable ? 'table' : 'watchers', said), t('answer.said'))
  }

  async #follow(
    prompted: Promise<Verdict>,
    message: string | null = null,
    move: Readonly<Record<string, unknown>> | null = null,
  ): Promise<Verdict> {
    const number = (this.#prompted += 1)
    this.answer = { is: 'sent' }
    const verdict = await prompted
    if (verdict.code !== null) {
      const why = this.why(verdict)
      const { rule, code } = verdict
      this.#refuse({ is: 'refused', why, rule, code, asked: false, move }, number)
      if (!this.acts) announce(t('answer.refused', { why: this.why(verdict) }))
    } else if (number === this.#prompted) {
      this.answer = message === null ? { is: 'none' } : { is: 'counted', message }
      this.#fade(number, 1_500)
    }
    return verdict
  }

  /** Ask about a move that was pressed, before it is sent: until the hub answers, it counts as sent. */
  async ask(prompt: string, move: Readonly<Record<string, unknown>>): Promise<Previewed> {
    const number = (this.#prompted += 1)
    this.answer = { is: 'sent' }
    const previewed = await this.table.preview(prompt, move)
    if (number === this.#prompted) this.forgetAnswer()
    return previewed
  }

  /** Warn that these promises would be broken, in the place of an older refusal. */
  warn(breaks: readonly string[]): void {
    if (breaks.length > 0 && this.answer.is === 'refused') this.forgetAnswer()
    this.breaks = breaks
  }

  #fade(number: number, after: number): void {
    setTimeout(() => number === this.#prompted && this.forgetAnswer(), after)
  }

  #refuse(answer: Answer, number: number): void {
    this.answer = answer
    this.#refused = this.main?.id
    this.#fade(number, 8_000)
  }

  /** Show why something cannot be chosen (whynot.ts), until the table waits for something else. */
  showWhyNot(verdict: Verdict): void {
    const why = this.why(verdict)
    const { rule, code } = verdict
    this.#refuse({ is: 'refused', why, rule, code, asked: true, move: null }, (this.#prompted += 1))
  }

  /** Show what has to be done first, in the same way. */
  showReason(why: string): void {
    const answer = { is: 'refused', why, rule: null, code: null, asked: true, move: null } as const
    this.#refuse(answer, (this.#prompted += 1))
  }

  /** Why a command was refused, in words. */
  why(verdict: Verdict): string {
    const { code, args } = verdict
    const refusal = this.game.texts.refusals[code ?? '']
    if (refusal !== undefined) return words.format(refusal, args as Readonly<Record<string, Value>>)
    return (
      tMaybe(`refusal.${code}`, args as Readonly<Record<string, Value>>) ??
      t('refusal.other', { code: code ?? '' })
    )
  }

  /** The passages of the rules that somebody asked to see. */
  passages = $state.raw<readonly Passage[]>([])

  /** Show these passages over the board. */
  explain(passages: readonly Passage[]): void {
    this.passages = passages
  }

  forgetAnswer(): void {
    this.answer = { is: 'none' }
  }

  // --- time ---

  readonly windows = $derived(this.section('windows')?.windows ?? [])

  window(id: string | null): Wire.WindowInfo | undefined {
    return this.windows.find((window) => window.id === id)
  }

  /** Milliseconds left in a window. */
  left(window: Wire.WindowInfo): number {
    void this.now // recomputes this a few times a second
    return this.table.clock.left(window)
  }
}
