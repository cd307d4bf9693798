/** The page about each game, as the build writes it: complete without a script, and with links that lead somewhere. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GAMES } from '../../build/firstview.ts'
import { documentOf, drawPages } from '../../build/gamepages.ts'
import { readGameText, readMinute, readRules } from '../../build/gametext.ts'

const MAX_BYTES = 60_000
const DRAWING_MS = 120_000
const PUBLIC = fileURLToPath(new URL('../../public', import.meta.url))
const SAMPLE = fileURLToPath(new URL('../../../tests/sample_game', import.meta.url))
const SHEET = 'assets/gamepage-1a.css'
const RULING = /\b[A-Z]{3}-\d+/

const pages = new Map<string, string>()
let style = ''

beforeAll(async () => {
  const drawn = await drawPages(GAMES.map((game) => readGameText(game)))
  style = drawn.style
  for (const [game, drawing] of drawn.pages) pages.set(game, documentOf(drawing, [SHEET]))
}, DRAWING_MS)

const plain = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:#39|quot|amp|lt|gt);/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
const wordsIn = (html: string): number => plain(html).split(' ').length

test('every game has a page', () => {
  expect([...pages.keys()].sort()).toEqual([...GAMES].sort())
  expect(style).toContain('.hero')
})

describe.each(GAMES)('the page about %s', (game) => {
  const page = (): string => pages.get(game) ?? ''
  const text = readGameText(game)

  test('has its goal, its rules in a minute and in full, its picture and its designer', () => {
    for (const part of [text.goal, text.minute, text.credit, ...text.rules.map(({ html }) => html)])
      expect(plain(page())).toContain(plain(part))
    expect(page()).toMatch(/<svg viewBox="0 0 480 220"/)
    expect(page()).toContain(`<h1 id="title"`)
    expect(text.credit).toMatch(/ by [A-Z]/)
  })

  test('says it in a minute, and cites no ruling', () => {
    expect(wordsIn(text.minute)).toBeGreaterThanOrEqual(110)
    expect(wordsIn(text.minute)).toBeLessThanOrEqual(170)
    for (const part of [text.goal, text.minute, text.credit]) expect(part).not.toMatch(RULING)
    expect(page().replace(/<span class="ruling">.*?<\/span>/gs, '')).not.toMatch(RULING)
  })

  test('is small, and has neither scripts nor styles of its own', () => {
    expect(Buffer.byteLength(page())).toBeLessThan(MAX_BYTES)
    expect(page()).not.toMatch(/<script|<style|javascript:|\son\w+=/i)
  })

  test('has links that lead somewhere', () => {
    const links = [...page().matchAll(/\s(?:href|src|content)="([/#][^"]*)"/g)].map(([, link = '']) => link)
    expect(links).toEqual(
      expect.arrayContaining([`/?new=${game}`, `/?learn=${game}`, '/#tables', '#rules', `/g/${game}`]),
    )
    const known = [
      '/',
      '/#tables',
      `/?new=${game}`,
      `/?learn=${game}`,
      `/${SHEET}`,
      ...GAMES.map((each) => `/g/${each}`),
    ]
    const leads = (link: string): boolean =>
      link.startsWith('#') ? page().includes(`id="${link.slice(1)}"`) : existsSync(join(PUBLIC, link))
    const paths = links.filter((link) => !/^#[0-9a-f]{6}$/.test(link)) // the colour of the browser's own bar
    expect(paths.filter((link) => !known.includes(link) && !leads(link))).toEqual([])
  })
})

describe('a game without its texts fails the build', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-game-'))
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
  mkdirSync(join(folder, 'texts'))
  afterAll(() => rmSync(folder, { recursive: true }))

  test('with a sentence that says what to add', () => {
    expect(() => readMinute(folder)).toThrow(
      /MINUTE\.md is not there, .* Write the goal of the game in one line/,
    )
    write('MINUTE.md', 'Only a goal.\n')
    expect(() => readMinute(folder)).toThrow(/MINUTE\.md: Write the goal/)
    write('RULES.md', '# Game\n\nNobody designed this.\n')
    expect(() => readRules(folder)).toThrow(/RULES\.md: Begin it with a heading, .* who designed the game/)
    expect(() => readGameText('unknown')).toThrow('unknown is not in wire.gen.ts')
  })

  test('and the sample game has them', () => {
    expect(readMinute(SAMPLE).goal).toBe('Finish with the most points, in lots and in coins you kept.')
    expect(wordsIn(readMinute(SAMPLE).minute)).toBeLessThanOrEqual(170)
    expect(readRules(SAMPLE).credit).toContain('A sealed-bid auction for 3 to 5 players')
  })
})
