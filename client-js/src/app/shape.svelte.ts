/** The shape of the screen, and with it the arrangement of a table. */
import { untrack } from 'svelte'
import { MediaQuery } from 'svelte/reactivity'

/**
 * - `wide`: a desk. The tray is below the board, the panels are beside both.
 * - `short`: a landscape phone, or a page at 200 %. The board has the whole height; stage and tray are beside it.
 * - `tall`: a phone held upright. Tray and tabs are at the bottom edge.
 */
export type Shape = 'wide' | 'short' | 'tall'

const wide = new MediaQuery('(width >= 64rem) and (height >= 34rem)')
const short = new MediaQuery('(width >= 35rem) and (height < 40rem) and (orientation: landscape)')

/** Whether a part of the page may stay in place while another scrolls: not on a small page at a high zoom. */
export const roomy = new MediaQuery('(height >= 30rem) or (orientation: landscape)')

/** Whether the main way to point is a finger: help then explains taps, not keys. */
export const touch = new MediaQuery('(hover: none) and (pointer: coarse)')

export const shape = {
  get current(): Shape {
    return wide.current ? 'wide' : short.current ? 'short' : 'tall'
  },
}

/** The least of a board that has to be in view, in pixels. */
const LEAST = 64

/**
 * Scrolls to the top of a board once the page has its new heights: on a desktop to the top of its frame, otherwise past the
 * seats, so that as much of the board as possible is in view. Its frame scrolls, if it can, and the page does not.
 * `hidden`: only if none of the board is in view.
 */
export function showBoard(top: HTMLElement | undefined, hidden = false): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const frame = top?.closest('[role=region]')
      if (top === undefined || !frame) return
      const scrolls = getComputedStyle(frame).overflowY !== 'visible'
      const place = frame.getBoundingClientRect()
      const from = top.getBoundingClientRect().top
      const tray = document.querySelector('.content > .tray')
      const end = scrolls ? place.bottom : (tray?.getBoundingClientRect().top ?? innerHeight)
      if (hidden && from < end - LEAST) return
      if (shape.current === 'wide') frame.scrollTo(0, 0)
      else if (!scrolls) top.scrollIntoView({ block: 'start' })
      else {
        const margin = parseFloat(getComputedStyle(top).scrollMarginBlockStart)
        frame.scrollBy(0, from - place.top - margin)
      }
    }),
  )
}

/** Shows a board at first, and when the screen is turned, if the page's own top shows none of it. Call this from a component. */
export function keepShown(top: () => HTMLElement | undefined): void {
  $effect(() => {
    void shape.current
    untrack(() => showBoard(top(), true))
  })
}
