/**
 * Looks at one screen as a phone and as a desk, light and dark: axe, sideways scroll, sizes of targets.
 *
 * With PARLEY_SCREENS set, it keeps pictures for the contact sheets of docs/screens (see gallery.ts).
 */
import { AxeBuilder } from '@axe-core/playwright'
import { mkdirSync } from 'node:fs'
import type { ElementHandle, Page } from 'playwright-core'
import { expect } from 'vitest'
import { DESK, PHONE } from './house.ts'
import { PICTURES, wantsPictures } from './gallery.ts'

/** Ends as it begins: what is done between two looks is done at a desk. */
const LOOKS = [
  { size: 'phone', screen: PHONE, scheme: 'light' },
  { size: 'phone', screen: PHONE, scheme: 'dark' },
  { size: 'desk', screen: DESK, scheme: 'dark' },
  { size: 'desk', screen: DESK, scheme: 'light' },
] as const

const LEAST_TARGET = 44
const TARGETS = 'button, a[href], input, select, textarea, summary, [role=tab]'
/** What must stand within the screen's width, unless it is in a part that is meant to scroll sideways. */
const PARTS = 'section, fieldset, table, h1, h2, h3, p, img, [role=img]'
const SCROLLERS = '.phrases, .scroll'

const PANELS = ['Deals', 'Talk', 'Log', 'Notes', 'Rules']

type Box = NonNullable<Awaited<ReturnType<ElementHandle['boundingBox']>>>
export type Look = (screen: string) => Promise<void>

/** A tour of a list of screens. Throws if one was not visited, another was, or there was any finding. */
export async function tour(role: string, page: Page, screens: readonly string[], guide: (look: Look) => Promise<void>): Promise<void> {
  const inspector = new Inspector(role, page)
  try {
    await guide((screen) => inspector.look(screen))
  } catch (error) {
    if (inspector.findings.length > 0) console.error(inspector.findings.join('\n'))
    throw error
  }
  expect(inspector.findings.join('\n')).toBe('')
  expect([...inspector.visited].sort()).toEqual([...screens].sort())
}

export class Inspector {
  readonly #role: string
  readonly #page: Page
  readonly visited = new Set<string>()
  readonly findings: string[] = []

  constructor(role: string, page: Page) {
    this.#role = role
    this.#page = page
  }

  /** Look at what the page shows now; leaves it as a desk, light. */
  async look(screen: string): Promise<void> {
    if (this.visited.has(screen)) throw new Error(`${screen} has been visited before`)
    this.visited.add(screen)
    for (const look of LOOKS) {
      const before = this.findings.length
      await this.#page.setViewportSize(look.screen)
      await this.#page.emulateMedia({ colorScheme: look.scheme })
      if (look.size === 'phone') await this.#turnTo(screen)
      // Nothing has another size or place in the dark.
      if (look.scheme === 'light') await this.#measure(look.screen.width)
      await this.#axe(look.scheme === 'light')
      if (wantsPictures && this.#role !== 'nobody') await this.#keep(screen, look)
      for (let index = before; index < this.findings.length; index += 1) this.findings[index] = `${this.#role}, ${screen}, ${look.size}, ${look.scheme}: ${this.findings[index]}`
    }
  }

  /** On a phone the panels take the board's place. */
  async #turnTo(screen: string): Promise<void> {
    if ((await this.#page.getByRole('dialog').count()) > 0) return
    const wanted = PANELS.find((panel) => screen.split(' ')[0] === panel.toLowerCase()) ?? 'Table'
    const tab = this.#page.getByRole('tab', { name: new RegExp(`^${wanted}`) })
    if (await tab.isVisible()) await tab.click()
  }

  async #axe(all: boolean): Promise<void> {
    const axe = new AxeBuilder({ page: this.#page }).setLegacyMode()
    const { violations } = await (all ? axe : axe.withRules(['color-contrast', 'link-in-text-block'])).analyze()
    for (const { id, help, nodes } of violations) this.findings.push(`axe ${id}: ${help}; ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`)
  }

  async #measure(width: number): Promise<void> {
    if (width === PHONE.width) {
      // A picture of the whole page is as wide as what can be scrolled to.
      const wide = (await this.#page.screenshot({ fullPage: true })).readUInt32BE(16)
      if (wide > width) this.findings.push(`scrolls sideways: ${wide} px`)
    } else if ((await this.#page.locator('.wide').count()) > 0) {
      // A table at a desk is one screen; its parts scroll. What made the page longer would move under the pointer.
      const high = (await this.#page.screenshot({ fullPage: true })).readUInt32BE(20)
      if (high > DESK.height) this.findings.push(`the page is longer than the screen: ${high} px`)
    }
    const [targets, parts, loose] = await Promise.all([this.#boxes(TARGETS), this.#boxes(PARTS), this.#boxes(`:is(${SCROLLERS}) :is(${TARGETS}, ${PARTS})`)])
    const scrolled = new Set(loose.map(({ place }) => place))
    for (const { box, place, handle } of targets) {
      if (box.width < LEAST_TARGET - 0.5 || box.height < LEAST_TARGET - 0.5) this.findings.push(`a target of ${place}: ${await name(handle)}`)
    }
    for (const { box, place, handle } of [...targets, ...parts]) {
      if ((box.x < -1 || box.x + box.width > width + 1) && !scrolled.has(place)) this.findings.push(`out of the screen sideways, ${place}: ${await name(handle)}`)
    }
  }

  /** Where everything stands that can be seen. What is only read out has one pixel. */
  async #boxes(selector: string): Promise<{ box: Box; place: string; handle: ElementHandle }[]> {
    const handles = await this.#page.locator(selector).filter({ visible: true }).elementHandles()
    const boxes = await Promise.all(handles.map((handle) => handle.boundingBox()))
    return boxes.flatMap((box, index) => {
      const handle = handles[index]
      if (box === null || handle === undefined || box.width <= 1 || box.height <= 1) return []
      const { x, y, width, height } = box
      return [{ box, place: `${Math.round(width)} x ${Math.round(height)} px at ${Math.round(x)}, ${Math.round(y)}`, handle }]
    })
  }

  async #keep(screen: string, { size, scheme }: (typeof LOOKS)[number]): Promise<void> {
    mkdirSync(PICTURES, { recursive: true })
    const number = String(this.visited.size).padStart(2, '0')
    await this.#page.screenshot({ path: `${PICTURES}${this.#role}-${number}-${screen.replace(/\W+/g, '_')}-${size}-${scheme}.png` })
  }
}

async function name(handle: ElementHandle): Promise<string> {
  return (await handle.getAttribute('aria-label')) ?? (await handle.innerText().catch(() => '')).slice(0, 60)
}
