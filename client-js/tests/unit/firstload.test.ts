/**
 * The size of a first load of home, and of a seat in a running game: what the page names, so that the browser fetches it
 * at once, and for a table also what its early script (build/preload.ts) fetches. These are all the files that the first
 * view needs; the typefaces and everything else come once it is drawn (src/app/firstview.ts).
 */
import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cardOf, clientOf, ENTRY, GAMES, HOME, TABLE } from '../../build/firstview.ts'

const MAX_BYTES = 120_000
/** A build takes five seconds on two quiet cores. */
const BUILD_MS = 120_000

const { NODE_ENV } = process.env
const files = new Map<string, Rolldown.OutputChunk | Rolldown.OutputAsset>()

beforeAll(async () => {
  process.env.NODE_ENV = 'production'
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const built = await build({ root, mode: 'production', logLevel: 'error', build: { write: false } })
  for (const { output } of [built].flat() as Rolldown.RolldownOutput[])
    for (const file of output) files.set(file.fileName, file)
}, BUILD_MS)

afterAll(() => {
  process.env.NODE_ENV = NODE_ENV
})

function textOf(name: string): string {
  const file = files.get(name)
  if (file === undefined) throw new Error(`${name} is not in the build`)
  return file.type === 'chunk' ? file.code : String(file.source)
}

/** The bytes of a file as the hub sends it to a browser that takes brotli. */
function sizeOf(name: string): number {
  const compressed = files.get(`${name}.br`)
  if (compressed?.type === 'asset') return compressed.source.length
  return textOf(name).length
}

/** The files that a text names. */
function namedIn(text: string): string[] {
  return text.match(/assets\/[\w.-]+\.(?:js|css)/g) ?? []
}

/** What a browser fetches for the first view of this page, of a table of this game. */
function firstLoad(page: string, game?: string): ReadonlySet<string> {
  const named = namedIn(textOf(page))
  const early = named.find((name) => name.includes('/early-'))
  const ofGame =
    new RegExp(`"${game}":(\\[[^\\]]*\\])`).exec(early === undefined ? '' : textOf(early))?.[1] ?? ''
  return new Set([page, ...named, ...namedIn(ofGame)])
}

/** Expects everything that these sources import statically to be among the files. */
function expectComplete(load: ReadonlySet<string>, roots: readonly string[]): void {
  const visited = new Set<string>()
  const visit = (name: string): void => {
    const chunk = files.get(name)
    if (visited.has(name) || chunk?.type !== 'chunk') return
    visited.add(name)
    expect(load).toContain(name)
    for (const style of chunk.viteMetadata?.importedCss ?? []) expect(load).toContain(style)
    chunk.imports.forEach(visit)
  }
  for (const root of roots) {
    const holders = [...files.values()].filter(
      (file) => file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith(`/src/${root}`)),
    )
    expect(holders, root).not.toEqual([])
    for (const { fileName } of holders) visit(fileName)
  }
}

function expectSmall(load: ReadonlySet<string>): void {
  const sizes = [...load].map((name) => [name, sizeOf(name)] as const)
  const total = sizes.reduce((sum, [, size]) => sum + size, 0)
  const list = sizes.toSorted(([, one], [, other]) => other - one).map(([name, size]) => `${name} ${size}`)
  expect(total, `${total} bytes:\n${list.join('\n')}`).toBeLessThanOrEqual(MAX_BYTES)
  for (const name of load) expect(textOf(name)).not.toContain('.woff2')
}

test('home is a small first load', () => {
  const load = firstLoad('index.html')
  expectComplete(load, [ENTRY, HOME, ...GAMES.map(cardOf)])
  expectSmall(load)
})

test.each(GAMES)('a table of %s is a small first load', (game) => {
  const load = firstLoad('table.html', game)
  expectComplete(load, [ENTRY, TABLE, clientOf(game)])
  expectSmall(load)
})
