/** Firefox, driven by WebDriver BiDi (w3c.github.io/webdriver-bidi), which it speaks itself. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import WebSocket from 'ws'
import { Program, type Engine, type Size } from './engine.ts'

const PREFERENCES = {
  'ui.prefersReducedMotion': 1,
  'widget.gtk.overlay-scrollbars.enabled': false, // scrollbars that take room, as on most desks
  'datareporting.policy.dataSubmissionEnabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'app.update.enabled': false,
}

interface Reply {
  readonly id?: number
  readonly method?: string
  readonly error?: string
  readonly message?: string
  readonly result?: unknown
  readonly params?: { readonly level?: string; readonly text?: string }
}

interface Evaluated {
  readonly type: 'success' | 'exception'
  readonly result?: { readonly value?: string }
  readonly exceptionDetails?: { readonly text: string }
}

export class Firefox implements Engine {
  readonly name = 'Firefox'
  readonly #errors: string[] = []
  readonly #program: Program
  readonly #profile: string
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (reply: Reply) => void>()
  #sent = 0
  #context = ''

  private constructor(program: Program, profile: string, socket: WebSocket) {
    this.#program = program
    this.#profile = profile
    this.#socket = socket
    socket.on('message', (data: Buffer) => this.#hear(JSON.parse(data.toString()) as Reply))
  }

  static async start(path: string): Promise<Firefox> {
    const profile = await mkdtemp(join(tmpdir(), 'parley-firefox-'))
    const lines = Object.entries(PREFERENCES).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
    )
    await writeFile(join(profile, 'user.js'), lines.join('\n'))
    const program = new Program(
      path,
      ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
      { HOME: profile },
    )
    const [, url] = await program.says(/WebDriver BiDi listening on (ws:\S+)/)
    const socket = new WebSocket(`${url}/session`)
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    const firefox = new Firefox(program, profile, socket)
    await firefox.#send('session.new', { capabilities: {} })
    await firefox.#send('session.subscribe', { events: ['log.entryAdded'] })
    const tree = await firefox.#send<{ readonly contexts: readonly { readonly context: string }[] }>(
      'browsingContext.getTree',
      {},
    )
    firefox.#context = tree.contexts[0]?.context ?? ''
    return firefox
  }

  #hear(reply: Reply): void {
    if (reply.method === 'log.entryAdded' && reply.params?.level === 'error')
      this.#errors.push(reply.params.text ?? '')
    if (reply.id !== undefined) this.#waiting.get(reply.id)?.(reply)
  }

  #send<Result>(method: string, params: Readonly<Record<string, unknown>>): Promise<Result> {
    const id = (this.#sent += 1)
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ error, message, result }) => {
        this.#waiting.delete(id)
        if (error === undefined) resolve(result as Result)
        else reject(new Error(`${method}: ${error}: ${message}`))
      })
      this.#socket.send(JSON.stringify({ id, method, params }))
    })
  }

  errors(): Promise<readonly string[]> {
    return Promise.resolve(this.#errors)
  }

  async go(url: string): Promise<void> {
    await this.#send('browsingContext.navigate', { context: this.#context, url, wait: 'complete' })
  }

  async evaluate<Value>(expression: string): Promise<Value> {
    const { type, result, exceptionDetails } = await this.#send<Evaluated>('script.evaluate', {
      expression: `Promise.resolve(${expression}).then((value) => JSON.stringify(value))`,
      target: { context: this.#context },
      awaitPromise: true,
    })
    if (type === 'exception') throw new Error(exceptionDetails?.text)
    return JSON.parse(result?.value ?? 'null') as Value
  }

  async click(x: number, y: number): Promise<void> {
    const actions = [
      { type: 'pointerMove', x, y },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ]
    await this.#send('input.performActions', {
      context: this.#context,
      actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }],
    })
  }

  async resize(viewport: Size): Promise<void> {
    await this.#send('browsingContext.setViewport', { context: this.#context, viewport })
  }

  async picture(): Promise<string> {
    const { data } = await this.#send<{ readonly data: string }>('browsingContext.captureScreenshot', {
      context: this.#context,
    })
    return data
  }

  async close(): Promise<void> {
    this.#socket.close()
    await this.#program.stop()
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}
