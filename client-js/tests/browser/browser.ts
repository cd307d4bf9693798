/** The browser: PARLEY_CHROMIUM, one on the PATH, or what Playwright has downloaded. */
import { execFileSync } from 'node:child_process'
import { chromium, type Browser } from 'playwright-core'

/** A headless shell first: without a window, pages cost a fifth less of the processor. */
const NAMES = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]

/** Nothing here has a graphics card, and to play one costs more than to do without. */
const PLAIN = ['--disable-gpu', '--disable-gpu-compositing', '--disable-gpu-rasterization']

function program(): string {
  if (process.env.PARLEY_CHROMIUM) return process.env.PARLEY_CHROMIUM
  for (const name of NAMES) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    } catch {
      // not under this name
    }
  }
  return chromium.executablePath()
}

export function launch(): Promise<Browser> {
  const root = process.getuid?.() === 0
  return chromium.launch({ executablePath: program(), args: [...PLAIN, ...(root ? ['--no-sandbox'] : [])] })
}

let launched: Promise<Browser> | undefined

/** One for each worker, which takes it along when it ends. */
export function browser(): Promise<Browser> {
  launched ??= launch()
  return launched
}
