/**
 * A live hub for one browser test: a real hub, and people with pages of their own.
 *
 * Tests act as a person would: they find things by role and label, never through the page's internals.
 */
import { mkdirSync } from 'node:fs'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { inject, test } from 'vitest'
import { Line } from '../hub.ts'
import { browser } from './browser.ts'
import { wantsPictures } from './gallery.ts'
import {
  giveBack,
  giveLineBack,
  sharedLine,
  sharedProfile,
  takeUsed,
  type SharedProfile,
} from './profiles.ts'

export const RESULTS = new URL('../../test-results/', import.meta.url).pathname

export const PHONE = { width: 360, height: 640 }
export const DESK = { width: 1440, height: 900 }
/** The screen for tests that do not check the layout. */
const LAPTOP = { width: 1120, height: 700 }

/** The shapes of a photograph: a phone, both ways round, and a desk. */
const SHAPES = [
  { width: 390, height: 844 },
  { width: 844, height: 390 },
  { width: 1280, height: 800 },
] as const

/** How long a page may take to show the expected content, in addition to the game's clocks. */
export const PATIENCE = 40_000

export interface Wish {
  readonly screen?: { readonly width: number; readonly height: number }
  readonly scheme?: 'light' | 'dark'
  /** A language other than the catalogue's own. */
  readonly lang?: string
  /** Whether they have their own network line, which the test may cut. */
  readonly line?: boolean
  /** How many milliseconds the device's clock is ahead. */
  readonly clockAhead?: number
  /**
   * Whether nobody has used their profile before: its cache is empty, and its page blank. Also for tests that change
   * a profile in a way that cannot be undone, such as by a script of their own.
   */
  readonly fresh?: boolean
  readonly more?: BrowserContextOptions
}

/** The address of a hub. */
export interface Address {
  readonly port: number
}

/**
 * A test with a live hub of its own. When it fails, test-results has a screenshot of every page. `limit`: how many
 * milliseconds it may take, if it is longer than others.
 */
export function scene(name: string, play: (liveHub: LiveHub) => Promise<void>, limit?: number): void {
  const run = async (): Promise<void> => {
    const liveHub = await LiveHub.open({ port: inject('hubPort') })
    try {
      await play(liveHub)
      liveHub.quiet()
    } catch (error) {
      await liveHub.pictures(name)
      throw error
    } finally {
      await liveHub.close()
    }
  }
  test(name, run, limit)
}

/** A page that another test may use later. */
interface Lent {
  readonly page: Page
  readonly shared: SharedProfile
  readonly mobile: boolean
  /** The network between the page and its hub, unless that is the hub of all tests. */
  readonly line: Line | null
}

export class LiveHub {
  readonly #browser: Browser
  readonly #hub: Address
  readonly #people: Person[] = []
  readonly #lent: Lent[] = []

  private constructor(browser: Browser, hub: Address) {
    this.#browser = browser
    this.#hub = hub
  }

  static async open(hub: Address): Promise<LiveHub> {
    return new LiveHub(await browser(), hub)
  }

  /** A new person, with a browser profile of their own. */
  async person(name: string, wish: Wish = {}, hub: Address = this.#hub): Promise<Person> {
    const { screen = LAPTOP, scheme = 'light', more } = wish
    const mobile = screen.width < 600
    const isShared = more === undefined && wish.clockAhead === undefined && wish.fresh !== true
    const line = await this.#lineTo(hub, wish.line === true, isShared, mobile)
    const profile = {
      baseURL: line?.url ?? `http://127.0.0.1:${hub.port}`,
      viewport: screen,
      colorScheme: scheme,
      hasTouch: mobile,
      isMobile: mobile,
      reducedMotion: 'reduce',
      serviceWorkers: 'block', // each profile would fetch and start one
    } as const
    const shared = isShared ? sharedProfile(profile.baseURL, mobile) : null
    const used = shared === null ? null : await takeUsed(shared, screen, scheme)
    const page = used ?? (await this.#newPage({ ...profile, ...more }, wish.clockAhead))
    if (shared !== null) this.#lent.push({ page, shared, mobile, line })
    const person = new Person(name, page, line, wish.lang ?? null)
    this.#people.push(person)
    return person
  }

  /** Their own line, if one is wanted, or needed so that another test can use their profile with another hub. */
  async #lineTo(hub: Address, isWanted: boolean, isShared: boolean, mobile: boolean): Promise<Line | null> {
    if (isShared && (isWanted || hub.port !== this.#hub.port)) return sharedLine(hub, mobile)
    return isWanted ? Line.to(hub) : null
  }

  async #newPage(profile: BrowserContextOptions, clockAhead: number | undefined): Promise<Page> {
    const context = await this.#browser.newContext(profile)
    await context.addInitScript(SOUNDS_OFFERED)
    if (clockAhead !== undefined) await context.addInitScript(aheadBy(clockAhead))
    return context.newPage()
  }

  /** The same person, with a new page in the same browser. */
  async again(person: Person): Promise<Person> {
    const back = new Person(person.name, await person.context.newPage(), person.line, null)
    this.#people.push(back)
    return back
  }

  async people<const Names extends readonly string[]>(
    ...names: Names
  ): Promise<{ [Index in keyof Names]: Person }> {
    return (await Promise.all(names.map((name) => this.person(name)))) as { [Index in keyof Names]: Person }
  }

  /** Throws if a page had an error that people would not notice. */
  quiet(): void {
    const trouble = this.#people.flatMap((person) => person.trouble)
    if (trouble.length > 0) throw new Error(`errors in the pages:\n${trouble.join('\n')}`)
  }

  /** Takes a screenshot of every page, to help find out why a test failed. */
  async pictures(test: string): Promise<void> {
    const folder = `${RESULTS}${test.replace(/\W+/g, '-').slice(0, 60)}/`
    mkdirSync(folder, { recursive: true })
    for (const { name, context } of this.#people) {
      for (const [index, page] of context.pages().entries())
        await page.screenshot({ path: `${folder}${name}-${index + 1}.png` }).catch(() => undefined)
    }
  }

  async close(): Promise<void> {
    const people = this.#people.splice(0)
    const kept = await Promise.all(
      this.#lent.map(async ({ page, shared, mobile, line }) => {
        line?.leadTo(this.#hub) // their own may have stopped
        const clean = await giveBack(page, shared)
        if (line !== null && clean !== null) giveLineBack(line, mobile)
        return clean
      }),
    )
    const keptContexts = new Set(kept.map((page) => page?.context()))
    await Promise.all(
      people.map(async (person) => {
        if (keptContexts.has(person.context)) return
        await person.context.close() // closing it twice is harmless
        await person.line?.close()
      }),
    )
  }
}

/** A person using a browser. */
export class Person {
  readonly name: string
  readonly line: Line | null
  /** Errors on the page, which no test should cause. */
  readonly trouble: string[] = []
  readonly page: Page
  readonly context: BrowserContext
  readonly #lang: string | null

  constructor(name: string, page: Page, line: Line | null, lang: string | null) {
    this.name = name
    this.line = line
    this.page = page
    this.context = page.context()
    this.#lang = lang
    page.setDefaultTimeout(PATIENCE)
    page.on('pageerror', (error) => this.trouble.push(`${this.name}: ${error.message}`))
    page.on('console', (message) => {
      // Svelte's warning of a value that stays as it was
      if (message.text().includes('derived_inert')) this.trouble.push(`${this.name}: ${message.text()}`)
      // The browser itself reports cut lines, refused requests and a header that plain http makes void.
      if (
        message.type() === 'error' &&
        !/WebSocket|Failed to load resource|net::|Cross-Origin-Opener-Policy/.test(message.text())
      )
        this.trouble.push(`${this.name}: ${message.text()}`)
    })
  }

  /** Tap on a phone, click elsewhere. */
  async press(what: Locator): Promise<void> {
    await ((this.page.viewportSize()?.width ?? LAPTOP.width) < 600 ? what.tap() : what.click())
  }

  /** Saves screenshots of the page in three shapes, if they are wanted (gallery.ts). */
  async photograph(name: string): Promise<void> {
    if (!wantsPictures) return
    const before = this.page.viewportSize()
    for (const shape of SHAPES) {
      await this.page.setViewportSize(shape)
      await this.page.screenshot({ path: `${RESULTS}${name}-${shape.width}.png` })
    }
    if (before !== null) await this.page.setViewportSize(before)
  }

  async go(path: string): Promise<void> {
    const url = new URL(path, 'http://here')
    if (this.#lang !== null) url.searchParams.set('lang', this.#lang)
    await this.page.goto(url.pathname + url.search)
  }

  /**
   * A second tab in the same browser, at the same address. The first stays in front, because the browser
   * draws background tabs far less often.
   */
  async secondTab(): Promise<Person> {
    const twin = new Person(`${this.name} (second tab)`, await this.context.newPage(), null, this.#lang)
    twin.trouble.push = (...items) => this.trouble.push(...items)
    await twin.go(new URL(this.page.url()).pathname)
    await this.page.bringToFront()
    return twin
  }
}

/** A script for people who have been offered sounds before. */
const SOUNDS_OFFERED = `if (location.protocol === 'http:') localStorage.getItem('parley.settings') ??
  localStorage.setItem('parley.settings', JSON.stringify({ soundOffered: true, tips: false }))`

/** A script that sets the device's wall clock ahead; timers are not affected. */
function aheadBy(milliseconds: number): string {
  return `{
    const Real = Date
    globalThis.Date = class extends Real {
      constructor(...given) { given.length === 0 ? super(Real.now() + ${milliseconds}) : super(...given) }
      static now() { return Real.now() + ${milliseconds} }
    }
  }`
}
