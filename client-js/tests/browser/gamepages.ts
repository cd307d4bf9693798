/** Inspects the page about a game with axe, at phone and desktop sizes. */
import type engine from 'axe-core'
import { expect, inject } from 'vitest'
import { browser } from './browser.ts'
import { AXE, AXE_SOURCE } from './inspector.ts'
import { DESK, PHONE } from './livehub.ts'

export const SCREENS = [
  { name: 'phone', screen: PHONE, colorScheme: 'dark' },
  { name: 'desk', screen: DESK, colorScheme: 'light' },
] as const

export async function inspectPage(game: string): Promise<void> {
  const base = `http://127.0.0.1:${inject('hubPort')}`
  const context = await (await browser()).newContext({ baseURL: base })
  try {
    const page = await context.newPage()
    await page.goto(`/g/${game}`)
    await page.evaluate(() => {
      for (const part of document.querySelectorAll('details')) part.open = true
    })
    await page.evaluate(AXE_SOURCE)
    for (const { name, screen, colorScheme } of SCREENS) {
      await page.setViewportSize(screen)
      await page.emulateMedia({ colorScheme })
      const { violations } = await page.evaluate(
        (how) => (window as unknown as Axe).axe.run(document, how),
        AXE,
      )
      const found = violations.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html).join(' ')}`)
      expect(found, name).toEqual([])
    }
  } finally {
    await context.close()
  }
}

/** axe waits for timers, which do not run where scripts are off. */
interface Axe {
  readonly axe: typeof engine
}
