/**
 * Inspects one screen at phone and desktop sizes, in light and dark mode: with axe, for horizontal scrolling,
 * and for target sizes.
 *
 * Each screen is inspected as a desk or a phone, light or dark: four screens in a row go through all four. Of a screen
 * that a seat and a watcher see together, only one of their pages is inspected, in turn. With
 * PARLEY_LOOKS=all, as in `make soak`, each screen is inspected in all looks, with axe in each. PARLEY_SCREENS
 * does so too, and saves screenshots (see gallery.ts).
 */
import type engine from 'axe-core'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { DESK, PHONE } from './livehub.ts'
import { BOARD_SHARE, boardShare, coveredAids, places, smallLetters } from './layout.ts'
import { PICTURES, wantsPictures } from './gallery.ts'
import type { Tab } from './pages/table.ts'
import type { Role } from './screens.ts'

/** Whether this run inspects every screen in every look. */
export const allLooks = wantsPictures || process.env.PARLEY_LOOKS === 'all'
interface Display {
  readonly size: 'phone' | 'desk' | 'side' | 'zoom' | 'huge' | 'forced'
  readonly screen: { readonly width: number; readonly height: number }
  readonly scheme: 'light' | 'dark'
}
/** The desk first: the page is at that size already, and a new size costs a new layout. */
const LOOKS: readonly Display[] = [
  { size: 'desk', screen: DESK, scheme: 'light' },
  { size: 'desk', screen: DESK, scheme: 'dark' },
  { size: 'phone', screen: PHONE, scheme: 'dark' },
  { size: 'phone', screen: PHONE, scheme: 'light' },
]
/** A landscape phone, a page of 1280x720 at 200 %, a large screen, and colours that the system has chosen. */
const MORE: readonly Display[] = [
  { size: 'side', screen: { width: 844, height: 390 }, scheme: 'light' },
  { size: 'zoom', screen: { width: 640, height: 360 }, scheme: 'dark' },
  { size: 'huge', screen: { width: 2560, height: 1440 }, scheme: 'light' },
  { size: 'forced', screen: DESK, scheme: 'dark' },
]
/** One screen in this many is also measured in one of these looks, but in a sample not with axe. */
const SAMPLE = 4

/** Half the size of the other one. */
export const AXE_SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** How axe is run: it names the parts of the page only for what it finds wrong. */
export const AXE = {
  resultTypes: ['violations' as const],
  preload: { assets: ['media' as const] }, // none of the rules run here reads style sheets
}

const LEAST_TARGET = 44
/** On a board beside its tray. */
const LEAST_ON_BOARD = 24
const TARGETS = 'button, a[href], input, select, textarea, summary, [role=tab]'
/** Elements that must fit the screen's width, unless they are in a part meant to scroll horizontally. */
const PARTS = 'section, fieldset, table, h1, h2, h3, p, img, [role=img]'
const SCROLLERS = '.scroll'

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
  /** Whether it is in a part meant to scroll horizontally. */
  readonly scrolls: boolean
  readonly onBoard: boolean
}

interface Measures {
  readonly whole: {
    readonly width: number
    readonly height: number
    readonly table: boolean
    readonly short: boolean
    readonly acts: boolean
  }
  readonly targets: readonly Box[]
  readonly parts: readonly Box[]
}

/**
 * In the page, in one call: the whole page, and the boxes of all visible elements, except those for screen readers,
 * which are one pixel in size.
 */
function measured(selectors: Record<'targets' | 'parts' | 'scrollers', string>): Measures {
  const boxes = (selector: string): Box[] =>
    [...document.querySelectorAll(selector)].flatMap((each) => {
      const { x, y, width, height } = each.getBoundingClientRect()
      if (width <= 1 || height <= 1 || !each.checkVisibility({ visibilityProperty: true })) return []
      return {
        x,
        width,
        height,
        place: `${Math.round(width)} x ${Math.round(height)} px at ${Math.round(x)}, ${Math.round(y)}`,
        name: each.getAttribute('aria-label') ?? each.textContent.trim().slice(0, 60),
        scrolls: each.parentElement?.closest(selectors.scrollers) != null,
        onBoard: each.parentElement?.closest('.board') != null,
      }
    })
  return {
    whole: {
      width: document.documentElement.scrollWidth,
      height: document.documentElement.scrollHeight,
      table: document.querySelector('.page.wide') !== null,
      short: document.querySelector('.page.short') !== null,
      acts: document.querySelector('.stage.acting') !== null,
    },
    targets: boxes(selectors.targets),
    parts: boxes(selectors.parts),
  }
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
  const seen = { panel: false }
  const seat = new Inspector(`seat-${part}`, pages.seat, 'desk', seen)
  const watcher = new Inspector(`watcher-${part}`, pages.watcher, 'phone', seen)
  let times = 0
  const findings = (): string => [...seat.findings, ...watcher.findings].join('\n')
  try {
    await guide({
      seat: (screen) => seat.inspect(screen),
      watcher: (screen) => watcher.inspect(screen),
      both: async (screen) => {
        times += 1
        const [one, other] = times % 2 === 0 ? [watcher, seat] : [seat, watcher]
        await Promise.all([one.inspect(screen), allLooks ? other.inspect(screen) : other.passOver(screen)])
      },
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
  readonly #first: 'desk' | 'phone'
  readonly visited = new Set<string>()
  readonly #places = new Map<Display['size'], { readonly stage: number; readonly board: number }>()
  readonly findings: string[] = []
  readonly #seen: { panel: boolean }

  /**
   * `of` names the role and the part of the tour, for use in the names of screenshots. A sample begins with the
   * size `first`, so that two roles which see a screen together have it inspected at both. `seen`: whether axe has
   * looked at a page around a panel.
   */
  constructor(of: string, page: Page, first: 'desk' | 'phone' = 'desk', seen = { panel: false }) {
    this.#seen = seen
    this.#of = of
    this.#page = page
    this.#first = first
  }

  /** Count the screen as visited: the other role's page is inspected. */
  passOver(screen: string): void {
    if (this.visited.has(screen)) throw new Error(`${screen} has been visited before`)
    this.visited.add(screen)
  }

  /** Inspect the page in its current state; leaves it at desktop size, in light mode. */
  async inspect(screen: string): Promise<void> {
    if (this.visited.has(screen)) throw new Error(`${screen} has been visited before`)
    this.visited.add(screen)
    for (const look of this.#looks()) {
      const before = this.findings.length
      await this.#page.setViewportSize(look.screen)
      await this.#page.emulateMedia({
        colorScheme: look.scheme,
        forcedColors: look.size === 'forced' ? 'active' : 'none',
      })
      if (['phone', 'side', 'zoom'].includes(look.size)) await this.#turnTo(screen)
      await this.#drawn()
      await this.#measure(look)
      if (allLooks || look.size === this.#sampled()) await this.#axe(screen)
      if (wantsPictures && this.#of !== 'nobody') await this.#keep(screen, look)
      for (let index = before; index < this.findings.length; index += 1)
        this.findings[index] = `${this.#of}, ${screen}, ${look.size}, ${look.scheme}: ${this.findings[index]}`
    }
    await this.#page.setViewportSize(DESK)
    await this.#page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' })
  }

  #looks(): readonly Display[] {
    const dark = this.visited.size % 2 === 0 ? 'phone' : 'desk'
    const more = MORE[Math.floor(this.visited.size / SAMPLE) % MORE.length]
    return [
      ...LOOKS.filter(
        ({ size, scheme }) =>
          allLooks || (size === this.#sampled() && (scheme === 'dark') === (size === dark)),
      ),
      ...(allLooks ? MORE : this.visited.size % SAMPLE === 0 && more !== undefined ? [more] : []),
    ]
  }

  /** The size at which this screen is inspected, if not all looks are. */
  #sampled(): Display['size'] {
    const other = this.#first === 'desk' ? 'phone' : 'desk'
    return Math.floor(this.visited.size / 2) % 2 === 0 ? this.#first : other
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

  /** What axe looks at: in a sample, only the dialog or the panel, if it has seen such a page around them before. */
  async #partFor(screen: string): Promise<string | null> {
    if (allLooks) return null
    if (await this.#page.evaluate(() => document.querySelector('dialog:modal') !== null))
      return 'dialog:modal'
    if (!screen.startsWith('panel: ')) return null
    const isKnown = this.#seen.panel
    this.#seen.panel = true
    return isKnown ? '[role=tabpanel]' : null
  }

  async #axe(screen: string): Promise<void> {
    const part = await this.#partFor(screen)
    if (!(await this.#page.evaluate(() => 'axe' in globalThis))) await this.#page.evaluate(AXE_SOURCE)
    const { violations } = await this.#page.evaluate(
      ([what, how]) => (globalThis as unknown as { axe: typeof engine }).axe.run(what ?? document, how),
      [part, AXE] as const,
    )
    for (const { id, help, nodes } of violations)
      this.findings.push(`axe ${id}: ${help}; ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`)
  }

  async #measure(look: Display): Promise<void> {
    const { size, screen } = look
    const { width } = screen
    const { whole, targets, parts } = await this.#page.evaluate(measured, {
      targets: TARGETS,
      parts: PARTS,
      scrollers: SCROLLERS,
    })
    if (size !== 'desk' && whole.width > width) this.findings.push(`scrolls sideways: ${whole.width} px`)
    // At desktop size, a table fills one screen and its parts scroll, so that the page does not move under
    // the pointer.
    if (whole.table && whole.height > screen.height)
      this.findings.push(`the page is longer than the screen: ${whole.height} px`)
    for (const { width: wide, height: high, place, name, onBoard } of targets) {
      const least = whole.short && onBoard ? LEAST_ON_BOARD : LEAST_TARGET
      if (wide < least - 0.5 || high < least - 0.5) this.findings.push(`a target of ${place}: ${name}`)
    }
    for (const { x, width: wide, place, name, scrolls } of [...targets, ...parts]) {
      if ((x < -1 || x + wide > width + 1) && !scrolls)
        this.findings.push(`out of the screen sideways, ${place}: ${name}`)
    }
    await this.#layout(look, whole.acts)
  }

  /** The board's share of a low screen, what covers the player aid, small letters, and what moves between screens. */
  async #layout({ size, screen }: Display, acts: boolean): Promise<void> {
    const dialog = (await this.#page.getByRole('dialog').count()) > 0
    if (!dialog && acts && screen.height < 500) {
      const share = await boardShare(this.#page)
      if (share !== null && share < BOARD_SHARE)
        this.findings.push(`the board has ${Math.round(100 * share)} % of the height`)
    }
    if (!dialog && size === 'desk')
      for (const aid of await coveredAids(this.#page)) this.findings.push(`covered: ${aid}`)
    for (const letter of await smallLetters(this.#page)) this.findings.push(`a small letter, ${letter}`)
    const now = await places(this.#page)
    const before = this.#places.get(size)
    if (now !== null && before !== undefined && (now.stage !== before.stage || now.board !== before.board))
      this.findings.push(`moved: ${JSON.stringify(before)} before, ${JSON.stringify(now)} now`)
    if (now !== null) this.#places.set(size, now)
  }

  async #keep(screen: string, { size, scheme }: Display): Promise<void> {
    mkdirSync(PICTURES, { recursive: true })
    const number = String(this.visited.size).padStart(2, '0')
    await this.#page.screenshot({
      path: `${PICTURES}${this.#of}-${number}-${screen.replace(/\W+/g, '_')}-${size}-${scheme}.png`,
    })
  }
}
