/** WebKitGTK's MiniBrowser, driven by WebDriver (w3c.github.io/webdriver) in a virtual display. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../hub.ts'
import { HEARD } from './listener.ts'
import { Program, type Engine, type Size } from './engine.ts'

export interface WebKitPrograms {
  readonly driver: string
  readonly browser: string
  /** Xvfb. */
  readonly display: string
}

/** Larger than any view: windows of a display without a window manager may be as large. */
const DISPLAY_SIZE = '2600x1600x24'
/** Milliseconds: a page may load slowly while other tests run. */
const SCRIPT_LIMIT = 120_000
const TRIES = 100
const BETWEEN_TRIES = 100

export class WebKit implements Engine {
  readonly name = 'WebKit'
  readonly #display: Program
  readonly #driver: Program
  readonly #url: string
  readonly #folder: string
  #session = ''

  private constructor(display: Program, number: string, path: string, port: number, folder: string) {
    this.#display = display
    this.#folder = folder
    this.#url = `http://127.0.0.1:${port}`
    this.#driver = new Program(path, ['--host=127.0.0.1', `--port=${port}`], {
      DISPLAY: `:${number}`,
      GDK_BACKEND: 'x11',
      LIBGL_ALWAYS_SOFTWARE: '1',
      XDG_DATA_HOME: folder,
      XDG_CACHE_HOME: folder,
    })
  }

  static async start({ driver, browser, display }: WebKitPrograms): Promise<WebKit> {
    const folder = await mkdtemp(join(tmpdir(), 'parley-webkit-'))
    const screen = new Program(display, ['-displayfd', '1', '-screen', '0', DISPLAY_SIZE, '-nolisten', 'tcp'])
    const [number] = await screen.says(/\d+/)
    const webkit = new WebKit(screen, number, driver, await freePort(), folder)
    try {
      await webkit.#begin(browser)
    } catch (error) {
      await webkit.close()
      throw error
    }
    return webkit
  }

  async #begin(binary: string): Promise<void> {
    const options = { binary, args: ['--automation'] }
    const timeouts = { script: SCRIPT_LIMIT }
    const capabilities = { alwaysMatch: { timeouts, 'webkitgtk:browserOptions': options } }
    for (let tries = 1; ; tries += 1) {
      try {
        const session = { capabilities }
        const { sessionId } = await this.#ask<{ readonly sessionId: string }>('POST', '/session', session)
        this.#session = `/session/${sessionId}`
        return
      } catch (error) {
        if (tries === TRIES || !(error instanceof TypeError)) throw error // the driver does not listen yet
        await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES))
      }
    }
  }

  /** Those since the last `go`, of a page that came through a `Listener`. */
  errors(): Promise<readonly string[]> {
    return this.evaluate(HEARD)
  }

  async #ask<Value>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<Value> {
    const response = await fetch(this.#url + path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const { value } = (await response.json()) as { readonly value: Value }
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(value)}`)
    return value
  }

  async go(url: string): Promise<void> {
    await this.#ask('POST', `${this.#session}/url`, { url })
  }

  async evaluate<Value>(expression: string): Promise<Value> {
    const script = `return Promise.resolve(${expression}).then((value) => JSON.stringify(value))`
    const value = await this.#ask<string | null>('POST', `${this.#session}/execute/sync`, {
      script,
      args: [],
    })
    return JSON.parse(value ?? 'null') as Value
  }

  async click(x: number, y: number): Promise<void> {
    const actions = [
      { type: 'pointerMove', x, y, duration: 0 },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ]
    await this.#ask('POST', `${this.#session}/actions`, {
      actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }],
    })
  }

  async resize({ width, height }: Size): Promise<void> {
    const rect = `${this.#session}/window/rect`
    await this.#ask('POST', rect, { width, height })
    const [wide, high] = await this.evaluate<[number, number]>('[innerWidth, innerHeight]')
    await this.#ask('POST', rect, { width: 2 * width - wide, height: 2 * height - high })
  }

  picture(): Promise<string> {
    return this.#ask('GET', `${this.#session}/screenshot`)
  }

  async close(): Promise<void> {
    if (this.#session !== '') await this.#ask('DELETE', this.#session)
    await this.#driver.stop()
    await this.#display.stop()
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}
