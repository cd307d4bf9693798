/** Notes what moves on a page. */
import type { Page } from 'playwright-core'

export interface Movement {
  readonly of: string
  readonly ms: number
}

/** Notes every movement that a script begins, and every animation of the style sheets. */
export const NOTE_MOVEMENTS = `{
  globalThis.movements = []
  const { animate } = Element.prototype
  Element.prototype.animate = function (keyframes, options) {
    const ms = typeof options === 'number' ? options : (options?.duration ?? 0)
    if (ms > 0) movements.push({ of: this.parentElement?.className?.baseVal ?? this.parentElement?.className ?? '', ms })
    return animate.call(this, keyframes, globalThis.slow && ms > 0 ? { ...options, duration: 60_000 } : options)
  }
}`

export const MOVES = { reducedMotion: 'no-preference' } as const
export const movements = (page: Page): Promise<Movement[]> => page.evaluate('movements.splice(0)')
export const idle = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    () => document.querySelector('.flights') === null && document.getAnimations().length === 0,
  )
