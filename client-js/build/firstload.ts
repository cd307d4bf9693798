/**
 * Fails the build if a first load is incomplete or too large: of home, and of a seat in a running game of each game. A
 * first load is what the page names, so that the browser fetches it at once, and for a table also what its early script
 * (preload.ts) fetches. These are all the files that the first view needs; the typefaces and everything else come once
 * it is drawn (src/app/firstview.ts).
 */
import type { Plugin, Rolldown } from 'vite'
import { cardOf, clientOf, ENTRY, GAMES, HOME, TABLE } from './firstview.ts'

export const MAX_BYTES = 120_000

/** The part of Rolldown's output that says what is in a file. */
export type BuiltFile = Pick<Rolldown.OutputAsset, 'type' | 'fileName' | 'source'> | BuiltChunk
interface BuiltChunk extends Pick<
  Rolldown.OutputChunk,
  'type' | 'fileName' | 'code' | 'imports' | 'moduleIds'
> {
  readonly viteMetadata?: { readonly importedCss: ReadonlySet<string> }
}

export function firstLoad(): Plugin {
  return {
    name: 'parley-first-load',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const problems = problemsOf(bundle)
        if (problems.length > 0) this.error(problems.join('\n'))
      },
    },
  }
}

/** What is wrong with the first loads of these files, after compressed.ts has compressed them. */
export function problemsOf(files: Readonly<Record<string, BuiltFile>>): string[] {
  const built = new Build(files)
  return [
    ...built.problemsOf('home', built.firstLoad('index.html'), [ENTRY, HOME, ...GAMES.map(cardOf)]),
    ...GAMES.flatMap((game) =>
      built.problemsOf(`a table of ${game}`, built.firstLoad('table.html', game), [
        ENTRY,
        TABLE,
        clientOf(game),
      ]),
    ),
  ]
}

class Build {
  readonly #files: Readonly<Record<string, BuiltFile>>

  constructor(files: Readonly<Record<string, BuiltFile>>) {
    this.#files = files
  }

  #textOf(name: string): string {
    const file = this.#files[name]
    if (file === undefined) throw new Error(`${name} is not in the build`)
    return file.type === 'chunk' ? file.code : String(file.source)
  }

  /** The bytes of a file as the hub sends it to a browser that takes brotli. */
  #sizeOf(name: string): number {
    const compressed = this.#files[`${name}.br`]
    return compressed?.type === 'asset' ? compressed.source.length : this.#textOf(name).length
  }

  /** What a browser fetches for the first view of this page, of a table of this game. */
  firstLoad(page: string, game?: string): ReadonlySet<string> {
    const named = namedIn(this.#textOf(page))
    const early = named.find((name) => name.includes('/early-'))
    const ofGame =
      new RegExp(`"${game}":(\\[[^\\]]*\\])`).exec(early === undefined ? '' : this.#textOf(early))?.[1] ?? ''
    return new Set([page, ...named, ...namedIn(ofGame)])
  }

  /** `roots`: the sources whose static imports must all be in the load. */
  problemsOf(what: string, load: ReadonlySet<string>, roots: readonly string[]): string[] {
    const sizes = [...load].map((name) => [name, this.#sizeOf(name)] as const)
    const total = sizes.reduce((sum, [, size]) => sum + size, 0)
    const list = sizes.toSorted(([, one], [, other]) => other - one).map(([name, size]) => `${name} ${size}`)
    const tooLarge = `the first load of ${what} has ${total} bytes, and may have ${MAX_BYTES}: ${list.join(', ')}`
    return [
      ...(total > MAX_BYTES ? [tooLarge] : []),
      ...[...this.#neededBy(roots)]
        .filter((name) => !load.has(name))
        .map((name) => `the first load of ${what} lacks ${name}, which its first view imports`),
      ...[...load]
        .filter((name) => this.#textOf(name).includes('.woff2'))
        .map((name) => `the first load of ${what} includes a typeface, by ${name}`),
    ]
  }

  /** The files with these sources, and everything that they import statically. */
  #neededBy(roots: readonly string[]): ReadonlySet<string> {
    const needed = new Set<string>()
    const visit = (chunk: BuiltChunk): void => {
      if (needed.has(chunk.fileName)) return
      needed.add(chunk.fileName)
      for (const style of chunk.viteMetadata?.importedCss ?? []) needed.add(style)
      for (const name of chunk.imports) {
        const imported = this.#files[name]
        if (imported?.type === 'chunk') visit(imported)
      }
    }
    for (const root of roots) {
      const holders = Object.values(this.#files).filter(
        (file) => file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith(`/src/${root}`)),
      )
      if (holders.length === 0) throw new Error(`no file of the build contains src/${root}`)
      for (const holder of holders) if (holder.type === 'chunk') visit(holder)
    }
    return needed
  }
}

/** The files that a text names. */
function namedIn(text: string): string[] {
  return text.match(/assets\/[\w.-]+\.(?:js|css)/g) ?? []
}
