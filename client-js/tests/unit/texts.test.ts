/** The catalogues: all keys in use exist, all existing keys are used, and pages show no other text. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, type AST } from 'svelte/compiler'
import { describe, expect, test } from 'vitest'
import { appTexts, compile, gameTexts } from '../../build/texts.ts'
import { markMessage, pseudo, pseudoHtml } from '../../src/app/texts/pseudo.ts'
import { Words, type Message } from '../../src/app/words.ts'

const SOURCES = new URL('../../src', import.meta.url).pathname
const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /\.(svelte|ts)$/.test(file),
)
const source = (file: string): string => readFileSync(join(SOURCES, file), 'utf8')
const code = files
  .filter((file) => !/\.gen\.ts$/.test(file))
  .map(source)
  .join('\n')
const en = appTexts()
const GAMES = readdirSync(join(SOURCES, 'games'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

describe('words', () => {
  const words = new Words('en')

  test('put values where their names stand', () => {
    expect(words.format(compile('{a} and {b}'), { a: 'x', b: 1_234 })).toBe('x and 1,234')
    expect(words.format(compile('to {names}'), { names: ['Ann', 'Bo', 'Cy'] })).toBe('to Ann, Bo, and Cy')
    expect(words.format(compile('bids {bids}'), { bids: [3, 10] })).toBe('bids 3, 10')
    expect(words.format(compile('{missing}'))).toBe('–')
  })

  test('join a list, for callers that show its items as more than text', () => {
    const joined = (list: Words, ...items: string[]): string[] =>
      list.listParts(items).map(({ type, value }) => (type === 'element' ? `<${value}>` : value))
    expect(joined(words, '2')).toEqual(['<2>'])
    expect(joined(words, '2', '0')).toEqual(['<2>', ' and ', '<0>'])
    expect(joined(new Words('en', false), '2', '0')).toEqual(['<2>', ', ', '<0>'])
  })

  test('choose the plural form by the number that the message names, and show it for #', () => {
    const message = compile('{count, plural, one {# seat} other {# seats}}')
    expect([0, 1, 2].map((count) => words.format(message, { count }))).toEqual([
      '0 seats',
      '1 seat',
      '2 seats',
    ])
    expect(words.format(message, { count: 12_345 })).toBe('12,345 seats')
    const left = compile('{left, plural, one {one} other {more}}')
    expect(words.format(left, { left: 1, count: 5 })).toBe('one')
  })

  test('follow the language’s own plural rules', () => {
    const forms = compile('{count, plural, one {jeden} few {kilka} many {wiele} other {ułamek}}')
    const polish = new Words('pl')
    expect([1, 3, 5, 22].map((count) => polish.format(forms, { count }))).toEqual([
      'jeden',
      'kilka',
      'wiele',
      'kilka',
    ])
  })

  test('shorten a number where there is little room', () => {
    expect([7, 9_999, 12_345, 1_000_000_000].map((number) => words.short(number))).toEqual([
      '7',
      '9999',
      '12.3K',
      '1B',
    ])
  })

  test('cut a sentence at its placeholders', () => {
    const pieces = [
      { name: 'seat', value: 2 },
      { text: ' scores ' },
      { name: 'number', value: 7 },
      { text: ' points.' },
    ]
    const message = compile('{seat} scores {number} points.')
    expect(words.pieces(message, { seat: 2, number: 7 })).toEqual(pieces)
    const plural = compile('{number, plural, one {{seat} scores # point.} other {{seat} scores # points.}}')
    expect(words.pieces(plural, { seat: 2, number: 7 })).toEqual(pieces)
    expect(words.pieces(compile('to {seats}'), { seats: [0, 3] })).toEqual([
      { text: 'to ' },
      { name: 'seats', value: [0, 3] },
    ])
  })
})

describe('the app’s catalogue', () => {
  /** Keys built at run time: one string for each value that the hub may send. */
  const COMPOSED = [
    /^line\./,
    /^refusal\./,
    /^error\./,
    /^colour\./,
    /^bot\./,
    /^level\./,
    /^card\.bots\./,
    /^new\.grace\./,
    /^delay\.(none|30s|2min|10min|round)$/,
    /^panel\./,
    /^deals\.ended\./,
    /^report\.reason\./,
    /^admin\.status\./,
  ]

  test.each(Object.keys(en))('%s is used', (key) => {
    expect(COMPOSED.some((pattern) => pattern.test(key)) || code.includes(`'${key}'`)).toBe(true)
  })

  test('has every key that is asked for by name', () => {
    const prompted = [...code.matchAll(/\bt(?:Maybe|Pieces)?\(\s*'([\w.]+)'/g)].map((match) => match[1] ?? '')
    expect(prompted.length).toBeGreaterThan(100)
    expect(prompted.filter((key) => !(key in en))).toEqual([])
  })
})

describe.each(GAMES)('the catalogue of %s', (game) => {
  const { ui } = gameTexts(game)
  const screens = files
    .filter((file) => file.startsWith(`games/${game}/`))
    .map(source)
    .join('\n')
  /** Keys composed at run time: a word and one letter or digit, or another key and a word. */
  const starts = [...screens.matchAll(/`(\w{2,})\$\{/g)].map((match) => match[1] ?? '')
  const ends = [...screens.matchAll(/\$\{\w+\}(\w{2,})`/g)].map((match) => match[1] ?? '')
  const used = (key: string): boolean =>
    screens.includes(`'${key}'`) ||
    screens.includes(`.ui.${key}`) ||
    starts.includes(key.slice(0, -1)) ||
    ends.some((end) => key.endsWith(end) && screens.includes(`'${key.slice(0, -end.length)}'`))

  test('holds nothing that no screen shows', () => {
    expect(Object.keys(ui as object).filter((key) => !used(key))).toEqual([])
  })
})

test('Almost says that nobody scores in words true of a number taken three times (ALM-T2)', () => {
  const { lines, ui } = gameTexts('almost') as Record<string, Record<string, Message>>
  const words = new Words('en')
  expect([
    words.format(lines?.['almost.nobodyScored'] ?? '', { round: 3 }),
    words.format(ui?.nobodyWhy ?? ''),
  ]).toEqual(['No number was unique: nobody scored in round 3.', 'No number was unique.'])
})

describe('the pseudo-language', () => {
  /** All the literal text between arguments in a catalogue, at any depth. */
  function all(catalogue: unknown): string[] {
    if (typeof catalogue === 'string') return [catalogue]
    if (!Array.isArray(catalogue)) return Object.values(catalogue as object).flatMap(all)
    return (catalogue as readonly { type: number; value: string; options?: object }[]).flatMap(
      ({ type, value, options }) =>
        options
          ? Object.values(options).flatMap((form: { value: unknown }) => all(form.value))
          : type === 0
            ? [value]
            : [],
    )
  }

  test.each(['', ...GAMES])('leaves no plain letters in the texts: %s', (game) => {
    const catalogue = game === '' ? en : gameTexts(game)
    const marked = all(pseudo(catalogue))
    expect(marked.length).toBeGreaterThanOrEqual(all(catalogue).length)
    expect(marked.filter((text) => /[A-Za-z]/.test(text))).toEqual([])
  })

  test('keeps arguments, and what selects a plural', () => {
    const words = new Words('en', false)
    expect(words.format(markMessage(compile('{seat} scores')), { seat: 'Ann' })).toBe('[Ann šćöŕëš···]')
    const plural = markMessage(compile('{left, plural, one {one} other {# more}}'))
    expect(words.format(plural, { left: 1 })).toBe('[öñë··]')
    expect(words.format(plural, { left: 5 })).toBe('[5 ɱöŕë··]')
  })

  test('marks the texts of HTML and leaves its tags', () => {
    const html = pseudoHtml('<p class="x">bid <b>once</b></p>')
    expect(html).toMatch(/^<p class="x">.*<b>.*<\/b><\/p>$/)
    expect(html.replace(/<[^>]*>/g, '')).not.toMatch(/[a-z]/i)
  })
})

describe('no component contains text of its own', () => {
  const SAID = new Set(['aria-label', 'aria-description', 'title', 'placeholder', 'alt', 'label'])
  /** Symbols, units and numbers need no translation; key names are printed on the keys. */
  const NO_WORDS = /^[^A-Za-z]*$/

  function literals(node: unknown, found: string[] = [], inKeyName = false): string[] {
    if (typeof node !== 'object' || node === null) return found
    if (Array.isArray(node)) {
      for (const each of node) literals(each, found, inKeyName)
      return found
    }
    const { type } = node as { type?: string }
    if (type === 'Text' && !inKeyName) found.push((node as AST.Text).data)
    if (type === 'Attribute') {
      const { name, value } = node as AST.Attribute
      if (SAID.has(name)) literals(value, found)
      return found
    }
    if (type === 'StyleSheet' || type === 'Script' || type === 'StyleDirective') return found
    const isKey = type === 'RegularElement' && (node as AST.RegularElement).name === 'kbd'
    for (const [key, value] of Object.entries(node))
      if (key !== 'metadata') literals(value, found, inKeyName || isKey)
    return found
  }

  test.each(files.filter((file) => file.endsWith('.svelte')))('%s', (file) => {
    const { fragment } = parse(source(file), { modern: true, filename: file })
    expect(literals(fragment).filter((text) => !NO_WORDS.test(text))).toEqual([])
  })
})
