/** Phones beside a shared screen that hosts the table. */
import { expect } from 'vitest'
import { smallLetters, misfits } from './layout.ts'
import { DESK, RESULTS, type LiveHub, type Person } from './livehub.ts'
import type { Wire } from '../../src/sdk/index.ts'
import { wantsPictures } from './gallery.ts'
import type { TableWish } from './pages/home.ts'
import { TablePage } from './pages/table.ts'
import { begin, seatAll } from './seating.ts'
import type { Locator } from 'playwright-core'

export const UPRIGHT = { width: 390, height: 844 }
export const SIDEWAYS = { width: 844, height: 390 }
const LEAST_TARGET = 44
const LEAST_LETTER = 11

/** A table on a phone that is a hand. */
export class PhoneTable extends TablePage {
  get hand(): Locator {
    return this.page.getByRole('region', { name: 'Hand', exact: true })
  }

  side(name: 'Hand' | 'Board'): Locator {
    return this.page.getByRole('tab', { name: new RegExp(`^${name}`) })
  }

  /** This side is in front, and its tab is selected. */
  async shows(name: 'Hand' | 'Board'): Promise<void> {
    await this.page.getByRole('tab', { name: new RegExp(`^${name}`), selected: true }).waitFor()
    await this.page.waitForFunction((side) => {
      const deck = document.querySelector('.deck.beside')
      return deck !== null && Math.abs(deck.scrollLeft - (side === 'Hand' ? 0 : deck.clientWidth)) < 2
    }, name)
  }

  async turnTo(name: 'Hand' | 'Board'): Promise<void> {
    await this.press(this.side(name))
    await this.shows(name)
  }

  /** Swipes the deck by its width, as a finger would. */
  async swipe(to: 'Hand' | 'Board'): Promise<void> {
    await this.page.evaluate((right) => {
      const deck = document.querySelector('.deck.beside')
      deck?.scrollBy({ left: (right ? 1 : -1) * deck.clientWidth, behavior: 'instant' })
    }, to === 'Board')
    await this.shows(to)
  }

  /** The page is as it is without a shared screen. */
  async showsTable(): Promise<void> {
    await this.tab('Table').waitFor()
    await this.hand.waitFor({ state: 'detached' })
  }
}

/** A screen that hosts this game without a seat, with these phones at the table, and bots in the other seats. */
export async function besideScreen(
  liveHub: LiveHub,
  game: keyof Wire.Games,
  phones: readonly Person[],
  wish: TableWish = {},
): Promise<{ screen: Person; tables: readonly PhoneTable[] }> {
  const screen = await liveHub.person('Tess', { screen: DESK })
  const switchOn = ['Host on this screen without playing', ...(wish.switchOn ?? [])]
  const name = await seatAll(game, [screen, ...phones], { ...wish, switchOn })
  const starter = await begin(screen, name)
  const tables = phones.map((person) => new PhoneTable(person))
  await Promise.all([screen.go(`/t/${name}?view=tv`), ...tables.map((table) => table.visit(name))])
  await Promise.all([
    screen.page.locator('.stage').waitFor(),
    ...tables.map((table) => table.stage.waitFor()),
  ])
  starter.leave()
  return { screen, tables }
}

/** Checks both sides of a hand upright and sideways: nothing overlaps, and everything can be read and pressed. */
export async function checkSides(table: PhoneTable, what: string): Promise<void> {
  const { page } = table
  for (const size of [UPRIGHT, SIDEWAYS]) {
    await page.setViewportSize(size)
    await page.locator(size === UPRIGHT ? '.page.tall' : '.page.short').waitFor()
    for (const side of ['Hand', 'Board'] as const) {
      await table.turnTo(side)
      if (wantsPictures) await page.screenshot({ path: `${RESULTS}hand-${what}-${side}-${size.width}.png` })
      const where = `${what}, ${side}, ${size.width}x${size.height}`
      expect(await misfits(page, LEAST_TARGET), where).toEqual([])
      expect(await smallLetters(page), where).toEqual([])
      expect(await overlaps(table), where).toEqual([])
    }
  }
  await page.setViewportSize(UPRIGHT)
}

/** Parts of the page that cover each other or leave the screen, and tabs that are too small. */
async function overlaps(table: PhoneTable): Promise<string[]> {
  return table.page.evaluate(
    ({ target, letter }) => {
      const found: string[] = []
      const parts = ['.stage', '.deck', '.content > .tray', '[role=tablist]'].flatMap((name) => {
        const part = document.querySelector(name)
        return part === null ? [] : [{ name, box: part.getBoundingClientRect() }]
      })
      for (const [index, { name, box }] of parts.entries()) {
        if (box.top < -1 || box.left < -1 || box.bottom > innerHeight + 1 || box.right > innerWidth + 1)
          found.push(`${name} leaves the screen`)
        for (const { name: other, box: its } of parts.slice(index + 1))
          if (
            box.left < its.right - 1 &&
            its.left < box.right - 1 &&
            box.top < its.bottom - 1 &&
            its.top < box.bottom - 1
          )
            found.push(`${name} and ${other} overlap`)
      }
      for (const tab of document.querySelectorAll('[role=tablist] [role=tab]')) {
        const { width, height } = tab.getBoundingClientRect()
        if (width < target - 0.5 || height < target - 0.5)
          found.push(`${tab.textContent}: ${width} x ${height}`)
        if (parseFloat(getComputedStyle(tab).fontSize) < letter - 0.05)
          found.push(`${tab.textContent}: letters`)
      }
      const side = [...document.querySelectorAll('.deck > *:not([inert])')]
      if (side.some((each) => each.scrollWidth > each.clientWidth + 8))
        found.push('the side scrolls sideways')
      return found
    },
    { target: LEAST_TARGET, letter: LEAST_LETTER },
  )
}
