/** A real hub from this working copy, on a free port, with its own data folder. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PYTHON = join(ROOT, '.venv', 'bin', 'python')
const PARLEY = [join(ROOT, '.venv', 'bin', 'parley')]
/** The same hub with bots that do not ponder. */
export const QUICK: readonly string[] = [PYTHON, '-m', 'tests.harness.quick_hub']
/** A quick hub that, in each new game, deals the cards the test chooses. */
export const dealt = (...deals: readonly Deal[]): readonly string[] => [
  PYTHON,
  '-m',
  'tests.harness.dealt_hub',
  JSON.stringify(deals),
]
const READY = /Parley is ready: (http:\S+)/
const PATIENCE = 30_000

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
  #process: ChildProcess | null = null
  #said = ''

  readonly #program: readonly string[]

  private constructor(port: number, data: string, program: readonly string[]) {
    this.port = port
    this.#data = data
    this.#program = program
  }

  static async start(program: readonly string[] = PARLEY): Promise<Hub> {
    const hub = new Hub(await freePort(), await mkdtemp(join(tmpdir(), 'parley-test-')), program)
    await hub.begin()
    return hub
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** The hub's log, for a failing test's message. */
  get said(): string {
    return this.#said
  }

  /** Start, or restart on the same data. */
  async begin(): Promise<void> {
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !name.startsWith('PARLEY_')),
    )
    const [program = '', ...more] = this.#program
    const child = spawn(program, [...more, 'serve', '--port', String(this.port), '--data', this.#data], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#process = child
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`the hub did not start:\n${this.#said}`)), PATIENCE)
      const hear = (data: Buffer): void => {
        this.#said += data.toString()
        if (READY.test(this.#said)) {
          clearTimeout(late)
          resolve()
        }
      }
      child.stdout.on('data', hear)
      child.stderr.on('data', hear)
      child.once('exit', (code) => {
        clearTimeout(late)
        reject(new Error(`the hub stopped with ${code}:\n${this.#said}`))
      })
    })
  }

  /** Stop it, and wait until it has exited: SIGTERM lets it hand over, SIGKILL does not. */
  async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.#process
    this.#process = null
    this.#said = ''
    if (child === null || child.exitCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await gone
  }

  /** Stop it and delete its data. */
  async close(): Promise<void> {
    await this.end()
    await rm(this.#data, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

/** The network between one person and the hub, which passes bytes on until it is cut. */
export class Line {
  readonly #server: Server
  readonly #open = new Set<Socket>()
  #cut = false

  private constructor(server: Server) {
    this.#server = server
  }

  static async to(hub: { readonly port: number }): Promise<Line> {
    const server = createServer()
    const line = new Line(server)
    server.on('connection', (near) => {
      if (line.#cut) {
        near.destroy()
        return
      }
      const far = connect(hub.port, '127.0.0.1')
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

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Stop all traffic and drop every connection. */
  cut(): void {
    this.#cut = true
    for (const socket of this.#open) socket.destroy()
  }

  mend(): void {
    this.#cut = false
  }

  async close(): Promise<void> {
    this.cut()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
