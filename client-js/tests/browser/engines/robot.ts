/**
 * Plays a game by the page's own buttons, without knowing which game it is.
 *
 * Whatever the page offers in its tray comes first: the main button if it can be pressed, otherwise anything,
 * at random; the same choices follow from the same numbers.
 */
import type { Engine } from './engine.ts'

/** What there is to press, or that there is nothing. */
type PageOffer =
  | { readonly is: 'over' | 'waits' }
  | {
      readonly is: 'acts'
      readonly title: string
      readonly x: number
      readonly y: number
      readonly name: string
    }

/** Expected in the page as an expression; `draw` is a number from 0 to 1. */
function look(draw: number, mains: boolean): PageOffer {
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
            '.content > .tray :is(button, input[type=radio], [role=radio], [role=gridcell], [role=button]), .content > .board :is(button, [role=gridcell], [role=button])',
          ),
        ]
  const isHit = (each: HTMLElement): boolean => {
    const { left, top, width, height } = each.getBoundingClientRect()
    const hit = document.elementFromPoint(left + width / 2, top + height / 2)
    return hit !== null && (each.contains(hit) || each.closest('label')?.contains(hit) === true)
  }
  const enabled = controls.filter(
    (each) => each.checkVisibility() && !each.matches(':disabled, [aria-disabled=true]'),
  )
  if (!enabled.some(isHit)) enabled[0]?.scrollIntoView({ block: 'center' })
  const ready = enabled.filter(isHit)
  const main = ready.filter((each) => each.matches('.main'))
  const near = ready.filter((each) => each.closest('.tray') !== null)
  const others = Math.floor(draw * 1000) % 2 === 0 && near.length > 0 ? near : ready
  const from = mains && main.length > 0 && Math.floor(draw * 100) % 10 < 9 ? main : others
  const one = from[Math.floor(draw * 7919) % Math.max(1, from.length)]
  if (one === undefined) return { is: 'waits' }
  const { left, top, width, height } = one.getBoundingClientRect()
  return {
    is: 'acts',
    title: document.querySelector('.stage h2')?.textContent?.trim() ?? '',
    x: Math.round(left + width / 2),
    y: Math.round(top + height / 2),
    name: one.getAttribute('aria-label') ?? one.textContent.trim(),
  }
}

/** A generator of numbers from 0 to 1: a linear congruence. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

/** How long the page may offer nothing to press: bots think, and what was pressed is on its way. */
const PATIENCE = 60_000
const PAUSE = 60

/** Play to the end; `onPhase` is called at each new title of the stage. Rejects with the last steps if it gets stuck. */
export async function play(engine: Engine, onPhase: (title: string) => Promise<void>): Promise<number> {
  const draw = numbers(7)
  const steps: string[] = []
  const titles = new Set<string>()
  let since = performance.now()
  for (;;) {
    const mains = !steps.slice(-3).every((step) => step === steps.at(-1))
    const seen = await engine.evaluate<PageOffer>(`(${look.toString()})(${draw()}, ${mains})`)
    if (seen.is === 'over') return steps.length
    if (seen.is === 'acts') {
      if (!titles.has(seen.title)) {
        titles.add(seen.title)
        await onPhase(seen.title)
        continue
      }
      await engine.click(seen.x, seen.y)
      steps.push(`${seen.title}: ${seen.name}`)
      since = performance.now()
    }
    if (performance.now() - since > PATIENCE || steps.length > 3_000)
      throw new Error(
        `the game does not go on after:\n${steps.slice(-30).join('\n')}\nThe page shows:\n${await engine.evaluate<string>('document.body.innerText')}`,
      )
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
}
