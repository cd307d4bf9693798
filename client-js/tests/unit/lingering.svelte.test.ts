/** The last board stays in view for a moment, if it was seen in play. */
import { flushSync } from 'svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { linger } from '../../src/app/table/lingering.svelte.ts'
import type { TableView } from '../../src/app/tableview.svelte.ts'

class FakeView {
  status = $state('running')
  about = $state<{ abandoned: boolean }>({ abandoned: false })
  readonly game: { lingers?: number }
  constructor(lingers?: number) {
    this.game = lingers === undefined ? {} : { lingers }
  }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function watch(view: FakeView): { on: () => boolean; close: () => void } {
  let lingering: { readonly on: boolean } | undefined
  const close = $effect.root(() => {
    lingering = linger(() => view as unknown as TableView)
  })
  flushSync()
  return { on: () => lingering?.on === true, close }
}

test('the board of a game that ends stays for as long as its game says, whatever else changes', () => {
  const view = new FakeView(2_000)
  const { on, close } = watch(view)
  expect(on()).toBe(false)
  view.status = 'finished'
  flushSync()
  expect(on()).toBe(true)
  view.about = { abandoned: false }
  flushSync()
  vi.advanceTimersByTime(1_999)
  expect(on()).toBe(true)
  vi.advanceTimersByTime(1)
  expect(on()).toBe(false)
  close()
})

test.each([
  ['a game that does not ask for it', undefined, 'running', false],
  ['a table that is over when the page opens', 2_000, 'finished', false],
  ['a game that was abandoned', 2_000, 'running', true],
])('%s shows its result at once', (_, lingers, status, abandoned) => {
  const view = new FakeView(lingers)
  Object.assign(view, { status, about: { abandoned } })
  const { on, close } = watch(view)
  view.status = 'finished'
  flushSync()
  expect(on()).toBe(false)
  close()
})
