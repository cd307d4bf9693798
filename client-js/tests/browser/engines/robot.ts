/** Plays a game by the page's own buttons, without knowing which game it is. */
import { look, numbers, type PageOffer } from '../look.ts'
import type { Engine } from './engine.ts'

/** How long the page may offer nothing to press: bots think, and what was pressed is on its way. */
const PATIENCE = 60_000
const PAUSE = 60
/** After a press that only chooses something: the button that sends it may wait for a preview. */
const PAUSE_TO_SEND = 250

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
      if (!seen.main) await new Promise((resolve) => setTimeout(resolve, PAUSE_TO_SEND))
    }
    if (performance.now() - since > PATIENCE || steps.length > 3_000)
      throw new Error(
        `the game does not go on after:\n${steps.slice(-30).join('\n')}\nThe page shows:\n${await engine.evaluate<string>('document.body.innerText')}`,
      )
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
}
