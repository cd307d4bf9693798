/**
 * The files that the first view of home, or of a seat in a running game, needs: whatever these roots import statically.
 * Everything else is loaded afterwards (src/app/firstview.ts) or when somebody wants it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const SOURCES = fileURLToPath(new URL('../src', import.meta.url))

export const ENTRY = 'app/main.ts'
export const HOME = 'app/home/Home.svelte'
export const TABLE = 'app/table/TablePage.svelte'
export const GAMES: readonly string[] = readdirSync(join(SOURCES, 'games'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
export const cardOf = (game: string): string => `games/${game}/card.ts`
export const clientOf = (game: string): string => `games/${game}/client.ts`

const STATIC_IMPORT = /^\s*(?:import|export)\s+(?!type\b)(?:[^'"()]*?\bfrom\s*)?'(\.[^']+)'/gm

/** These files and all they import, by path, with their text. */
export function closure(roots: readonly string[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  const visit = (path: string): void => {
    if (files.has(path) || !existsSync(path)) return
    const text = readFileSync(path, 'utf8')
    files.set(path, text)
    for (const [, imported = ''] of text.matchAll(STATIC_IMPORT)) visit(join(dirname(path), imported))
  }
  for (const root of roots) visit(join(SOURCES, root))
  return files
}

export function firstView(): ReadonlyMap<string, string> {
  return closure([ENTRY, HOME, TABLE, ...GAMES.map(cardOf), ...GAMES.map(clientOf)])
}
