/**
 * One table as this client instance sees it: the sections of its view, the log, the talk, and its commands.
 *
 * Frames of an epoch are numbered without gaps. A gap means that something was missed; no further frame is
 * applied, and the link says hello again and gets a full view. A command is resent with the same
 * (session, n) until it is answered, and its promise resolves exactly once, with the hub's verdict.
 */
import { TableClock } from './clock.ts'
import { encode } from './codec.ts'
import type { Check, Salts } from './salts.ts'
import {
  Link,
  systemTimers,
  type LinkOptions,
  type LinkState,
  type OpenSocket,
  type Timers,
} from './socket.ts'
import type * as Wire from './wire.gen.ts'

/** The hub's sections and the game's; each may be missing. */
export type Sections<Key extends keyof Wire.Games = never> = Partial<
  Wire.HubSections & ([Key] extends [never] ? unknown : Wire.Games[Key]['sections'])
>

/** The answer to a command, which was applied if `code` is null. */
export interface Verdict {
  readonly code: string | null
  readonly rule: string | null
  readonly args: Readonly<Record<string, Wire.Argument>>
}

/** This client's own verdict: the table was left before the hub answered. */
export const LEFT: Verdict = { code: 'LEFT', rule: null, args: {} }

/**
 * Everything there is to show. It is frozen: each change creates a new state that shares unchanged objects.
 */
export interface TableState {
  readonly link: LinkState
  /** Whether a full view has arrived on any socket; the fields below are empty until then. */
  readonly seen: boolean
  /** Whether a view came since this page connected last; until then, everything is as it was before. */
  readonly current: boolean
  readonly seat: number | null
  /** Whether this person hosts the table without a seat. */
  readonly hosting: boolean
  /** The build of the client that the hub serves. */
  readonly build: string | null
  readonly sections: Readonly<Record<string, unknown>>
  readonly lines: readonly Wire.AudienceLine[]
  /** How often the table has stepped back, because the hub's store had lost what was shown before. */
  readonly stepsBack: number
  readonly talk: readonly Wire.TalkMessage[]
  /** Commands the hub has not answered yet. */
  readonly unanswered: number
  /** The last error the hub sent about this socket. */
  readonly error: Wire.Error | null
}

export interface TableOptions {
  readonly url: string
  readonly ticket: string
  /** The session of this instance and the last command number it used, if it continues an earlier page. */
  readonly resume?: Resume | null
  readonly clock?: TableClock
  readonly open?: OpenSocket
  readonly timers?: Timers
}

/** The data a page keeps in order to return as the same client instance after a reload. */
export interface Resume {
  readonly session: number
  readonly n: number
}

type Command = Wire.Do | Wire.Manage | Wire.Say | Wire.Note | Wire.MakePromise
/** Each kind of command without its session and number, which are added later. */
type Unnumbered<T> = T extends Command ? Omit<T, 'session' | 'n'> : never

interface Waiting {
  /**
   * The message as first sent, kept whole so that resending it repeats the same command. Null until there is
   * a session.
   */
  message: Command | null
  readonly make: (session: number) => Command
  readonly settle: (verdict: Verdict) => void
}

/** A question to the hub, which changes nothing and is asked again on every new connection, or if the hub is busy. */
interface Asking {
  readonly message: Wire.Preview | Wire.Coach | Wire.AskPromises
  readonly settle: (answer: Previewed) => void
  /** How often the hub was too busy to answer. */
  refused: number
}

export type Answer<T> =
  { readonly data: T; readonly refused: null } | { readonly data: null; readonly refused: Verdict }
/** A preview, and the ids of this seat's promises that the move would break. */
export type Previewed = Answer<unknown> & { readonly breaks?: readonly string[] }

/** Refusals of a question that say nothing about what was asked: it is asked again. */
export const TOO_BUSY: ReadonlySet<string | null> = new Set(['BUSY', 'SLOW_DOWN'])
/** Milliseconds before a refused question is asked again, plus up to as much again at random; then it is given up. */
const ASK_AGAIN = [300, 600, 1_200]

/** The number of log lines and talk messages kept in memory; older ones are dropped. */
const KEPT = 1_000

export class Table {
  readonly clock: TableClock
  readonly #link: Link
  readonly #timers: Timers
  #state: TableState = {
    link: { is: 'connecting', tries: 0 },
    seen: false,
    current: false,
    seat: null,
    hosting: false,
    build: null,
    sections: {},
    lines: [],
    stepsBack: 0,
    talk: [],
    unanswered: 0,
    error: null,
  }
  readonly #listeners = new Set<(state: TableState) => void>()
  /** Number of the last frame applied; null between `welcome` and the view that follows. */
  #frame: number | null = null
  /** Whose view came last: a host without a seat who becomes a watcher may see a delayed table. */
  #audience: string | null = null
  #session: number | null
  #n: number
  /** Loaded at the first table that has not started: most pages never need it. */
  #salts: Salts | 'loading' | null = null
  readonly #waiting = new Map<number, Waiting>()
  readonly #asking = new Map<number, Asking>()

  constructor(options: TableOptions) {
    this.clock = options.clock ?? new TableClock()
    this.#timers = options.timers ?? systemTimers
    this.#session = options.resume?.session ?? null
    this.#n = options.resume?.n ?? 0
    const link: LinkOptions = {
      url: options.url,
      ticket: options.ticket,
      session: this.#session,
      clock: this.clock,
      ...(options.open && { open: options.open }),
      ...(options.timers && { timers: options.timers }),
      onMessage: (message) => this.#receive(message),
      onState: (state) => this.#linked(state),
    }
    this.#link = new Link(link)
  }

  get state(): TableState {
    return this.#state
  }

  /** The data a page keeps to resume; null for watchers and before the first welcome. */
  get resume(): Resume | null {
    return this.#session === null ? null : { session: this.#session, n: this.#n }
  }

  /** Whether the dice of a finished game are those that were fixed before its start. */
  get check(): Check {
    const { table } = this.#state.sections as Sections
    const salts = this.#salts
    return table === undefined || salts === null || salts === 'loading' ? null : salts.check(table)
  }

  /** Call `listener` on every change, until the returned function is called. */
  subscribe(listener: (state: TableState) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  connect(): void {
    this.#link.start()
  }

  /** The network may be back: retry now rather than later. */
  retryNow(): void {
    this.#link.retryNow()
  }

  /** Leave the table. Every unanswered command resolves to `LEFT`. */
  leave(): void {
    this.#link.end()
  }

  // --- commands ---

  /** Makes a move in the game, in answer to this prompt. */
  do(prompt: string, move: Readonly<Record<string, unknown>>): Promise<Verdict> {
    return this.#command({ t: 'do', prompt, move })
  }

  /** Makes a change to the table, not a move in the game. */
  manage(act: Wire.Act): Promise<Verdict> {
    return this.#command({ t: 'manage', act })
  }

  say(
    channel: Wire.Say['channel'],
    said: { text: string; to?: number } | { phrase: string },
  ): Promise<Verdict> {
    return this.#command({ t: 'say', channel, ...said })
  }

  note(text: string): Promise<Verdict> {
    return this.#command({ t: 'note', text })
  }

  /** Asks the hub what a move would do, without making it. */
  preview(prompt: string, move: Readonly<Record<string, unknown>>): Promise<Previewed> {
    return this.#ask({ t: 'preview', n: this.#next(), prompt, move })
  }

  /** Asks the hub for advice about this prompt. */
  coach(prompt: string): Promise<Answer<Wire.Coached>> {
    return this.#ask({ t: 'coach', n: this.#next(), prompt }) as Promise<Answer<Wire.Coached>>
  }

  /** Promises something to other seats. */
  promise(terms: Omit<Wire.MakePromise, 't' | 'session' | 'n'>): Promise<Verdict> {
    return this.#command({ t: 'promise', ...terms })
  }

  /** Asks the hub what this seat may promise. */
  askPromises(): Promise<Answer<readonly Wire.Choice[]>> {
    return this.#ask({ t: 'ask_promises', n: this.#next() }) as Promise<Answer<readonly Wire.Choice[]>>
  }

  #ask(message: Asking['message']): Promise<Previewed> {
    return new Promise((settle) => {
      if (this.#over) return settle({ data: null, refused: LEFT })
      this.#asking.set(message.n, { message, settle, refused: 0 })
      this.#link.send(message)
    })
  }

  #answer(n: number, data: unknown, breaks?: readonly string[]): void {
    const asking = this.#asking.get(n)
    this.#asking.delete(n)
    asking?.settle({ data, refused: null, ...(breaks !== undefined && { breaks }) })
  }

  #command(body: Unnumbered<Command>): Promise<Verdict> {
    return new Promise((settle) => {
      if (this.#over) return settle(LEFT)
      const n = this.#next()
      const make = (session: number): Command => ({ ...body, session, n }) as Command
      encode(make(0)) // throws now if it is too large to send, rather than at a later welcome
      const waiting: Waiting = { message: null, make, settle }
      this.#waiting.set(n, waiting)
      this.#change({ unanswered: this.#waiting.size })
      this.#transmit(waiting)
    })
  }

  #next(): number {
    return (this.#n += 1)
  }

  get #over(): boolean {
    return this.#state.link.is === 'closed'
  }

  #transmit(waiting: Waiting): void {
    // There is no session before the first welcome, whose handler will send this message.
    if (waiting.message === null && this.#state.link.is !== 'open') return
    waiting.message ??= waiting.make(this.#session ?? 0)
    this.#link.send(waiting.message)
  }

  #settle(n: number, verdict: Verdict): void {
    const asking = this.#asking.get(n)
    if (asking !== undefined) {
      const wait = TOO_BUSY.has(verdict.code) ? ASK_AGAIN[asking.refused] : undefined
      if (wait !== undefined) {
        asking.refused += 1
        this.#timers.after(wait + wait * this.#timers.random(), () => {
          if (this.#asking.has(n)) this.#link.send(asking.message)
        })
        return
      }
      this.#asking.delete(n)
      asking.settle({ data: null, refused: verdict })
    }
    const waiting = this.#waiting.get(n)
    if (waiting !== undefined) {
      this.#waiting.delete(n)
      this.#change({ unanswered: this.#waiting.size })
      waiting.settle(verdict)
    }
  }

  // --- reports from the link ---

  #linked(link: LinkState): void {
    if (link.is !== 'open') this.#frame = null
    this.#change(
      link.is === 'open' ? { link } : { link, current: false, sections: withoutPeeks(this.#state.sections) },
    )
    if (link.is === 'closed') {
      for (const n of [...this.#asking.keys(), ...this.#waiting.keys()]) this.#settle(n, LEFT)
    }
  }

  #receive(message: Wire.ToClient): void {
    switch (message.t) {
      case 'welcome':
        this.#session = message.session
        this.#change({
          seat: message.seat,
          hosting: message.seat === null && message.session !== null,
          build: message.build ?? null,
          error: null,
        })
        for (const waiting of [...this.#waiting.values()]) this.#transmit(waiting)
        for (const { message: question } of [...this.#asking.values()]) this.#link.send(question)
        return
      case 'view': {
        // A busy hub sends watchers views instead of frames: the log goes on, and talk came as ever.
        const goesOn = this.#frame !== null
        const { seat, hosting, lines, stepsBack } = this.#state
        const audience = `${seat} ${hosting}`
        const isBack = !goesOn && audience === this.#audience && lacksSeen(message.lines, lines)
        this.#audience = audience
        this.#frame = message.n
        this.#hear(message.now, message.sections)
        this.#change({
          seen: true,
          current: true,
          sections: message.sections,
          lines: goesOn ? append(lines, message.lines) : message.lines,
          stepsBack: stepsBack + (isBack ? 1 : 0),
          talk: goesOn ? this.#state.talk : message.talk,
        })
        this.#takePart(true)
        return
      }
      case 'frame':
        this.#apply(message)
        return
      case 'talk':
        this.#change({ talk: [...this.#state.talk, message.message].slice(-KEPT) })
        return
      case 'verdict':
        this.#settle(message.n, {
          code: message.code ?? null,
          rule: message.rule ?? null,
          args: message.args ?? {},
        })
        return
      case 'previewed':
        this.#answer(message.n, message.data, message.breaks)
        return
      case 'coached':
        this.#answer(message.n, message)
        return
      case 'promise_choices':
        this.#answer(message.n, message.choices)
        return
      case 'error':
        this.#change({ error: message })
        if (message.n != null) this.#settle(message.n, { code: message.code, rule: null, args: {} })
        return
      case 'pong':
        return // handled by the link
      default:
        message satisfies never // of a kind newer than this client: ignore it
    }
  }

  #apply(frame: Wire.Frame): void {
    // A frame between `welcome` and its view has nothing to apply to; the view includes it.
    if (this.#frame === null || frame.n <= this.#frame) return
    if (frame.n !== this.#frame + 1) {
      this.#frame = null
      this.#link.reconnect()
      return
    }
    this.#frame = frame.n
    const sections = merge(this.#state.sections, frame.sections ?? {})
    this.#hear(frame.now, sections)
    this.#change({ sections, lines: append(this.#state.lines, frame.lines ?? []) })
    if (frame.sections?.table !== undefined) this.#takePart(false)
  }

  async #loadSalts(): Promise<void> {
    this.#salts = 'loading'
    const loaded = await import('./salts.ts').catch(() => null) // without it, this client takes no part
    if (loaded === null) return
    this.#salts = new loaded.Salts()
    this.#takePart(true)
  }

  /** Adds this client's salt to the dice; `arrived`: a full view has just arrived. */
  #takePart(arrived: boolean): void {
    const { seat, sections } = this.#state
    const { table } = sections as Sections
    if (seat === null || table === undefined || this.#salts === 'loading') return
    if (this.#salts === null) {
      if (table.status === 'waiting') void this.#loadSalts()
      return
    }
    const act = this.#salts.reveal(table, seat) ?? (arrived ? this.#salts.commit(table) : null)
    if (act !== null) void this.manage(act)
  }

  #hear(now: number, sections: Readonly<Record<string, unknown>>): void {
    const windows = (sections as Sections).windows
    this.clock.heard(now, windows?.live ?? false)
  }

  #change(part: Partial<TableState>): void {
    this.#state = Object.freeze({ ...this.#state, ...part })
    for (const listener of [...this.#listeners]) listener(this.#state)
  }
}

/** Drops sections bound to a window, because a disconnected client cannot tell whether it is still open. */
function withoutPeeks(sections: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const bound = new Set((sections as Sections).windows?.windows.flatMap(({ sections }) => sections ?? []))
  return bound.size === 0
    ? sections
    : Object.fromEntries(Object.entries(sections).filter(([name]) => !bound.has(name)))
}

function merge(
  sections: Readonly<Record<string, unknown>>,
  changed: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const merged = Object.entries({ ...sections, ...changed })
  return Object.fromEntries(merged.filter(([, data]) => data !== null))
}

function append(
  lines: readonly Wire.AudienceLine[],
  more: readonly Wire.AudienceLine[],
): readonly Wire.AudienceLine[] {
  if (more.length === 0) return lines
  const last = lines.at(-1)?.[0] ?? -Infinity
  return [...lines, ...more.filter((line) => line[0] > last)].slice(-KEPT)
}

/** Whether a whole view's lines lack one that was seen before, or have another in its place. */
function lacksSeen(lines: readonly Wire.AudienceLine[], seen: readonly Wire.AudienceLine[]): boolean {
  const last = lines.at(-1)?.[0] ?? Infinity // a view without room for lines lacks nothing
  const contents = new Map(lines.map((line) => [line[0], contentOf(line)]))
  return seen.some((line) => {
    const content = contents.get(line[0])
    return line[0] > last || (content !== undefined && content !== contentOf(line))
  })
}

/** What never changes about a line; an operator may remove the names of people. */
function contentOf([, key, args, at]: Wire.AudienceLine): string {
  const kept = Object.entries(args).filter(([name]) => name !== 'name' && name !== 'previous')
  return JSON.stringify([key, at, kept.sort()])
}
