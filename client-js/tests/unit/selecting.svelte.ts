/** Seat 0 of Share and Share Alike, whose choices a test makes, in a page whose time stands still. */
import { flushSync } from 'svelte'
import { afterEach, beforeEach, vi } from 'vitest'
import type { GameClient } from '../../src/app/game.ts'
import { TableView } from '../../src/app/tableview.svelte.ts'
import { SharesSelection } from '../../src/games/shares/selection.svelte.ts'
import { bench, type Bench } from './hand.ts'

vi.hoisted(() => {
  // Svelte asks for it as soon as it is loaded: import this file before Svelte.
  const query = { matches: true, addEventListener: () => undefined }
  vi.stubGlobal('window', { matchMedia: () => query })
})

const ends: (() => void)[] = []

/** Fakes the page and its time for each test of a file, and closes the test's tables. */
export function fakePage(): void {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.stubGlobal('document', Object.assign(new EventTarget(), { getAnimations: () => [] }))
  })
  afterEach(() => {
    for (const end of ends.splice(0)) end()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
}

export interface Selecting extends Bench {
  readonly view: TableView
  readonly selection: SharesSelection
}

/** A table whose first view, number 10, has these sections. */
export function openSelection(sections: Record<string, unknown>): Selecting {
  const made = bench()
  made.hub().accept().welcome().view(10, sections)
  const game = { prompts: {}, texts: { refusals: {} } } as unknown as GameClient
  const view = new TableView('BCDFGH', made.table, game)
  const selection = new SharesSelection(view)
  ends.push(
    $effect.root(() => selection.follow()),
    () => view.close(),
  )
  flushSync()
  return { ...made, view, selection }
}
