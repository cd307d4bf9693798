/** What the build refuses: a first load that is too large, lacks a file or waits for a typeface. */
import { expect, test } from 'vitest'
import { MAX_BYTES, problemsOf, type BuiltFile } from '../../build/firstload.ts'
import { cardOf, clientOf, ENTRY, GAMES, HOME, TABLE } from '../../build/firstview.ts'

const CARDS = GAMES.map(cardOf)

function chunk(
  name: string,
  sources: readonly string[],
  imports: readonly string[] = [],
  code = '',
): BuiltFile {
  return {
    type: 'chunk',
    fileName: `assets/${name}`,
    code,
    imports: imports.map((each) => `assets/${each}`),
    moduleIds: sources.map((source) => `/parley/client-js/src/${source}`),
    viteMetadata: { importedCss: new Set() },
  }
}

function asset(fileName: string, source: string | Uint8Array): BuiltFile {
  return { type: 'asset', fileName, source }
}

/** A client of a few files, in which each page names what it needs. */
function client(...changed: readonly BuiltFile[]): Record<string, BuiltFile> {
  const ofGames = GAMES.map((game) => `"${game}":["assets/game-${game}.js"]`).join(',')
  const files = [
    asset('index.html', 'assets/parley.js assets/home.js'),
    asset('table.html', 'assets/parley.js assets/early-1.js assets/table.js'),
    chunk('parley.js', [ENTRY]),
    chunk('early-1.js', [], [], `{${ofGames}}`),
    chunk('home.js', [HOME, ...CARDS], ['parley.js']),
    chunk('table.js', [TABLE], ['parley.js']),
    ...GAMES.map((game) => chunk(`game-${game}.js`, [clientOf(game)], ['table.js'])),
    ...changed,
  ]
  return Object.fromEntries(files.map((file) => [file.fileName, file]))
}

test('a client whose pages name all that they need is in order', () => {
  expect(problemsOf(client())).toEqual([])
})

test('sizes count as they are compressed', () => {
  const large = chunk('home.js', [HOME, ...CARDS], ['parley.js'], 'x'.repeat(MAX_BYTES))
  expect(problemsOf(client(large))).toEqual([
    expect.stringMatching(/^the first load of home has 1200\d\d bytes/),
  ])
  const compressed = asset('assets/home.js.br', new Uint8Array(1000))
  expect(problemsOf(client(large, compressed))).toEqual([])
})

test('what a first view imports is in its first load', () => {
  const late = chunk('late.js', [])
  const importing = chunk('game-almost.js', [clientOf('almost')], ['late.js'])
  expect(problemsOf(client(late, importing))).toEqual([
    'the first load of a table of almost lacks assets/late.js, which its first view imports',
  ])
})

test('no first load includes a typeface', () => {
  const sheet = chunk('table.js', [TABLE], ['parley.js'], 'url(text.woff2)')
  expect(problemsOf(client(sheet))).toEqual(
    GAMES.map((game) => `the first load of a table of ${game} includes a typeface, by assets/table.js`),
  )
})
