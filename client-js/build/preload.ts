/**
 * Names in the page what its first view loads next, so that a browser fetches it along with the first script. There are
 * two pages, index.html, which opens home, and table.html, which the hub serves for tables.
 */
import type { Plugin, Rolldown } from 'vite'

const NEXT = { 'index.html': ['home', 'cards'], 'table.html': ['table'] } as const

export function preload(): Plugin {
  return {
    name: 'parley-preload',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const index = bundle['index.html']
        if (index?.type !== 'asset') return
        const page = String(index.source)
        for (const [fileName, names] of Object.entries(NEXT)) {
          const links = names.flatMap((name) => linksTo(bundle, name))
          const source = page.replace('</head>', `${links.map((link) => `  ${link}\n  `).join('')}</head>`)
          if (fileName === index.fileName) index.source = source
          else this.emitFile({ type: 'asset', fileName, source })
        }
      },
    },
  }
}

/** Links that fetch a chunk and its styles early. */
function linksTo(bundle: Rolldown.OutputBundle, name: string): readonly string[] {
  const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === name)
  if (chunk?.type !== 'chunk') throw new Error(`no file of the build is named ${name}`)
  const styles = [...(chunk.viteMetadata?.importedCss ?? [])]
  return [
    `<link rel="modulepreload" crossorigin href="/${chunk.fileName}">`,
    ...styles.map((style) => `<link rel="preload" as="style" crossorigin href="/${style}">`),
  ]
}
