/**
 * Lucide's icons as drawings that are copied whole. Its own component makes every line of an icon by itself and spreads
 * its attributes, which took up to a quarter of the scripts' time in the first drawing of a table. What an icon takes
 * here is in src/icons.d.ts; Vite's development server goes on using Lucide's component.
 */
import type { Plugin } from 'vite'

const ICON = /@lucide\/svelte\/dist\/icons\/([\w-]+)\.svelte$/

/** What Lucide's file of an icon says about it. */
const ICON_DATA = /^const iconData = (\{.*\});$/m

type Line = readonly [name: string, attributes: Readonly<Record<string, string>>]

const IMPORT = /'@lucide\/svelte\/icons\/([\w-]+)'/g

/** The icons that these files import, by name. */
export function iconsIn(files: ReadonlyMap<string, string>): ReadonlySet<string> {
  return new Set(
    [...files.values()].flatMap((text) => [...text.matchAll(IMPORT)].map(([, name = '']) => name)),
  )
}

/** The name of the icon in a file, if it is one of Lucide's. */
export function iconOf(id: string): string | undefined {
  return ICON.exec(id)?.[1]
}

export function icons(): Plugin {
  return {
    name: 'parley-icons',
    enforce: 'pre',
    transform: {
      filter: { id: ICON },
      handler(code, id) {
        const [, data] = ICON_DATA.exec(code) ?? []
        if (data === undefined) throw new Error(`${id}: Lucide's icons are written in another way now`)
        const { node } = JSON.parse(data) as { node: readonly Line[] }
        return { code: component(node), map: null }
      },
    },
  }
}

function component(lines: readonly Line[]): string {
  return `<script>
  const { size = 24, strokeWidth = 2, 'aria-label': label } = $props()
</script>

<svg class="lucide" width={size} height={size} viewBox="0 0 24 24" fill="none" stroke="currentColor"
  stroke-width={strokeWidth} stroke-linecap="round" stroke-linejoin="round"
  aria-label={label} aria-hidden={label === undefined ? 'true' : undefined}>${lines.map(drawn).join('')}</svg>
`
}

function drawn([name, attributes]: Line): string {
  const all = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`)
  return `<${name}${all.join('')} />`
}
