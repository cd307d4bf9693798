/**
 * Browser profiles that one test has used and cleaned, for the next: its page keeps its process, which has compiled the
 * client already. Loading a page there takes half the processor time.
 */
import type { Page } from 'playwright-core'
import { Line } from '../hub.ts'

/** The pages of profiles with the same origin, on screens of the same kind. */
export interface SharedProfile {
  readonly origin: string
  readonly unused: Page[]
}

const PROFILES = new Map<string, SharedProfile>()

export function sharedProfile(origin: string, mobile: boolean): SharedProfile {
  const key = `${origin} ${mobile}`
  const shared = PROFILES.get(key) ?? { origin, unused: [] }
  PROFILES.set(key, shared)
  return shared
}

/** The lines of profiles that are not used now, by whether their screens are phones'. */
const LINES = { phone: [] as Line[], other: [] as Line[] }

/**
 * A line to this hub that another test may have used. Its address stays the same, whichever hub it leads to, and so its
 * profile can be shared by tests with hubs of their own.
 */
export async function sharedLine(hub: { readonly port: number }, mobile: boolean): Promise<Line> {
  const line = LINES[mobile ? 'phone' : 'other'].pop()
  line?.leadTo(hub)
  return line ?? Line.to(hub)
}

export function giveLineBack(line: Line, mobile: boolean): void {
  LINES[mobile ? 'phone' : 'other'].push(line)
}

/** A page that is no longer used, with this screen. */
export async function takeUsed(
  shared: SharedProfile,
  screen: { readonly width: number; readonly height: number },
  colorScheme: 'light' | 'dark',
): Promise<Page | null> {
  const page = shared.unused.pop()
  if (page === undefined) return null
  await page.setViewportSize(screen)
  await page.emulateMedia({ media: null, colorScheme, reducedMotion: 'reduce', forcedColors: 'none' })
  return page
}

/** Cleans a page's profile for the next test; null if the page is closed or the hub has stopped. */
export async function giveBack(page: Page, shared: SharedProfile): Promise<Page | null> {
  if (page.isClosed()) return null
  const context = page.context()
  try {
    for (const other of context.pages()) if (other !== page) await other.close()
    for (const event of [
      'pageerror',
      'console',
      'request',
      'response',
      'websocket',
      'requestfinished',
      'dialog',
    ])
      page.removeAllListeners(event as 'console')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.setOffline(false)
    // a page without a script, at the same origin: what the client writes as it leaves is cleared, too
    await page.goto(`${shared.origin}/healthz`, { timeout: 5000 })
    await page.evaluate(`localStorage.clear(); sessionStorage.clear()`)
    await context.clearCookies()
  } catch {
    return null
  }
  shared.unused.push(page)
  return page
}
