/** The catalogues: what is used is there, what is there is used, and nothing on a page comes from elsewhere. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, type AST } from 'svelte/compiler'
import { describe, expect, test } from 'vitest'
import { en } from '../../src/app/texts/en.ts'
import { mark, pseudo, pseudoHtml } from '../../src/app/texts/pseudo.ts'
import { Words } from '../../src/app/words.ts'
import { texts as almost } from '../../src/games/almost/texts.ts'

const SOURCES = new URL('../../src', import.meta.url).pathname
const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /\.(svelte|ts)$/.test(file),
)
const source = (file: string): string => readFileSync(join(SOURCES, file), 'utf8')
const code = files
  .filter((file) => !/texts\/|texts\.ts$|\.gen\.ts$/.test(file))
  .map(source)
  .join('\n')

describe('words', () => {
  const words = new Words('en')

  test('put values where their names stand', () => {
    expect(words.format('{a} and {b}', { a: 'x', b: 1_234 })).toBe('x and 1,234')
    expect(words.format('to {names}', { names: ['Ann', 'Bo', 'Cy'] })).toBe('to Ann, Bo, and Cy')
    expect(words.format('bids {bids}', { bids: [3, 10] })).toBe('bids 3, 10')
    expect(words.format('{missing}')).toBe('–')
  })

  test('choose the plural form by `count`, or by what the message names', () => {
    const message = { one: '{count} seat', other: '{count} seats' }
    expect([0, 1, 2].map((count) => words.format(message, { count }))).toEqual([
      '0 seats',
      '1 seat',
      '2 seats',
    ])
    expect(words.format({ by: 'left', one: 'one', other: 'more' }, { left: 1, count: 5 })).toBe('one')
  })

  test('follow the language’s own plural rules', () => {
    const forms = { one: 'jeden', few: 'kilka', many: 'wiele', other: 'ułamek' }
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
    expect(words.pieces('{seat} scores {number}.', { seat: 2, number: 7 })).toEqual([
      { text: '' },
      { name: 'seat', value: 2 },
      { text: ' scores ' },
      { name: 'number', value: 7 },
      { text: '.' },
    ])
  })
})

describe('the app’s catalogue', () => {
  /** Keys put together while running: a text for each value the hub may send. */
  const COMPOSED = [/^line\./, /^refusal\./, /^error\./, /^colour\./, /^bot\./, /^panel\./, /^deals\.ended\./]

  test.each(Object.keys(en))('%s is used', (key) => {
    expect(COMPOSED.some((pattern) => pattern.test(key)) || code.includes(`'${key}'`)).toBe(true)
  })

  test('has every key that is asked for by name', () => {
    const prompted = [...code.matchAll(/\bt(?:Maybe|Pieces)?\(\s*'([\w.]+)'/g)].map((match) => match[1] ?? '')
    expect(prompted.length).toBeGreaterThan(100)
    expect(prompted.filter((key) => !(key in en))).toEqual([])
  })
})

describe('the catalogue of Almost', () => {
  const board = files
    .filter((file) => file.startsWith('games/almost/'))
    .map(source)
    .join('\n')
  const OF_THE_SHELL = new Set([
    'title',
    'tagline',
    'lines',
    'refusals',
    'phrases',
    'prompts',
    'windows',
    'groups',
    'options',
  ])

  test.each(Object.keys(almost).filter((key) => !OF_THE_SHELL.has(key)))('%s is used', (key) => {
    expect(board.includes(`'${key}'`)).toBe(true)
  })

  test('says that nobody scores in words true of a number taken three times (ALM-T2)', () => {
    expect([almost.lines['almost.nobodyScored'], almost.nobodyWhy]).toEqual([
      'No number was unique: nobody scores.',
      'No number was unique.',
    ])
  })
})

describe('the pseudo-language', () => {
  /** Every text of a catalogue, however deep. */
  function all(catalogue: unknown, key = ''): string[] {
    if (typeof catalogue === 'string') return key === 'by' ? [] : [catalogue]
    return Object.entries(catalogue as object).flatMap(([each, value]) => all(value, each))
  }
  const unmarked = (text: string): string => text.replace(/\{\w+\}/g, '')

  test.each([
    ['the app', en],
    ['Almost', almost],
  ])('leaves no plain letter of %s', (_, catalogue) => {
    const marked = all(pseudo(catalogue))
    expect(marked).toHaveLength(all(catalogue).length)
    expect(marked.filter((text) => /[A-Za-z]/.test(unmarked(text)))).toEqual([])
  })

  test('keeps placeholders, and what a plural goes by', () => {
    expect(mark('{seat} scores')).toContain('{seat}')
    expect(pseudo({ by: 'left', one: 'a', other: 'b' }).by).toBe('left')
  })

  test('marks the texts of HTML and leaves its tags', () => {
    const html = pseudoHtml('<p class="x">bid <b>once</b></p>')
    expect(html).toMatch(/^<p class="x">.*<b>.*<\/b><\/p>$/)
    expect(html.replace(/<[^>]*>/g, '')).not.toMatch(/[a-z]/i)
  })
})

describe('no text stands in a component itself', () => {
  const SAID = new Set(['aria-label', 'aria-description', 'title', 'placeholder', 'alt', 'label'])
  /** A sign, a unit or a number needs no translation; the names of keys stand on the keys. */
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
