/** A real hub from this working copy, on a free port, with its own data folder. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { cp, mkdtemp, rename, rm } from 'node:fs/promises'
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PYTHON, ROOT, start, type Running } from './running.ts'

/** A Python module, and its first arguments. */
type Build = readonly [string, ...string[]]

const PARLEY: Build = ['hub']
/** The same hub with bots that do not ponder. */
export const QUICK: Build = ['tests.harness.quick_hub']
/** Two hubs with people at 58 tables, behind this proxy. */
export const crowdedBehind = (proxy: 'haproxy' | 'nginx' | 'round-robin'): Build => [
  'tests.harness.crowded_hubs',
  proxy,
]
/** A hub that says it serves a newer build of the client. */
export const UPGRADED: Build = ['tests.harness.upgraded_hub']
/** A build with newer rules of Subdivision, which cannot go on with a game of today's. */
export const OTHER_BUILD: Build = ['tests.harness.other_build']
/** A quick hub that, in each new game, deals the cards the test chooses. */
export const dealt = (...deals: readonly Deal[]): Build => ['tests.harness.dealt_hub', JSON.stringify(deals)]
const READY = /Parley is ready: (http:\S+)/
const PATIENCE = 90_000

/** A hub's settings, by the names of their environment variables. */
type Settings = Readonly<Record<string, string>>

export type Deal = SharesDeal | SuckerDeal

/** The host has these cards (AH) or suits (C), and starts; the first rolls of the die are these. */
interface SharesDeal {
  readonly game: 'shares'
  readonly seats: number
  readonly cards: readonly string[]
  readonly rolls?: readonly number[]
  readonly lowball?: boolean
}

/** The host begins; the blackmail cards come in this order. */
interface SuckerDeal {
  readonly game: 'sucker'
  readonly seats: number
  readonly deck: readonly ('capture' | 'return' | 'tribute')[]
}

/** The lines that a Python module in this working copy prints. */
export function printed(module: string, ...args: readonly string[]): string[] {
  return execFileSync(PYTHON, ['-m', module, ...args], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n')
}

export class Hub {
  readonly port: number
  readonly #data: string
  #running: Running | null = null
  #said = ''

  readonly #build: Build
  readonly #settings: Settings

  private constructor(port: number, data: string, build: Build, settings: Settings) {
    this.port = port
    this.#data = data
    this.#build = build
    this.#settings = settings
  }

  static async start(build: Build = PARLEY, settings: Settings = {}): Promise<Hub> {
    const hub = new Hub(await freePort(), await temporaryFolder(), build, settings)
    await hub.begin()
    return hub
  }

  /** Hubs that share this store. */
  static async startTogether(store: Store, count: number): Promise<Hub[]> {
    const ports = await Promise.all(Array.from({ length: count }, freePort))
    const settings = {
      PARLEY_REDIS_URL: store.url,
      PARLEY_SECRET: 'a secret that these hubs share with each other',
    }
    const hubs = await Promise.all(
      ports.map(async (port) => new Hub(port, await temporaryFolder(), PARLEY, settings)),
    )
    await Promise.all(hubs.map((hub) => hub.begin()))
    return hubs
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** The hub's log, for a failing test's message. */
  get said(): string {
    return this.#said
  }

  /** Start, or restart on the same data, perhaps as another build. */
  async begin(build: Build = this.#build): Promise<void> {
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !name.startsWith('PARLEY_')),
    )
    const command = [...build, 'serve', '--port', String(this.port), '--data', this.#data]
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => {
        this.signal('SIGKILL') // it would outlive the test
        reject(new Error(`the hub did not start:\n${this.#said}`))
      }, PATIENCE)
      const hear = (data: Buffer): void => {
        this.#said += data.toString()
        if (!READY.test(this.#said)) return
        clearTimeout(late)
        resolve()
      }
      const running = start(command, { ...env, ...this.#settings }, hear)
      this.#running = running
      void running.exit.then((code) => {
        clearTimeout(late)
        reject(new Error(`the hub stopped with ${code}:\n${this.#said}`))
      })
    })
  }

  /** Stop it, and wait until it has exited: SIGTERM lets it hand over, SIGKILL does not. */
  async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const running = this.#running
    this.#running = null
    this.#said = ''
    running?.kill(signal)
    await running?.exit
  }

  /** Send it a signal that does not stop it. */
  signal(signal: NodeJS.Signals): void {
    this.#running?.kill(signal)
  }

  /** Stop it and delete its data. */
  async close(): Promise<void> {
    await this.end()
    await rm(this.#data, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

/** A store for several hubs. */
export class Store {
  readonly url: string
  readonly #folder: string
  #process: ChildProcess

  private constructor(folder: string, process: ChildProcess) {
    this.#folder = folder
    this.url = `unix://${socketIn(folder)}`
    this.#process = process
  }

  static async start(): Promise<Store> {
    const folder = await temporaryFolder()
    return new Store(folder, await startStore(folder))
  }

  /** Let it hang, with every connection open. */
  freeze(): void {
    this.#process.kill('SIGSTOP')
  }

  thaw(): void {
    this.#process.kill('SIGCONT')
  }

  /** Kill it, and start it again without what it has written while `play` ran. */
  async losing(play: () => Promise<void>): Promise<void> {
    const [files, before] = [join(this.#folder, 'appendonlydir'), join(this.#folder, 'before')]
    await cp(files, before, { recursive: true })
    await play()
    await this.close()
    await rm(files, { recursive: true })
    await rename(before, files)
    this.#process = await startStore(this.#folder)
  }

  async close(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const gone = new Promise((resolve) => this.#process.once('exit', resolve))
    this.#process.kill('SIGKILL')
    await gone
  }
}

function socketIn(folder: string): string {
  return join(folder, 'store.sock')
}

async function startStore(folder: string): Promise<ChildProcess> {
  const [binary = ''] = printed('tests.harness.store_binary')
  const server = ['--port', '0', '--unixsocket', socketIn(folder), '--dir', folder, '--appendonly', 'yes']
  const child = spawn(binary, server, { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the store stopped with ${code}`)))
    child.stdout.on('data', (data: Buffer) => {
      if (data.includes('Ready to accept connections')) resolve()
    })
  })
  return child
}

/** The network between one person and the hub, which passes bytes on until it is cut. */
export class Line {
  readonly #server: Server
  readonly #open = new Set<Socket>()
  #port: number
  #cut = false
  #silent = false

  private constructor(server: Server, port: number) {
    this.#server = server
    this.#port = port
  }

  static async to(hub: { readonly port: number }): Promise<Line> {
    const server = createServer()
    const line = new Line(server, hub.port)
    server.on('connection', (near) => {
      if (line.#cut) {
        near.destroy()
        return
      }
      if (line.#silent) {
        line.#open.add(near)
        near.on('error', () => near.destroy()).on('close', () => line.#open.delete(near))
        near.pause()
        return
      }
      const far = connect(line.#port, '127.0.0.1')
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        line.#open.add(one)
        one.on('error', () => other.destroy())
        one.on('close', () => {
          line.#open.delete(one)
          other.destroy()
        })
        one.pipe(other)
      }
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return line
  }

  /** Lead to this hub from now on, whatever was open or cut. */
  leadTo(hub: { readonly port: number }): void {
    this.cut()
    this.#port = hub.port
    this.mend()
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Stop all traffic and drop every connection. */
  cut(): void {
    this.#cut = true
    for (const socket of this.#open) socket.destroy()
  }

  /** Pass nothing on, but leave every connection open, as if the device were asleep. */
  silence(): void {
    this.#silent = true
    for (const socket of this.#open) socket.unpipe().pause()
  }

  mend(): void {
    if (this.#silent) for (const socket of this.#open) socket.destroy()
    this.#cut = this.#silent = false
  }

  async close(): Promise<void> {
    this.cut()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'parley-test-'))
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
