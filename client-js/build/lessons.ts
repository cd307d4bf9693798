/**
 * `virtual:lessons`: for each game that has a lesson.json, a function that loads `virtual:lessons/<game>`, what it is about and
 * the texts of its steps, with the learner's moves, which boards may mark. The moves are the hub's to make (docs/PROTOCOL.md,
 * "Lessons").
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import type { LessonTexts } from '../src/app/lesson/texts.ts'
import { GAMES } from './firstview.ts'

const ALL = 'virtual:lessons'
const ONE = `${ALL}/`

const fileOf = (game: string): string =>
  fileURLToPath(new URL(`../../games/${game}/lesson.json`, import.meta.url))

export function readLesson(game: string): LessonTexts {
  const { about, seats, options, steps } = JSON.parse(readFileSync(fileOf(game), 'utf8')) as LessonTexts
  return {
    about,
    seats,
    options,
    steps: steps.map(({ seat, prompt, task, then, quick, move }) => ({
      seat,
      prompt,
      ...(task && { task, move }),
      ...(then && { then }),
      ...(quick && { quick }),
    })),
  }
}

export function lessons(): Plugin {
  return {
    name: 'parley-lessons',
    resolveId: (id) => (id === ALL || id.startsWith(ONE) ? `\0${id}` : null),
    load(id) {
      if (id === `\0${ALL}`) {
        const rows = GAMES.filter((game) => existsSync(fileOf(game))).map(
          (game) => `  ${JSON.stringify(game)}: () => import('${ONE}${game}'),\n`,
        )
        return `export default {\n${rows.join('')}}`
      }
      if (!id.startsWith(`\0${ONE}`)) return null
      const game = id.slice(ONE.length + 1)
      this.addWatchFile(fileOf(game))
      return `export default ${JSON.stringify(readLesson(game))}`
    },
  }
}
