/**
 * One place at a table, kept connected: connect, say hello, listen for a heartbeat, reconnect.
 *
 * A link outlives its sockets. Each time a socket is lost, the link waits a little longer than before, for a
 * random time within bounds, so that a restarted hub is not hit by everybody at once. It gives up only when
 * the hub says that reconnecting is pointless.
 */
import { BadFrame, decode, encode } from './codec.ts'
import type { TableClock } from './clock.ts'
import { SUBPROTOCOL, type ToClient, type ToHub } from './wire.gen.ts'

/** The part of WebSocket used here, which the sockets of browsers, Node and `ws` all have. */
export interface SocketLike {
  binaryType: string
  onopen: ((event: never) => void) | null
  onmessage: ((event: never) => void) | null
  onclose: ((event: never) => void) | null
  onerror: ((event: never) => void) | null
  send(data: Uint8Array<ArrayBuffer>): void
  close(code?: number, reason?: string): void
}

export type OpenSocket = (url: string, subprotocol: string) => SocketLike

/** A link's source of delays and random numbers, so that tests can control both. */
export interface Timers {
  after(milliseconds: number, run: () => void): () => void
  /** Uniform in [0, 1). */
  random(): number
}

export const systemTimers: Timers = {
  after(milliseconds, run) {
    const id = setTimeout(run, milliseconds)
    return () => clearTimeout(id)
  },
  random: () => Math.random(),
}

export type LinkState =
  | { readonly is: 'connecting'; readonly tries: number }
  | { readonly is: 'open' }
  /** Waiting for the next attempt. */
  | { readonly is: 'waiting'; readonly tries: number }
  /** Closed for good, with the hub's close code, or 1000 if this side ended it. */
  | { readonly is: 'closed'; readonly code: number }

export interface LinkOptions {
  /** The address of the hub's socket. */
  readonly url: string
  readonly ticket: string
  /** This client instance's session number from an earlier page, if it had one. */
  readonly session: number | null
  readonly clock: TableClock
  readonly open?: OpenSocket
  readonly timers?: Timers
  onMessage(message: ToClient): void
  onState(state: LinkState): void
}

/** Close codes after which reconnecting with the same ticket is pointless. */
const FINAL = new Set([1003, 1007, 1009, 4003, 4004, 4010, 4011, 4012, 4013, 4014, 4015, 4016, 4017, 4018])

const PING_EVERY = 5_000
/** The first pings are sent quickly, so that countdowns are right from the start. */
const FIRST_PINGS = [0, 250, 1_000]
const PATIENCE = 8_000
const FIRST_WAIT = 250
const LONGEST_WAIT = 8_000
/** The shortest wait after the hub has closed the socket because of too many messages. */
const RATE_LIMIT_BACKOFF = 4_000

const openWebSocket: OpenSocket = (url, subprotocol) =>
  new WebSocket(url, subprotocol) as unknown as SocketLike

export class Link {
  readonly #options: LinkOptions
  readonly #openSocket: OpenSocket
  readonly #timers: Timers
  #session: number | null
  #socket: SocketLike | null = null
  #welcomed = false
  #ended = false
  #tries = 0
  #cancelWait: (() => void) | null = null
  #cancelPing: (() => void) | null = null
  #cancelPatience: (() => void) | null = null
  #pings = 0
  readonly #pingsSent = new Map<number, number>()

  constructor(options: LinkOptions) {
    this.#options = options
    this.#openSocket = options.open ?? openWebSocket
    this.#timers = options.timers ?? systemTimers
    this.#session = options.session
  }

  get session(): number | null {
    return this.#session
  }

  start(): void {
    this.#connect()
  }

  /**
   * Send if the hub has welcomed this socket; otherwise return false, so that the caller sends again after
   * `welcome`.
   */
  send(message: ToHub): boolean {
    if (this.#socket === null || !this.#welcomed) return false
    this.#socket.send(encode(message))
    return true
  }

  /** Drop the socket and reconnect at once with a new hello: something was missed. */
  reconnect(): void {
    if (this.#ended) return
    this.#drop()
    this.#connect()
  }

  /** The network may be back, or the page visible again: if another attempt is scheduled, make it now. */
  retryNow(): void {
    if (this.#cancelWait !== null) {
      this.#tries = 0
      this.#connect()
    } else if (this.#welcomed) {
      this.#ping()
    }
  }

  /** Close the link for good. */
  end(): void {
    this.#finish(1000)
  }

  #connect(): void {
    this.#cancelWait?.()
    this.#cancelWait = null
    this.#options.onState({ is: 'connecting', tries: this.#tries })
    let socket: SocketLike
    try {
      socket = this.#openSocket(this.#options.url, SUBPROTOCOL)
    } catch {
      this.#retry()
      return
    }
    this.#socket = socket
    socket.binaryType = 'arraybuffer'
    socket.onopen = () => {
      if (this.#socket !== socket) return
      socket.send(encode({ t: 'hello', ticket: this.#options.ticket, session: this.#session }))
    }
    socket.onmessage = (event: { data: unknown }) => {
      if (this.#socket === socket) this.#receive(event.data)
    }
    socket.onclose = (event: { code?: number }) => {
      if (this.#socket === socket) this.#lost(event.code ?? 1006)
    }
    // A failed socket also closes, which `onclose` handles.
    socket.onerror = () => undefined
    this.#expect()
  }

  #receive(data: unknown): void {
    let message: ToClient
    try {
      if (!(data instanceof ArrayBuffer || data instanceof Uint8Array))
        throw new BadFrame('the frame is text')
      message = decode(data)
    } catch (error) {
      if (!(error instanceof BadFrame)) throw error
      this.#drop()
      this.#retry()
      return
    }
    this.#expect()
    switch (message.t) {
      case 'pong':
        this.#pong(message.n, message.now)
        return
      case 'welcome':
        this.#welcomed = true
        this.#tries = 0
        this.#session = message.session
        this.#options.clock.forget()
        this.#options.onState({ is: 'open' })
        this.#options.onMessage(message)
        this.#pingsSent.clear()
        this.#pingSoon(0)
        return
      default:
        this.#options.onMessage(message)
    }
  }

  #lost(code: number): void {
    this.#drop()
    if (FINAL.has(code)) {
      this.#finish(code)
      return
    }
    if (code === 4008) {
      this.#wait(RATE_LIMIT_BACKOFF + RATE_LIMIT_BACKOFF * this.#timers.random())
      return
    }
    this.#retry()
  }

  #retry(): void {
    this.#tries += 1
    const longest = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (this.#tries - 1))
    this.#wait(longest / 2 + (longest / 2) * this.#timers.random())
  }

  #wait(milliseconds: number): void {
    this.#options.onState({ is: 'waiting', tries: this.#tries })
    this.#cancelWait = this.#timers.after(milliseconds, () => this.#connect())
  }

  /** Any message is a sign of life; without one the socket is considered dead, even if it looks open. */
  #expect(): void {
    this.#cancelPatience?.()
    this.#cancelPatience = this.#timers.after(PATIENCE, () => {
      this.#drop()
      this.#retry()
    })
  }

  #pingSoon(round: number): void {
    this.#cancelPing = this.#timers.after(FIRST_PINGS[round] ?? PING_EVERY, () => {
      this.#ping()
      this.#pingSoon(round + 1)
    })
  }

  #ping(): void {
    const n = (this.#pings += 1)
    this.#pingsSent.set(n, this.#options.clock.steady())
    this.send({ t: 'ping', n })
  }

  #pong(n: number, now: number): void {
    const sent = this.#pingsSent.get(n)
    if (sent === undefined) return
    this.#pingsSent.delete(n)
    this.#options.clock.pong(now, sent)
  }

  #drop(): void {
    const socket = this.#socket
    this.#socket = null
    this.#welcomed = false
    this.#cancelPing?.()
    this.#cancelPatience?.()
    this.#cancelPing = this.#cancelPatience = null
    socket?.close(1000)
  }

  #finish(code: number): void {
    if (this.#ended) return
    this.#ended = true
    this.#cancelWait?.()
    this.#cancelWait = null
    this.#drop()
    this.#options.onState({ is: 'closed', code })
  }
}
