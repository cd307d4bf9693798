/**
 * `virtual:rules/<game>`: the rules page from games/<game>/RULES.md as parts with headings. The build
 * generates it so that browsers don't have to parse Markdown. A game without the file has no parts.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { marked, type Token } from 'marked'
import type { Plugin } from 'vite'

const PREFIX = 'virtual:rules/'
const GAMES = new URL('../../games/', import.meta.url)

export interface Part {
  id: string
  title: string
  level: number
  html: string
}

export function parts(markdown: string): Part[] {
  const sections: { title: string; level: number; tokens: Token[] }[] = []
  for (const token of marked.lexer(markdown)) {
    if (token.type === 'heading' && token.depth <= 3)
      sections.push({ title: token.text as string, level: token.depth as number, tokens: [] })
    else if (token.type !== 'space') {
      if (sections.length === 0) sections.push({ title: '', level: 1, tokens: [] })
      sections.at(-1)?.tokens.push(token)
    }
  }
  return sections
    .filter(({ tokens }) => tokens.length > 0)
    .map(({ title, level, tokens }, index) => ({
      id: `part-${index}`,
      title,
      level,
      // the corner of a table heads nothing
      html: withRulings(withAnswers(marked.parser(tokens))).replaceAll('<th></th>', '<td></td>'),
    }))
}

/** `<!-- why: NEAR_OWN -->` marks a passage as the answer to refusals, by their codes, where its ruling answers another question. */
const ANSWERS = /\s*<!-- why: ([A-Z_ ]+) -->/g

export function withAnswers(html: string): string {
  return html.replace(ANSWERS, '<span data-why="$1"></span>')
}

/** Ids of rulings, shown only to people who ask why. */
const RULING = /\s?\([A-Z]{3}-\d+(?:, [A-Z]{3}-\d+)*\)|; [A-Z]{3}-\d+(?=\))|(?<=<td>)[A-Z]{3}-\d+(?=<\/td>)/g

export function withRulings(html: string): string {
  return html.replace(RULING, '<span class="ruling">$&</span>')
}

export function withoutRulings(html: string): string {
  return html.replace(ANSWERS, '').replace(RULING, '')
}

export function rules(): Plugin {
  return {
    name: 'parley-rules',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null
      const file = fileURLToPath(new URL(`${id.slice(PREFIX.length + 1)}/RULES.md`, GAMES))
      if (!existsSync(file)) {
        this.warn(`${file} is not there: that game's rules panel will be empty`)
        return 'export default []'
      }
      this.addWatchFile(file)
      return `export default ${JSON.stringify(parts(readFileSync(file, 'utf8')))}`
    },
  }
}
