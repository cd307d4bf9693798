/**
 * `virtual:texts` and `virtual:texts/<game>`: the ICU messages of src/app/texts/en.json and of
 * games/<game>/texts/en.json; `virtual:texts/<game>/card`: those of its card; `virtual:texts/<game>/coach`: those
 * of its coach, which `virtual:coaches` loads by game; `virtual:texts/<game>/talk` and `virtual:talk`: in the same way,
 * what is said in parts. The build parses them so that browsers don't have to load a parser. Messages
 * that games share come from games/kit/texts/en.json (games/kit/texts/ reads the same files in the same way).
 *
 * A build keeps the app's messages that no file of the first view names apart, in `virtual:latertexts`, and has each
 * file that names one of them import it.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import type { Plugin } from 'vite'
import type { Message } from '../src/app/words.ts'
import { firstView, GAMES as GAME_KEYS, SOURCES } from './firstview.ts'

const APP = 'virtual:texts'
const GAMES = 'virtual:texts/'
const LATER = 'virtual:latertexts'
const COACHES = 'virtual:coaches'
const TALK = 'virtual:talk'
/** What is said at a table in parts: phrases, promises with their terms, and bots' remarks. */
const TALK_GROUPS = ['phrases', 'promises', 'terms', 'remarks']

type Texts = { [key: string]: string | Texts }
export type Compiled = { readonly [key: string]: Message | Compiled }

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const APP_FILE = file('../src/app/texts/en.json')
const KIT_FILE = file('../../games/kit/texts/en.json')
const gameFile = (game: string): string => file(`../../games/${game}/texts/en.json`)
const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

/** Compiles a message for the browser: plain text stays a string, and `#` becomes its plural's argument. */
export function compile(message: string): Message {
  const elements = named(parse(message, { ignoreTag: true, captureLocation: false }))
  const [only] = elements
  if (only === undefined) return ''
  return elements.length === 1 && only.type === TYPE.literal ? only.value : elements
}

function named(elements: readonly MessageFormatElement[], count?: string): MessageFormatElement[] {
  return elements.map((element) => {
    if (element.type === TYPE.pound && count !== undefined) return { type: TYPE.argument, value: count }
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return element
    const options = Object.entries(element.options).map(([key, { value }]) => [
      key,
      { value: named(value, element.type === TYPE.plural ? element.value : count) },
    ])
    return { ...element, options: Object.fromEntries(options) }
  })
}

export function compileAll(texts: Texts): Compiled {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      typeof text === 'string' ? compile(text) : compileAll(text),
    ]),
  )
}

/** The app's own strings. */
export function appTexts(): Compiled {
  return compileAll(read(APP_FILE) as Texts)
}

/** A game's strings by group, its own first and then the kit's. */
export function gameTexts(game: string): Compiled {
  const { kit: parts, ...texts } = read(gameFile(game)) as Texts & { kit: readonly string[] }
  const kit = read(KIT_FILE) as Record<string, Record<string, Texts>>
  for (const part of ['base', ...parts])
    for (const [group, shared] of Object.entries(kit[part] ?? {})) {
      const ofGame = (texts[group] ?? {}) as Texts
      texts[group] = { ...ofGame, ...shared, ...ofGame }
    }
  return compileAll(texts)
}

/** The strings that a game's card and the form for a new table show. */
export function cardTexts({ title, tagline, refusals, options, groups }: Compiled): Compiled {
  return Object.fromEntries(
    Object.entries({ title, tagline, refusals, options, groups }).filter((entry) => entry[1] !== undefined),
  ) as Compiled
}

/** The strings of a table, without those that only its card shows: all of an option but its modes’ names. */
function tableTexts(texts: Compiled): Compiled {
  const { options = {}, ...others } = texts as Record<string, Compiled>
  const modes = (options.mode as Compiled | undefined)?.values
  const kept = Object.entries(others).filter(([group]) => group !== 'tagline' && group !== 'groups')
  return { ...Object.fromEntries(kept), options: modes === undefined ? {} : { mode: { values: modes } } }
}

/** What may be a key in a source: a quoted word with dots, or the beginning of one that is put together. */
const NAMED = /['"`]([\w.]+)(['"`]|\$\{)/g
const GENERATED = /\.gen\.ts$/

/** The keys among these that a source names. */
function keysIn(source: string, keys: readonly string[]): readonly string[] {
  const named = [...source.matchAll(NAMED)]
  const whole = new Set(named.map(([, word]) => word))
  const begun = named
    .filter(([, word, end]) => end === '${' && word?.endsWith('.'))
    .map(([, word = '']) => word)
  return keys.filter((key) => whole.has(key) || begun.some((start) => key.startsWith(start)))
}

/** The app's strings that no file of the first view names. */
export function laterTexts(): Compiled {
  const all = appTexts()
  const keys = Object.keys(all)
  const first = new Set(
    [...firstView()].filter(([path]) => !GENERATED.test(path)).flatMap(([, source]) => keysIn(source, keys)),
  )
  return Object.fromEntries(Object.entries(all).filter(([key]) => !first.has(key)))
}

/** A module that loads one part of a game's strings, by game. */
function loaders(part: string): string {
  const rows = GAME_KEYS.map((key) => `  ${JSON.stringify(key)}: () => import('${GAMES}${key}/${part}'),\n`)
  return `export default {\n${rows.join('')}}`
}

/** The strings of one part, or those that a table shows from the first. */
function partOf(all: Compiled, part: string | undefined): unknown {
  if (part === 'card') return cardTexts(all)
  if (part === 'coach') return all.coach ?? {}
  const isTalk = ([group]: readonly [string, unknown]): boolean => TALK_GROUPS.includes(group)
  if (part === 'talk') return Object.fromEntries(Object.entries(all).filter(isTalk))
  const others = Object.entries(all).filter((entry) => !isTalk(entry) && entry[0] !== 'coach')
  return tableTexts(Object.fromEntries(others) as Compiled)
}

export function texts(): Plugin {
  let later: Compiled = {}
  return {
    name: 'parley-texts',
    enforce: 'post',
    configResolved({ command }) {
      if (command === 'build') later = laterTexts()
    },
    resolveId: (id) => ([APP, LATER, COACHES, TALK].includes(id) || id.startsWith(GAMES) ? `\0${id}` : null),
    transform(code, id) {
      if (!id.startsWith(SOURCES) || id.includes('?') || GENERATED.test(id)) return null
      if (keysIn(readFileSync(id, 'utf8'), Object.keys(later)).length === 0) return null
      return { code: `import '${LATER}';${code}`, map: null }
    },
    load(id) {
      if (id === `\0${LATER}`)
        return `import { addTexts } from '${SOURCES}/app/language.ts'\naddTexts(${JSON.stringify(later)})`
      if (id === `\0${COACHES}`) return loaders('coach')
      if (id === `\0${TALK}`) return loaders('talk')
      if (id !== `\0${APP}` && !id.startsWith(`\0${GAMES}`)) return null
      const [game = '', part] = id.slice(GAMES.length + 1).split('/')
      for (const path of game === '' ? [APP_FILE] : [KIT_FILE, gameFile(game)]) this.addWatchFile(path)
      const all =
        game === ''
          ? Object.fromEntries(Object.entries(appTexts()).filter(([key]) => !(key in later)))
          : gameTexts(game)
      return `export default ${JSON.stringify(partOf(all, part))}`
    },
  }
}
