/** A browser that is not Chromium, as far as a whole game needs it. */
import { spawn, type ChildProcess } from 'node:child_process'

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Engine {
  readonly name: string
  /** What the console reported as errors, among them what pages threw. */
  errors(): Promise<readonly string[]>
  go(url: string): Promise<void>
  /** The value of an expression in the page, as JSON. */
  evaluate<Value>(expression: string): Promise<Value>
  /** Press and release the mouse at a point of the page's view. */
  click(x: number, y: number): Promise<void>
  /** Make the page's view this large. */
  resize(size: Size): Promise<void>
  /** A PNG of the page, in base64. */
  picture(): Promise<string>
  close(): Promise<void>
}

const PATIENCE = 60_000

/** A program that runs until it is stopped, and everything it printed. */
export class Program {
  readonly #process: ChildProcess
  #said = ''
  #heard: () => void = () => undefined

  constructor(path: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    this.#process = spawn(path, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => this.#hear(text))
  }

  #hear(text: string): void {
    this.#said += text
    this.#heard()
  }

  /** The first match in what it prints. Rejects with all of that if it stops before, or takes too long. */
  says(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(
        () => reject(new Error(`it did not print ${pattern}:\n${this.#said}`)),
        PATIENCE,
      )
      this.#heard = () => {
        const found = pattern.exec(this.#said)
        if (found === null) return
        clearTimeout(late)
        resolve(found)
      }
      this.#process.once('exit', (code) => {
        clearTimeout(late)
        reject(new Error(`it stopped with ${code}:\n${this.#said}`))
      })
      this.#process.once('error', reject)
      this.#heard()
    })
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const gone = new Promise((resolve) => this.#process.once('exit', resolve))
    this.#process.kill()
    await gone
  }
}
