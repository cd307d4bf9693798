/**
 * Screenshots. With `PARLEY_SCREENS=1`, the tests save theirs in test-results/screens; `npm run screens`
 * takes all of them and creates the contact sheets in docs/screens.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'

export const wantsPictures = process.env.PARLEY_SCREENS !== undefined
export const wantsSheets = process.env.PARLEY_SCREENS === 'all'
export const PICTURES = new URL('../../test-results/screens/', import.meta.url).pathname
const SHEETS = new URL('../../../docs/screens/', import.meta.url).pathname

const ROLES = { seat: 'A seat', watcher: 'A watcher' } as const
const SCHEMES = ['light', 'dark'] as const

/** Delete the screenshots from an earlier run. */
export function clearPictures(): void {
  rmSync(PICTURES, { recursive: true, force: true })
}

export async function hang(browser: Browser): Promise<void> {
  // <role>-<part>-<number>-<screen>-<size>-<scheme>.png, the screens around the table first
  const files = readdirSync(PICTURES)
    .sort()
    .toSorted((one, other) => Number(other.includes('-room-')) - Number(one.includes('-room-')))
  const screenOf = (file: string): string => file.split('-').slice(1, 4).join('-')
  mkdirSync(SHEETS, { recursive: true })
  const page = await browser.newPage({ viewport: { width: 1560, height: 900 } })
  for (const role of Object.keys(ROLES)) {
    for (const scheme of SCHEMES) {
      const own = files.filter((file) => file.startsWith(`${role}-`) && file.endsWith(`-${scheme}.png`))
      const screens = [...new Set(own.map(screenOf))]
      const figures = screens.map(
        (screen) =>
          `<figure><figcaption>${screen.replace(/^room-|-?\d+-/g, ' ').replaceAll('_', ' ')}</figcaption>${own
            .filter((file) => screenOf(file) === screen)
            .map(
              (file) =>
                `<img class="${file.split('-')[4] ?? ''}" src="data:image/png;base64,${readFileSync(PICTURES + file).toString('base64')}">`,
            )
            .join('')}</figure>`,
      )
      await page.setContent(`<style>
        body { margin: 0; padding: 12px; background: #8b9390; font: 600 13px sans-serif; display: grid; grid-template-columns: repeat(3, auto); gap: 14px 12px; justify-content: start }
        figure { margin: 0; display: grid; grid-template-columns: auto auto; gap: 5px; align-items: start }
        figcaption { grid-column: 1 / -1; color: #fff }
        .desk { width: 368px } .phone { width: 129px }
      </style>${figures.join('')}`)
      await page.screenshot({ path: `${SHEETS}${role}-${scheme}.png`, fullPage: true })
    }
  }
  await page.close()
  const index = Object.entries(ROLES).flatMap(([role, title]) =>
    SCHEMES.map((scheme) => `## ${title}, ${scheme}\n\n![${title}, ${scheme}](${role}-${scheme}.png)\n`),
  )
  writeFileSync(
    `${SHEETS}README.md`,
    `# Screens\n\nEvery screen and phase in a real game, at 1440x900 and 360x640. Made by \`npm run screens\` in client-js; the browser\ntests visit the same screens and check them.\n\n${index.join('\n')}`,
  )
}
