/**
 * Names what a page's first view loads next, so that a browser fetches it before the first script asks for it. There
 * are two pages: index.html, which opens home and names the files itself, and table.html, which the hub serves for
 * tables. The latter has a script that asks the hub for the table and for this person's place there, connects to the
 * table, and fetches the files of tables and of this table's game. On a slow line, they come after the first script,
 * and the processor works on that meanwhile: files that are fetched at once also arrive at once.
 */
import type { Plugin, Rolldown } from 'vite'
import { INSTANCE, JOINED, PERSON } from '../src/app/early.ts'
import { encode } from '../src/sdk/codec.ts'
import { SUBPROTOCOL } from '../src/sdk/wire.gen.ts'
import { clientOf, GAMES } from './firstview.ts'

type Bundle = Rolldown.OutputBundle

export function preload(): Plugin {
  return {
    name: 'parley-preload',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const index = bundle['index.html']
        if (index?.type !== 'asset') return
        const page = String(index.source)
        const home = new Set(['home', 'cards'].flatMap((name) => filesOf(bundle, named(bundle, name))))
        const table = filesOf(bundle, named(bundle, 'table'))
        const games = GAMES.map((game) => {
          const files = new Set([...table, ...filesOf(bundle, holding(bundle, clientOf(game)))])
          return [game, [...files].filter((file) => !page.includes(file))]
        })
        const early = this.emitFile({
          type: 'asset',
          name: 'early.js',
          source: earlyScript(Object.fromEntries(games) as Record<string, string[]>),
        })
        index.source = withLinks(page, home)
        const script = `<script async src="/${this.getFileName(early)}"></script>\n    `
        const source = page.replace('<script', `${script}<script`)
        this.emitFile({ type: 'asset', fileName: 'table.html', source })
      },
    },
  }
}

/** The bytes of a hello up to its ticket, and the first byte of a string with two bytes of length (msgpack's str 16). */
const HELLO = [...encode({ t: 'hello', session: null, ticket: '' }).slice(0, -1), 0xda]

/**
 * Sends what src/app/table/TablePage.svelte asks first, as the same person, opens the socket and says hello, and keeps
 * the answers and frames for src/app/early.ts. A page that continues an earlier one of its tab says hello itself.
 * Without this script, or if it fails, the page asks later.
 */
function earlyScript(games: Readonly<Record<string, readonly string[]>>): string {
  return `{
  const name = location.pathname.split('/')[2]
  const answers = (window.earlyAnswers = new Map())
  const kept = (key) => {
    try {
      return JSON.parse(localStorage.getItem(key))
    } catch {
      return null
    }
  }
  const joined = (kept('${JOINED}') ?? []).find(([table, , code]) => name === table || name === code)
  const token = joined?.[1] ?? kept('${PERSON}')?.token
  const headers = { accept: 'application/json', ...(token && { authorization: 'Bearer ' + token }) }
  const ask = (method, url) => {
    const answer = fetch(url, { method, headers, cache: 'no-store' })
    answer.catch(() => undefined) // until the page looks at it
    answers.set([method, url, headers.authorization ?? ''].join(' '), answer)
    return answer
  }
  const table = '/api/rooms/' + name
  const described = ask('GET', table)
  const connect = ({ socket: url, ticket }) => {
    if (!url || sessionStorage.getItem('${INSTANCE}' + name)) return
    const socket = new WebSocket(location.origin.replace('http', 'ws') + new URL(url).pathname, '${SUBPROTOCOL}')
    const frames = []
    socket.binaryType = 'arraybuffer'
    socket.onopen = () => {
      const bytes = new TextEncoder().encode(ticket)
      socket.send(new Uint8Array([${HELLO.join()}, bytes.length >> 8, bytes.length & 255, ...bytes]))
    }
    socket.onmessage = (event) => frames.push(event)
    window.earlySocket = { socket, ticket, frames }
  }
  if (token)
    ask('POST', table + '/enter')
      .then((answer) => (answer.ok ? answer.clone().json() : {}))
      .then(connect)
      .catch(() => undefined)
  described
    .then((answer) => answer.clone().json())
    .then(({ game }) => {
      for (const file of ${JSON.stringify(games)}[game] ?? []) {
        const link = document.createElement('link')
        link.rel = file.endsWith('.js') ? 'modulepreload' : 'preload'
        if (link.rel === 'preload') link.as = 'style'
        link.crossOrigin = ''
        link.href = '/' + file
        document.head.append(link)
      }
    }, () => undefined)
  // meanwhile: the first formatter of each kind is slow, because the browser has to find the language
  for (const Kind of [Intl.ListFormat, Intl.PluralRules]) new Kind('en')
}
`
}

function withLinks(page: string, files: ReadonlySet<string>): string {
  const links = [...files]
    .filter((file) => !page.includes(file))
    .map((file) =>
      file.endsWith('.js')
        ? `<link rel="modulepreload" crossorigin href="/${file}">`
        : `<link rel="preload" as="style" crossorigin href="/${file}">`,
    )
  return page.replace('</head>', `${links.map((link) => `  ${link}\n  `).join('')}</head>`)
}

function named(bundle: Bundle, name: string): Rolldown.OutputChunk {
  return chunkIn(bundle, (chunk) => chunk.name === name, name)
}

function holding(bundle: Bundle, source: string): Rolldown.OutputChunk {
  return chunkIn(bundle, (chunk) => chunk.moduleIds.some((id) => id.endsWith(`/src/${source}`)), source)
}

function chunkIn(
  bundle: Bundle,
  wanted: (chunk: Rolldown.OutputChunk) => boolean,
  name: string,
): Rolldown.OutputChunk {
  for (const file of Object.values(bundle)) if (file.type === 'chunk' && wanted(file)) return file
  throw new Error(`no file of the build is or has ${name}`)
}

/** A chunk, the chunks it imports, and their styles. */
function filesOf(bundle: Bundle, chunk: Rolldown.OutputChunk, found = new Set<string>()): readonly string[] {
  found.add(chunk.fileName)
  for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style)
  for (const each of chunk.imports) {
    const file = bundle[each]
    if (file?.type === 'chunk' && !found.has(each)) filesOf(bundle, file, found)
  }
  return [...found]
}
