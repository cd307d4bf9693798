/**
 * Reads what the page about a game shows from its folder: MINUTE.md (the goal, then the rules in a minute), the title in
 * texts/en.json, the rules and the designer's credit in RULES.md.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { marked, type Tokens } from 'marked'
import { GAME_RANGES, type Games } from '../src/sdk/wire.gen.ts'
import type { GameText } from '../src/gamepage/page.ts'
import { parts, withoutRulings } from './rules.ts'

const FOLDER = fileURLToPath(new URL('../../games', import.meta.url))
/** The files that such a page is made of. */
export const SOURCES_OF_TEXT = ['MINUTE.md', 'RULES.md', 'texts/en.json']

const MINUTE_ADVICE =
  'Write the goal of the game in one line, an empty line, and the rules in a minute, in 120 to 160 words (docs/ADD_A_GAME.md).'
const CREDIT_ADVICE =
  'Begin it with a heading, and then a paragraph in *italics* that says who designed the game (docs/ADD_A_GAME.md).'

/** The text of this game's page. Throws an Error that says what to add if something is not there. */
export function readGameText(key: string, folder = join(FOLDER, key)): GameText {
  const ranges = GAME_RANGES[key as keyof Games]
  if (ranges === undefined) throw new Error(`${key} is not in wire.gen.ts: run python -m tools.typescript.`)
  const { credit, rules } = readRules(folder)
  const { title } = JSON.parse(readFileSync(join(folder, 'texts', 'en.json'), 'utf8')) as { title: string }
  return { key, title, ...readMinute(folder), credit, ...ranges, rules }
}

/** The goal in one line, as text, and the rules in a minute, as HTML. Throws an Error that says what to add. */
export function readMinute(folder: string): { readonly goal: string; readonly minute: string } {
  const file = join(folder, 'MINUTE.md')
  const [first, ...others] = marked.lexer(read(file, MINUTE_ADVICE)).filter(({ type }) => type !== 'space')
  if (first?.type !== 'paragraph' || others.length === 0) throw new Error(`${file}: ${MINUTE_ADVICE}`)
  const goal = (first as Tokens.Paragraph).text.replaceAll('\n', ' ')
  return { goal, minute: marked.parser(others) }
}

/** The first paragraph of the rules, which is in italics, and all that follows. Throws an Error that says what to add. */
export function readRules(folder: string): Pick<GameText, 'credit' | 'rules'> {
  const file = join(folder, 'RULES.md')
  const text = read(file, CREDIT_ADVICE)
  const paragraph = marked.lexer(text).find(({ type }) => type === 'paragraph') as
    Tokens.Paragraph | undefined
  const [only, ...others] = paragraph?.tokens ?? []
  if (paragraph === undefined || only?.type !== 'em' || others.length > 0)
    throw new Error(`${file}: ${CREDIT_ADVICE}`)
  const credit = marked.parseInline((only as Tokens.Em).text, { async: false })
  return { credit: withoutRulings(credit), rules: parts(text.replace(paragraph.raw, '\n')) }
}

function read(file: string, advice: string): string {
  if (!existsSync(file)) throw new Error(`${file} is not there, and the game's page needs it. ${advice}`)
  return readFileSync(file, 'utf8')
}
