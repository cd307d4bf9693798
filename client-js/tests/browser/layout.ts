/** Measures a page's layout: how much of a board is to be seen, what covers what, and how large letters are. */
import type { Page } from 'playwright-core'

/** The least part of the height that a board has beside its tray, on its player's own turn. */
export const BOARD_SHARE = 0.6
/** The least size of letters in a drawing, in pixels. */
const LETTER = 11

/** The part of the page's height in which the board is in view and can be reached, along its middle; null without one. */
export function boardShare(page: Page): Promise<number | null> {
  return page.evaluate(() => {
    const board = document.querySelector('.content:not(.hidden) > .board')
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
export function coveredAids(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.panel .aid h3, .board details > summary')].flatMap((aid) => {
      const { left, top, height } = aid.getBoundingClientRect()
      const hit = document.elementFromPoint(left + 20, top + height / 2)
      return hit !== null && (aid.contains(hit) || hit.contains(aid)) ? [] : [aid.textContent.trim()]
    }),
  )
}

/** Letters in drawings that are too small to read, with their sizes. */
export function smallLetters(page: Page): Promise<string[]> {
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
export function places(page: Page): Promise<{ readonly stage: number; readonly board: number } | null> {
  return page.evaluate(() => {
    const stage = document.querySelector('.stage')
    const board = document.querySelector('.content:not(.hidden) > .board')
    if (stage === null || board === null || document.querySelector('.banner, .door') !== null) return null
    return {
      stage: Math.round(stage.getBoundingClientRect().height),
      board: Math.round(board.getBoundingClientRect().top + (document.scrollingElement?.scrollTop ?? 0)),
    }
  })
}
