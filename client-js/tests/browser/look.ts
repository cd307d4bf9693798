/**
 * What there is to press on a table's page, whichever game it is.
 *
 * Whatever the page offers in its tray comes first: the main button if it can be pressed, otherwise anything,
 * at random; the same choices follow from the same numbers.
 */

/** What there is to press, or that there is nothing. */
export type PageOffer =
  | { readonly is: 'over' | 'waits' }
  | {
      readonly is: 'acts'
      readonly title: string
      readonly x: number
      readonly y: number
      readonly name: string
      /** Whether it is the main button, which sends what was chosen. */
      readonly main: boolean
    }

/** Expected in the page as an expression; `draw` is a number from 0 to 1. */
export function look(draw: number, mains: boolean): PageOffer {
  if (document.querySelector('.result') !== null) return { is: 'over' }
  const tray = document.querySelector('.content > .tray')
  if (document.querySelector('.stage.acting') === null || tray === null || tray.matches('.resting'))
    return { is: 'waits' }
  const offers = [...document.querySelectorAll<HTMLElement>('[role=dialog] button, dialog[open] button')]
  const controls =
    offers.length > 0
      ? offers
      : [
          ...document.querySelectorAll<HTMLElement>(
            '.content > .tray :is(button, input[type=radio], [role=radio], [role=gridcell], [role=button]), .content > .deck > .board :is(button, [role=gridcell], [role=button])',
          ),
        ]
  /** The middle of a control. Subdivision's squares are a picture, which their names only describe (Plot.svelte). */
  const middleOf = (each: HTMLElement): { readonly x: number; readonly y: number } => {
    const { left, top, width, height } = each.getBoundingClientRect()
    const square = each.dataset.square
    const grid = each.closest('[role=grid]')
    if (square === undefined || grid === null) return { x: left + width / 2, y: top + height / 2 }
    const [unit, strip, edge] = [100, 32, 5]
    const size = grid.querySelectorAll('[role=row]').length
    const box = grid.getBoundingClientRect()
    const scale = box.width / (strip + size * unit + edge)
    const [column, row] = [Number(square) % size, size - 1 - Math.floor(Number(square) / size)]
    return {
      x: box.left + (strip + (column + 0.5) * unit) * scale,
      y: box.top + (edge + (row + 0.5) * unit) * scale,
    }
  }
  const isHit = (each: HTMLElement): boolean => {
    const { x, y } = middleOf(each)
    const hit = document.elementFromPoint(x, y)
    const pressed = each.dataset.square === undefined ? each : (each.closest('[role=grid]') ?? each)
    return hit !== null && (pressed.contains(hit) || each.closest('label')?.contains(hit) === true)
  }
  const usable = controls.filter(
    (each) => each.checkVisibility() && !each.matches(':disabled, [aria-disabled=true]'),
  )
  // of Subdivision's squares only the free ones: towards the end, there are few
  const free = usable.filter((each) => /: free/.exec(each.getAttribute('aria-label') ?? '') !== null)
  const enabled = usable.filter(
    (each) => free.length === 0 || !each.matches('[role=gridcell]') || free.includes(each),
  )
  if (!enabled.some(isHit))
    enabled[Math.floor(draw * enabled.length)]?.scrollIntoView({ block: 'center', behavior: 'instant' })
  const ready = enabled.filter(isHit)
  const main = ready.filter((each) => each.matches('.main'))
  const near = ready.filter((each) => each.closest('.tray') !== null)
  const others = Math.floor(draw * 1000) % 2 === 0 && near.length > 0 ? near : ready
  const from = mains && main.length > 0 && Math.floor(draw * 100) % 10 < 9 ? main : others
  const one = from[Math.floor(draw * 7919) % Math.max(1, from.length)]
  if (one === undefined) return { is: 'waits' }
  const { x, y } = middleOf(one)
  return {
    is: 'acts',
    title: document.querySelector('.stage h2')?.textContent?.trim() ?? '',
    x: Math.round(x),
    y: Math.round(y),
    name: one.getAttribute('aria-label') ?? one.textContent.trim(),
    main: one.matches('.main'),
  }
}

/** A generator of numbers from 0 to 1: a linear congruence. */
export function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}
