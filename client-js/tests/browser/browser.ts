/** The browser: PARLEY_CHROMIUM, one on the PATH, or the one that Playwright has downloaded. */
import { execFileSync } from 'node:child_process'
import { chromium, type Browser } from 'playwright-core'

/** Headless shells come first: without a window, pages take 20% less processor time. */
const NAMES = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]

/** Disables the GPU: test machines have none, and emulating one is slower than doing without. */
const PLAIN = ['--disable-gpu', '--disable-gpu-compositing', '--disable-gpu-rasterization']

/**
 * Pages of tests live too short for compilers that optimise: those take 8% of the processor time, and their code is
 * thrown away with the page.
 */
const SHORT_LIVED = ['--js-flags=--no-maglev,--no-turbofan']

/** A name of this machine that browsers do not trust as they trust localhost: pages there are as on a phone. */
export const PHONES_NAME = 'phone.local'
const NAMES_OF_THIS_MACHINE = [`--host-resolver-rules=MAP ${PHONES_NAME} 127.0.0.1`]

function program(): string {
  if (process.env.PARLEY_CHROMIUM) return process.env.PARLEY_CHROMIUM
  for (const name of NAMES) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    } catch {
      // not installed under this name
    }
  }
  return chromium.executablePath()
}

export function launch(): Promise<Browser> {
  const root = process.getuid?.() === 0
  return chromium.launch({
    executablePath: program(),
    args: [...PLAIN, ...SHORT_LIVED, ...NAMES_OF_THIS_MACHINE, ...(root ? ['--no-sandbox'] : [])],
  })
}

let launched: Promise<Browser> | undefined

/** One browser per worker, which closes when the worker ends. */
export function browser(): Promise<Browser> {
  launched ??= launch()
  return launched
}
