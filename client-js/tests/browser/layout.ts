/** Measures a page's layout: how much of a board is to be seen, what covers what, and how large letters are. */
import type { Page } from 'playwright-core'

/** A page of any browser. */
export type Measured = Pick<Page, 'evaluate'>

/** The least part of the height that a board has beside its tray, on its player's own turn. */
export const BOARD_SHARE = 0.6
/** The least size of letters in a drawing, in pixels. */
const LETTER = 11

/** The part of the page's height in which the board is in view and can be reached, along its middle; null without one. */
export function boardShare(page: Measured): Promise<number | null> {
  return page.evaluate(() => {
    const board = document.querySelector('.content:not(.hidden) > .deck > .board')
    if (board === null) return null
    const { left, width } = board.getBoundingClientRect()
    const STEP = 2
    let seen = 0
    for (let y = 1; y < innerHeight; y += STEP) {
      const [top] = document.elementsFromPoint(left + width / 2, y)
      if (top !== undefined && board.contains(top)) seen += STEP
    }
    return Math.min(1, seen / innerHeight)
  })
}

/** Player aids whose beginning something else covers, or that are cut off. */
export function coveredAids(page: Measured): Promise<string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        '.panel .aid h3, .board details:not(.result details) > summary',
      ),
    ].flatMap((aid) => {
      const { left, top, height } = aid.getBoundingClientRect()
      const hit = document.elementFromPoint(left + 20, top + height / 2)
      return hit !== null && (aid.contains(hit) || hit.contains(aid)) ? [] : [aid.textContent.trim()]
    }),
  )
}

/** Letters in drawings that are too small to read, with their sizes. */
export function smallLetters(page: Measured): Promise<string[]> {
  return page.evaluate((least) => {
    const found = new Map<string, string>()
    for (const letter of document.querySelectorAll<SVGTextElement>('svg text')) {
      if (!letter.checkVisibility() || letter.textContent.trim() === '') continue
      const scale = Math.abs(letter.getScreenCTM()?.a ?? 1) || Math.abs(letter.getScreenCTM()?.b ?? 1)
      const size = parseFloat(getComputedStyle(letter).fontSize) * scale
      if (size < least - 0.05) {
        const drawing = letter.ownerSVGElement?.getAttribute('class') ?? ''
        const owner = letter.closest('section, ul, table, .tray')?.getAttribute('class') ?? ''
        found.set(
          `${drawing} ${owner}`,
          `${size.toFixed(1)} px: ${letter.textContent} in ${drawing}, ${owner}`,
        )
      }
    }
    return [...found.values()]
  }, LETTER)
}

/** Where the stage ends and the board begins, if a game is running and no banner is shown; otherwise null. */
export function places(page: Measured): Promise<{ readonly stage: number; readonly board: number } | null> {
  return page.evaluate(() => {
    const stage = document.querySelector('.stage')
    const board = document.querySelector('.content:not(.hidden) > .deck > .board')
    if (stage === null || board === null || document.querySelector('.banner, .door') !== null) return null
    return {
      stage: Math.round(stage.getBoundingClientRect().height),
      board: Math.round(board.getBoundingClientRect().top + (document.scrollingElement?.scrollTop ?? 0)),
    }
  })
}

/** What a whole table has wrong beside its board, its aid and its letters, whatever the browser. */
export function misfits(page: Measured, leastTarget: number): Promise<string[]> {
  return page.evaluate((least) => {
    const found: string[] = []
    const { scrollWidth, scrollHeight } = document.documentElement
    // A phone lays out a page that is too wide on a larger area. Firefox keeps the screen of its own window.
    const fits = navigator.maxTouchPoints > 0 ? Math.min(innerWidth, screen.width) : innerWidth
    if (scrollWidth > fits) found.push(`scrolls sideways: ${scrollWidth} px of ${fits}`)
    const [wide, short] = ['wide', 'short'].map((shape) => document.querySelector(`.page.${shape}`) !== null)
    if (wide === true && scrollHeight > innerHeight)
      found.push(`longer than the screen: ${scrollHeight} px of ${innerHeight}`)
    const board = document.querySelector<HTMLElement>('.content:not(.hidden) > .deck > .board')
    const side = document.querySelector('.page.wide > main > .side')?.getBoundingClientRect()
    const top = document.querySelector('.page.wide .now')?.getBoundingClientRect()
    if (board !== null && side !== undefined && top !== undefined) {
      const { left, right } = board.getBoundingClientRect()
      const { paddingLeft, paddingRight } = getComputedStyle(board)
      const inner = {
        left: left + parseFloat(paddingLeft),
        right: left + board.clientWidth - parseFloat(paddingRight),
      }
      if (Math.abs(inner.left - top.left) > 1 || Math.abs(inner.right - top.right) > 1)
        found.push(`the stage is ${top.left}-${top.right}, what is under it ${inner.left}-${inner.right}`)
      if (Math.abs(right - side.left) > 1) found.push(`a strip beside the board: ${right}-${side.left}`)
    }
    for (const target of document.querySelectorAll<HTMLElement>(
      'button, a[href], input, select, textarea, summary',
    )) {
      const { left, right, width, height } = target.getBoundingClientRect()
      if (!target.checkVisibility() || target.closest('[inert]') !== null || width <= 1 || height <= 1)
        continue
      const name = target.getAttribute('aria-label') ?? target.textContent.trim().slice(0, 60)
      const enough = short === true && board?.contains(target) === true ? 24 : least
      if (width < enough - 0.5 || height < enough - 0.5)
        found.push(`a target of ${Math.round(width)} x ${Math.round(height)} px: ${name}`)
      if ((left < -1 || right > fits + 1) && target.closest('.scroll') === null)
        found.push(`out of the screen sideways: ${name}`)
    }
    return found
  }, leastTarget)
}
