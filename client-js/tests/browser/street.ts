/** Starts one hub, whose bots do not ponder, for all browser tests; afterwards, makes the contact sheets. */
import type { TestProject } from 'vitest/node'
import { Hub, QUICK } from '../hub.ts'
import { openNursery } from '../running.ts'
import { launch } from './browser.ts'
import { clearPictures, hang, wantsSheets } from './gallery.ts'

declare module 'vitest' {
  interface ProvidedContext {
    hubPort: number
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  clearPictures()
  const closeNursery = await openNursery()
  const hub = await Hub.start(QUICK)
  project.provide('hubPort', hub.port)
  return async () => {
    await hub.close()
    await closeNursery()
    if (!wantsSheets) return
    const browser = await launch()
    await hang(browser)
    await browser.close()
  }
}
