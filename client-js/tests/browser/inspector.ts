/**
 * Inspects one screen at phone and desktop sizes, in light and dark mode: with axe, for horizontal scrolling,
 * and for target sizes.
 *
 * Screens alternate between a light phone with a dark desk and the reverse. With PARLEY_LOOKS=all, as in
 * `make soak`, each screen is inspected in all four looks. PARLEY_SCREENS does so too, and saves screenshots
 * (see gallery.ts).
 */
import engine from 'axe-core'
import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { DESK, PHONE } from './livehub.ts'
import { PICTURES, wantsPictures } from './gallery.ts'
import type { Tab } from './pages/table.ts'
import type { Role } from './screens.ts'

const allLooks = wantsPictures || process.env.PARLEY_LOOKS === 'all'
const LOOKS = [
  { size: 'phone', screen: PHONE, scheme: 'light' },
  { size: 'phone', screen: PHONE, scheme: 'dark' },
  { size: 'desk', screen: DESK, scheme: 'dark' },
  { size: 'desk', screen: DESK, scheme: 'light' },
] as const

const LEAST_TARGET = 44
const TARGETS = 'button, a[href], input, select, textarea, summary, [role=tab]'
/** Elements that must fit the screen's width, unless they are in a part meant to scroll horizontally. */
const PARTS = 'section, fieldset, table, h1, h2, h3, p, img, [role=img]'
const SCROLLERS = '.phrases, .scroll'

const PANELS: readonly Tab[] = ['Deals', 'Chat', 'Log', 'Notes', 'Rules']

/** The tab that shows a screen: the panel it names, as in `panel: chat`, otherwise the board. */
export function tabOf(screen: string): Tab {
  const [, name] = /\bpanel: (\w+)/.exec(screen) ?? []
  if (name === undefined) return 'Table'
  const tab = PANELS.find((panel) => panel.toLowerCase() === name)
  if (tab === undefined) throw new Error(`${screen}: there is no such panel`)
  return tab
}

/** The position and the name of something visible. */
interface Box {
  readonly x: number
  readonly width: number
  readonly height: number
  readonly place: string
  readonly name: string
}

/** Inspects a screen as seen by the seat, the watcher, or both. */
export interface Inspect {
  seat(screen: string): Promise<void>
  watcher(screen: string): Promise<void>
  both(screen: string): Promise<void>
}

/**
 * A tour of the screens of one part, as a seat and a watcher see them. Throws if a screen was not visited, if
 * an unknown one was visited, or if there are any findings.
 */
export async function tour(
  part: string,
  pages: Readonly<Record<Role, Page>>,
  screens: Readonly<Record<Role, readonly string[]>>,
  guide: (inspect: Inspect) => Promise<void>,
): Promise<void> {
  const seat = new Inspector(`seat-${part}`, pages.seat)
  const watcher = new Inspector(`watcher-${part}`, pages.watcher)
  const findings = (): string => [...seat.findings, ...watcher.findings].join('\n')
  try {
    await guide({
      seat: (screen) => seat.inspect(screen),
      watcher: (screen) => watcher.inspect(screen),
      both: async (screen) => void (await Promise.all([seat.inspect(screen), watcher.inspect(screen)])),
    })
  } catch (error) {
    if (findings() !== '') console.error(findings())
    throw error
  }
  expect(findings()).toBe('')
  expect([...seat.visited].sort()).toEqual([...screens.seat].sort())
  expect([...watcher.visited].sort()).toEqual([...screens.watcher].sort())
}

export class Inspector {
  readonly #of: string
  readonly #page: Page
  readonly visited = new Set<string>()
  readonly findings: string[] = []

  /** `of` names the role and the part of the tour, for use in the names of screenshots. */
  constructor(of: string, page: Page) {
    this.#of = of
    this.#page = page
  }

  /** Inspect the page in its current state; leaves it at desktop size, in light mode. */
  async inspect(screen: string): Promise<void> {
    if (this.visited.has(screen)) throw new Error(`${screen} has been visited before`)
    this.visited.add(screen)
    for (const look of this.#looks()) {
      const before = this.findings.length
      await this.#page.setViewportSize(look.screen)
      await this.#page.emulateMedia({ colorScheme: look.scheme })
      if (look.size === 'phone') await this.#turnTo(screen)
      await this.#drawn()
      await this.#measure(look.screen.width)
      await this.#axe()
      if (wantsPictures && this.#of !== 'nobody') await this.#keep(screen, look)
      for (let index = before; index < this.findings.length; index += 1)
        this.findings[index] = `${this.#of}, ${screen}, ${look.size}, ${look.scheme}: ${this.findings[index]}`
    }
    await this.#page.emulateMedia({ colorScheme: 'light' })
  }

  #looks(): readonly (typeof LOOKS)[number][] {
    const dark = this.visited.size % 2 === 0 ? 'phone' : 'desk'
    return LOOKS.filter(({ size, scheme }) => allLooks || (scheme === 'dark') === (size === dark))
  }

  /** On a phone, where panels replace the board, open the tab that shows this screen. */
  async #turnTo(screen: string): Promise<void> {
    if ((await this.#page.getByRole('dialog').count()) > 0) return
    const tab = this.#page.getByRole('tab', { name: new RegExp(`^${tabOf(screen)}`) })
    if (await tab.isVisible()) await tab.click()
  }

  /** Wait until the page is drawn in the current look. */
  async #drawn(): Promise<void> {
    await this.#page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    )
  }

  async #axe(): Promise<void> {
    if (!(await this.#page.evaluate(() => 'axe' in globalThis))) await this.#page.evaluate(engine.source)
    const options = {
      resultTypes: ['violations' as const],
      preload: { assets: ['media' as const] }, // none of the rules run here reads style sheets
    }
    const { violations } = await this.#page.evaluate(
      (how) => (globalThis as unknown as { axe: typeof engine }).axe.run(document, how),
      options,
    )
    for (const { id, help, nodes } of violations)
      this.findings.push(`axe ${id}: ${help}; ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`)
  }

  async #measure(width: number): Promise<void> {
    const whole = await this.#page.evaluate(() => ({
      width: document.documentElement.scrollWidth,
      height: document.documentElement.scrollHeight,
      table: document.querySelector('.wide') !== null,
    }))
    if (width === PHONE.width && whole.width > width)
      this.findings.push(`scrolls sideways: ${whole.width} px`)
    // At desktop size, a table fills one screen and its parts scroll, so that the page does not move under
    // the pointer.
    if (width === DESK.width && whole.table && whole.height > DESK.height)
      this.findings.push(`the page is longer than the screen: ${whole.height} px`)
    const [targets, parts, loose] = await Promise.all([
      this.#boxes(TARGETS),
      this.#boxes(PARTS),
      this.#boxes(`:is(${SCROLLERS}) :is(${TARGETS}, ${PARTS})`),
    ])
    const scrolled = new Set(loose.map(({ place }) => place))
    for (const { width: wide, height, place, name } of targets) {
      if (wide < LEAST_TARGET - 0.5 || height < LEAST_TARGET - 0.5)
        this.findings.push(`a target of ${place}: ${name}`)
    }
    for (const { x, width: wide, place, name } of [...targets, ...parts]) {
      if ((x < -1 || x + wide > width + 1) && !scrolled.has(place))
        this.findings.push(`out of the screen sideways, ${place}: ${name}`)
    }
  }

  /** The boxes of all visible elements, except those for screen readers, which are one pixel in size. */
  async #boxes(selector: string): Promise<Box[]> {
    const seen = this.#page.locator(selector).filter({ visible: true })
    const boxes = await seen.evaluateAll((found) =>
      found.map((each) => {
        const { x, y, width, height } = each.getBoundingClientRect()
        const place = `${Math.round(width)} x ${Math.round(height)} px at ${Math.round(x)}, ${Math.round(y)}`
        return {
          x,
          width,
          height,
          place,
          name: each.getAttribute('aria-label') ?? (each.textContent ?? '').trim().slice(0, 60),
        }
      }),
    )
    return boxes.filter(({ width, height }) => width > 1 && height > 1)
  }

  async #keep(screen: string, { size, scheme }: (typeof LOOKS)[number]): Promise<void> {
    mkdirSync(PICTURES, { recursive: true })
    const number = String(this.visited.size).padStart(2, '0')
    await this.#page.screenshot({
      path: `${PICTURES}${this.#of}-${number}-${screen.replace(/\W+/g, '_')}-${size}-${scheme}.png`,
    })
  }
}
