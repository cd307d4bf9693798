/**
 * The page about each game, `g/<game>.html`: complete HTML that needs no script. It is drawn here, once, from
 * src/gamepage/GamePage.svelte and the picture on the game's card. It has the style sheets of the app, and one of its
 * own, since the hub's Content-Security-Policy allows no style elements.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import type { Component } from 'svelte'
import type { render } from 'svelte/server'
import { createServer, type Plugin, type Rolldown } from 'vite'
import type { GameText } from '../src/gamepage/page.ts'
import { GAMES } from './firstview.ts'
import { readGameText, SOURCES_OF_TEXT } from './gametext.ts'
import { texts } from './texts.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PAGE = '/src/gamepage/GamePage.svelte'
const STYLE = /<style[^>]*>(.*?)<\/style>/gs
/** Marks for hydration, which needs a script. */
const MARKS = /<!--.*?-->/gs

interface Drawing {
  readonly head: string
  readonly body: string
}

export function gamePages(): Plugin {
  return {
    name: 'parley-game-pages',
    enforce: 'post',
    buildStart() {
      for (const game of GAMES)
        for (const source of SOURCES_OF_TEXT)
          this.addWatchFile(join(ROOT, '..', 'games', game, ...source.split('/')))
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        if (bundle['index.html'] === undefined) return
        const { pages, style } = await drawPages(GAMES.map((game) => readGameText(game)))
        const sheet = this.emitFile({ type: 'asset', name: 'gamepage.css', source: style })
        const sheets = [...sheetsOfApp(bundle), this.getFileName(sheet)]
        for (const [game, drawing] of pages)
          this.emitFile({ type: 'asset', fileName: `g/${game}.html`, source: documentOf(drawing, sheets) })
      },
    },
  }
}

/** The pages of these games, by game, and the styles of what is drawn in them. */
export async function drawPages(
  games: readonly GameText[],
): Promise<{ readonly pages: ReadonlyMap<string, Drawing>; readonly style: string }> {
  const server = await createServer({
    configFile: false,
    root: ROOT,
    mode: 'production',
    logLevel: 'error',
    appType: 'custom',
    // the styles come with what is drawn
    plugins: [svelte({ emitCss: false, compilerOptions: { dev: false, hmr: false } }), texts()],
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, ws: false, hmr: false, watch: null },
  })
  try {
    const draw = (await server.ssrLoadModule('svelte/server')).render as typeof render
    const load = async (path: string): Promise<Component<Record<string, unknown>>> =>
      (await server.ssrLoadModule(path)).default as Component<Record<string, unknown>>
    const Page = await load(PAGE)
    const styles = new Set<string>()
    const pages = new Map<string, Drawing>()
    for (const text of games) {
      const Art = await load(`/src/games/${text.key}/Art.svelte`)
      const { head, body } = await draw(Page, { props: { text, Art, games } })
      for (const [, style = ''] of head.matchAll(STYLE)) styles.add(style)
      pages.set(text.key, { head: head.replace(STYLE, '').replace(MARKS, ''), body: body.replace(MARKS, '') })
    }
    return { pages, style: [...styles].join('\n') }
  } finally {
    await server.close()
  }
}

/** The app's own style sheet and that of its typefaces, which a visitor to the app already has. */
function sheetsOfApp(bundle: Rolldown.OutputBundle): readonly string[] {
  return ['parley', 'fonts'].map((name) => {
    const sheet = Object.keys(bundle).find((file) => new RegExp(`^assets/${name}-[^/]+\\.css$`).test(file))
    if (sheet === undefined) throw new Error(`no style sheet of the build is ${name}.css`)
    return sheet
  })
}

/** The whole page, with these style sheets. */
export function documentOf({ head, body }: Drawing, sheets: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${sheets.map((sheet) => `<link rel="stylesheet" href="/${sheet}">`).join('\n')}
${head}
</head>
<body>
${body}
</body>
</html>
`
}
