/** A socket and a clock that a test drives by hand. */
import { decode as unpack, encode as pack } from '@msgpack/msgpack'
import { TableClock } from '../../src/sdk/clock.ts'
import type { OpenSocket, SocketLike, Timers } from '../../src/sdk/socket.ts'
import { Table, type TableOptions } from '../../src/sdk/table.ts'
import { SUBPROTOCOL, type AudienceLine, type ToClient, type ToHub } from '../../src/sdk/wire.gen.ts'

/** The hub's end of one socket: records what the client sent, and sends what the test tells it to. */
export class HubEnd implements SocketLike {
  binaryType = ''
  onopen: ((event: never) => void) | null = null
  onmessage: ((event: never) => void) | null = null
  onclose: ((event: never) => void) | null = null
  onerror: ((event: never) => void) | null = null
  readonly url: string
  readonly sent: ToHub[] = []
  closedByClient = false

  constructor(url: string) {
    this.url = url
  }

  send(data: Uint8Array): void {
    this.sent.push(unpack(data) as ToHub)
  }

  close(): void {
    this.closedByClient = true
  }

  /** Opens the socket, so that the client says hello. */
  accept(): this {
    this.onopen?.(undefined as never)
    return this
  }

  say(message: ToClient): this {
    const bytes = pack(message)
    this.onmessage?.({ data: bytes.slice().buffer } as never)
    return this
  }

  raw(data: unknown): this {
    this.onmessage?.({ data } as never)
    return this
  }

  lose(code = 1006): void {
    this.onclose?.({ code } as never)
  }

  /** Messages of one kind, in order. */
  of<T extends ToHub['t']>(t: T): Extract<ToHub, { t: T }>[] {
    return this.sent.filter((message): message is Extract<ToHub, { t: T }> => message.t === t)
  }

  welcome(more: { session?: number | null; seat?: number | null; epoch?: string } = {}): this {
    const { session = 7, seat = 0, epoch = 'r1' } = more
    return this.say({ t: 'welcome', epoch, room: 'room', seat, session })
  }

  view(
    n: number,
    sections: Record<string, unknown> = {},
    more: { now?: number; epoch?: string; lines?: readonly AudienceLine[] } = {},
  ): this {
    const { now = 0, epoch = 'r1', lines = [] } = more
    return this.say({ t: 'view', epoch, n, now, sections, lines, talk: [] })
  }
}

/** Timers whose time advances only when a test says so. */
export class HandTimers implements Timers {
  now = 0
  #due: { readonly at: number; readonly run: () => void }[] = []

  random(): number {
    return 0.5
  }

  after(milliseconds: number, run: () => void): () => void {
    const entry = { at: this.now + milliseconds, run }
    this.#due.push(entry)
    return () => {
      this.#due = this.#due.filter((each) => each !== entry)
    }
  }

  pass(milliseconds: number): void {
    const until = this.now + milliseconds
    for (;;) {
      const next = this.#due.filter((entry) => entry.at <= until).toSorted((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      this.#due = this.#due.filter((entry) => entry !== next)
      this.now = next.at
      next.run()
    }
    this.now = until
  }
}

export interface Bench {
  readonly table: Table
  readonly timers: HandTimers
  readonly sockets: HubEnd[]
  /** The newest socket. */
  hub(): HubEnd
}

/** A table whose sockets are connected to the test. */
export function bench(options: Partial<TableOptions> = {}): Bench {
  const timers = new HandTimers()
  const sockets: HubEnd[] = []
  const open: OpenSocket = (url, subprotocol) => {
    if (subprotocol !== SUBPROTOCOL) throw new Error(`asked for subprotocol ${subprotocol}`)
    const socket = new HubEnd(url)
    sockets.push(socket)
    return socket
  }
  const table = new Table({
    url: 'ws://home/ws/room',
    ticket: 'ticket',
    open,
    timers,
    clock: new TableClock(() => timers.now),
    ...options,
  })
  table.connect()
  return {
    table,
    timers,
    sockets,
    hub: () => {
      const last = sockets.at(-1)
      if (last === undefined) throw new Error('no socket was opened')
      return last
    },
  }
}

/** A bench whose first socket has been welcomed and has received view 10. */
export function seated(options: Partial<TableOptions> = {}): Bench {
  const made = bench(options)
  made
    .hub()
    .accept()
    .welcome()
    .view(10, { windows: { live: true, windows: [] } })
  return made
}
