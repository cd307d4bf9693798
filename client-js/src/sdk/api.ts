/** The hub's HTTP API: identities, lists of tables, and tickets to them. */

export interface Person {
  readonly person: string
  readonly name: string
  readonly colour: number
  readonly token: string
}

export interface GameInfo {
  readonly key: string
  readonly title: string
  readonly seats: readonly [least: number, most: number]
  readonly minutes: readonly [least: number, most: number]
  /** A JSON schema of the game's options. */
  readonly options: Schema
  /** The levels of its bot, the easiest first. */
  readonly bots: readonly string[]
  /** Whether it is played in rounds. */
  readonly rounds: boolean
  /** Whether it has a lesson. */
  readonly lesson: boolean
  /** The strings its rules may send: ICU messages by group and key, as docs/PROTOCOL.md lists them. */
  readonly texts?: Readonly<Record<string, unknown>>
}

/** The part of JSON schema that options use. */
export interface Schema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly enum?: readonly (string | number | null)[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly [extra: string]: unknown
}

export interface RoomInfo {
  readonly room: string
  readonly code: string
  readonly game: string
  readonly status: 'waiting' | 'running' | 'paused' | 'finished'
  readonly seats: number
  readonly taken: number
  readonly watchers: number
  /** How many seats a person holds. */
  readonly people: number
  readonly host: string | null
  readonly options: Readonly<Record<string, unknown>>
  /** Whether the lobby lists it. */
  readonly open: boolean
  /** The next table's name in links, once its people play again there. */
  readonly next?: string
}

/** Everything shown about a table to a person whom its host has to let in first. */
export interface ClosedDoor {
  readonly closed: true
  readonly code: string
  readonly next?: string
}

/** The answer to a request to come in. */
export interface Knocked {
  readonly admitted: boolean
  /** Whether the host is connected, so that somebody can decide. */
  readonly host: boolean
}

/** The tables of a page of the lobby, those that changed last first, and how many the lobby has. */
export interface LobbyPage {
  readonly rooms: readonly RoomInfo[]
  readonly total: number
}

export const REPORT_REASONS = ['harassment', 'insults', 'cheating', 'name', 'spam', 'other'] as const

/** A report to the operator about a seat, a watcher (by the name they talk under), or the table. */
export interface Complaint {
  readonly reason: (typeof REPORT_REASONS)[number]
  readonly text: string
  readonly seat: number | null
  readonly watcher: string | null
}

/** How long a seat waits for a disconnected person before a bot plays it; `game`: to the end. */
export const GRACES = ['1min', '3min', 'game'] as const
export type Grace = (typeof GRACES)[number]

/** How late people without a seat see the game. */
export const WATCH_DELAYS = ['none', '30s', '2min', '10min', 'round'] as const
export type WatchDelay = (typeof WATCH_DELAYS)[number]

export interface NewRoom {
  readonly game: string
  readonly seats: number
  readonly options: Readonly<Record<string, unknown>>
  readonly open: boolean
  readonly play_now: boolean
  readonly bots: string | null
  /** How long a seat waits for a disconnected person; the hub chooses if it is left out. */
  readonly grace?: Grace
  readonly watch_delay?: WatchDelay
  /** Whether whoever creates it hosts it without a seat. */
  readonly without_seat?: boolean
}

/** The next game as the first person to press *Play again* wants it. */
export interface RematchWish {
  /** Another game, with its usual options; null for the same game with the same options. */
  readonly game: string | null
  /** Whether everybody moves up one seat. */
  readonly rotated: boolean
}

/** The table where people play again. */
export interface NextTable {
  readonly room: string
  readonly code: string
}

/** A place at a table; its ticket goes into the socket's first message. */
export interface Place {
  readonly seat: number | null
  /** Whether this person hosts the table without a seat. */
  readonly hosting: boolean
  readonly ticket: string
  readonly socket: string
}

export interface NewPlace extends Place {
  readonly room: string
  readonly code: string
}

/** A person on the way to another device: what the old device is told. */
export interface TransferState {
  readonly stage: 'none' | 'offered' | 'claimed' | 'confirmed' | 'fetched'
  /** Three digits that both devices show once the code is claimed. */
  readonly check: string | null
}

/** What a device is told that has claimed a code; `claim` is secret. */
export interface ClaimedTransfer {
  readonly claim: string
  readonly check: string
  readonly name: string
  readonly colour: number
  readonly tables: number
  readonly keeps: boolean
}

export type FetchedTransfer =
  { readonly confirmed: false } | (Person & { readonly confirmed: true; readonly tables: readonly string[] })

/** The header with a fresh token for the person who asked. */
const TOKEN_HEADER = 'parley-token'

/** The hub answered with an error, or could not be reached (status 0). */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: string
  /** If a game refused, the arguments for the message that says why; `until` if the code is BANNED. */
  readonly args: Readonly<Record<string, unknown>>

  constructor(
    status: number,
    code: string,
    advice: string,
    args: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions,
  ) {
    super(advice, options)
    this.status = status
    this.code = code
    this.args = args
  }
}

/** What sends the API's requests: `fetch`, or something that behaves like it. */
export type Fetcher = (url: string, init: RequestInit) => Promise<Response>

export class Api {
  readonly #base: string
  readonly #fetch: Fetcher
  readonly #onRenewal: (old: string, fresh: string) => void
  #token: string | null

  /** `base` is the hub's address without a trailing slash; empty in a page the hub itself serves.
   * `onRenewal` is called when the hub has issued a fresh token, which this object uses from then on: store it. */
  constructor(
    base = '',
    token: string | null = null,
    fetcher: Fetcher = (url, init) => fetch(url, init),
    onRenewal: (old: string, fresh: string) => void = () => undefined,
  ) {
    this.#onRenewal = onRenewal
    this.#base = base
    this.#token = token
    this.#fetch = fetcher
  }

  /** Make all further calls as this person. */
  as(token: string | null): void {
    this.#token = token
  }

  makePerson(name: string, colour: number): Promise<Person> {
    return this.#call('POST', '/api/people', { name, colour })
  }

  /** The games without their strings: a client with its own catalogue needs none. */
  async games(): Promise<readonly GameInfo[]> {
    return this.#call('GET', '/api/games?texts=false')
  }

  /** URLs at which other devices can reach a hub on this machine; none if only this machine can, or if the hub is
   * not on this machine (`local` is then false). */
  addresses(): Promise<{ readonly addresses: readonly string[]; readonly local: boolean }> {
    return this.#call('GET', '/api/addresses')
  }

  /** The hub's public key, for the browser's PushManager. */
  pushKey(): Promise<{ readonly key: string }> {
    return this.#call('GET', '/api/push')
  }

  /** Let the hub call this person back through a browser's push service. */
  subscribe(subscription: PushSubscriptionJSON): Promise<unknown> {
    return this.#call('POST', '/api/push', subscription)
  }

  unsubscribe(endpoint: string): Promise<unknown> {
    return this.#call('POST', '/api/push/end', { endpoint })
  }

  makeRoom(room: NewRoom): Promise<NewPlace> {
    return this.#call('POST', '/api/rooms', room)
  }

  /** Begins the lesson of a game that has one. */
  makeLesson(game: string): Promise<Omit<NewPlace, 'code'>> {
    return this.#call('POST', '/api/lessons', { game })
  }

  /** A page of the lobby, from 1. The browser keeps it, and asks only whether it has changed. */
  rooms(page = 1): Promise<LobbyPage> {
    return this.#call('GET', page === 1 ? '/api/rooms' : `/api/rooms?page=${page}`, undefined, 'no-cache')
  }

  room(idOrCode: string): Promise<RoomInfo | ClosedDoor> {
    return this.#call('GET', `/api/rooms/${encodeURIComponent(idOrCode)}`)
  }

  enter(idOrCode: string): Promise<Place> {
    return this.#call('POST', `/api/rooms/${encodeURIComponent(idOrCode)}/enter`)
  }

  /** Play again with everybody at a finished table; the wish counts if nobody has pressed before. */
  rematch(idOrCode: string, wish: RematchWish): Promise<NextTable> {
    return this.#call('POST', `/api/rooms/${encodeURIComponent(idOrCode)}/rematch`, wish)
  }

  /** Ask the host to let this person in; repeat it every few seconds while waiting. */
  ask(idOrCode: string): Promise<Knocked> {
    return this.#call('POST', `/api/rooms/${encodeURIComponent(idOrCode)}/ask`)
  }

  /** Report somebody to the hub's operator; the hub adds the last messages this person could read. */
  report(idOrCode: string, complaint: Complaint): Promise<unknown> {
    return this.#call('POST', `/api/rooms/${encodeURIComponent(idOrCode)}/reports`, complaint)
  }

  sit(idOrCode: string, seat: number): Promise<Place> {
    return this.#call('POST', `/api/rooms/${encodeURIComponent(idOrCode)}/seats/${seat}`)
  }

  /** A code with which another device takes over this person; `keeps`: this device stays signed in. */
  offerTransfer(
    tables: readonly string[],
    keeps: boolean,
  ): Promise<{ readonly code: string; readonly seconds: number }> {
    return this.#call('POST', '/api/transfers', { tables, keeps })
  }

  transfer(): Promise<TransferState> {
    return this.#call('GET', '/api/transfers')
  }

  confirmTransfer(check: string): Promise<unknown> {
    return this.#call('POST', '/api/transfers/confirm', { check })
  }

  cancelTransfer(): Promise<unknown> {
    return this.#call('POST', '/api/transfers/cancel')
  }

  claimTransfer(code: string): Promise<ClaimedTransfer> {
    return this.#call('POST', '/api/transfers/claim', { code })
  }

  fetchTransfer(claim: string): Promise<FetchedTransfer> {
    return this.#call('POST', '/api/transfers/fetch', { claim })
  }

  /** A finished game's record, asked for as this person: at a table that may not be watched, it needs one. */
  record(idOrCode: string): Promise<string> {
    return this.#ask('GET', `/api/rooms/${encodeURIComponent(idOrCode)}/record`)
  }

  /** The URL of a finished game's record, if the table may be watched. */
  recordUrl(idOrCode: string): string {
    return `${this.#base}/api/rooms/${encodeURIComponent(idOrCode)}/record`
  }

  async #call<T>(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    cache: RequestCache = 'no-store',
  ): Promise<T> {
    const value = parse(await this.#ask(method, path, body, cache))
    if (value === undefined) throw new ApiError(200, 'BAD_ANSWER', 'the hub answered 200')
    return value as T
  }

  async #ask(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    cache: RequestCache = 'no-store',
  ): Promise<string> {
    const headers: Record<string, string> = { accept: 'application/json' }
    if (this.#token !== null) headers.authorization = `Bearer ${this.#token}`
    const init: RequestInit = { method, headers, cache }
    if (body !== undefined) {
      headers['content-type'] = 'application/json'
      init.body = JSON.stringify(body)
    }
    let answer: Response
    let text: string
    try {
      answer = await this.#fetch(this.#base + path, init)
      text = await answer.text()
    } catch (cause) {
      throw new ApiError(0, 'UNREACHABLE', 'the hub cannot be reached', {}, { cause })
    }
    const fresh = answer.headers.get(TOKEN_HEADER)
    if (fresh !== null && this.#token !== null) {
      const old = this.#token
      this.#token = fresh
      this.#onRenewal(old, fresh)
    }
    if (answer.ok) return text
    const { code, advice, args, until } = (parse(text) ?? {}) as {
      code?: unknown
      advice?: unknown
      args?: Readonly<Record<string, unknown>>
      until?: unknown
    }
    throw new ApiError(
      answer.status,
      typeof code === 'string' ? code : 'BAD_ANSWER',
      typeof advice === 'string' ? advice : `the hub answered ${answer.status}`,
      until === undefined ? args : { ...args, until },
    )
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
