/** What a screen reader hears of the log while the words of promises are not there yet, and of a step back. */
import { flushSync } from 'svelte'
import { afterAll, expect, test, vi } from 'vitest'
import { announceTable } from '../../src/app/table/announcing.svelte.ts'
import type { TableView } from '../../src/app/tableview.svelte.ts'
import type { AudienceLine } from '../../src/sdk/wire.gen.ts'

// Test files share modules. This one replaces some: modules are reset before it and after it.
vi.hoisted(() => vi.resetModules())
afterAll(() => void vi.resetModules())
const { announced, words } = vi.hoisted(() => ({ announced: [] as string[], words: { loaded: false } }))
vi.mock('../../src/app/announce.svelte.ts', () => ({
  announce: (text: string) => announced.push(text),
  notify: (text: string) => announced.push(text),
}))
vi.mock('../../src/app/table/later.svelte.ts', () => ({
  later: { parts: { hasPromiseTexts: () => words.loaded } },
}))
vi.mock('../../src/app/table/lines.ts', () => ({
  lineText: (_: TableView, [, key]: AudienceLine) => key,
}))

class FakeView {
  readonly online = true
  readonly seated = true
  readonly seat = 0
  readonly main = null
  state = $state.raw({ link: { is: 'open' }, lines: [] as AudienceLine[], stepsBack: 0 })
  /** Adds lines with these keys. */
  log(...keys: readonly string[]): readonly string[] {
    announced.length = 0
    const { lines } = this.state
    const more = keys.map((key, index) => [lines.length + index, key, {}] as unknown as AudienceLine)
    this.state = { ...this.state, lines: [...lines, ...more] }
    flushSync()
    return [...announced]
  }
}

/** Announces what happens in this view, until the function that it returns is called. */
function follow(view: FakeView): () => void {
  const close = $effect.root(() =>
    announceTable(
      () => view as unknown as TableView,
      () => false,
    ),
  )
  flushSync()
  return close
}

test('a promise without words holds back no other line, and follows later', () => {
  const view = new FakeView()
  const close = follow(view)
  view.log('table.started')
  expect(view.log('promise.made', 'almost.bid')).toEqual(['almost.bid'])
  expect(view.log('promise.kept', 'almost.won')).toEqual(['almost.won'])
  words.loaded = true
  expect(view.log('almost.over')).toEqual(['promise.made', 'promise.kept', 'almost.over'])
  expect(view.log('promise.broken')).toEqual(['promise.broken'])
  close()
})

test('a step back is said once each time', () => {
  const view = new FakeView()
  const close = follow(view)
  const steppedBack = expect.stringContaining('The server lost the last few moments')
  view.log('table.started')
  for (const stepsBack of [1, 2]) {
    announced.length = 0
    view.state = { ...view.state, lines: [], stepsBack }
    flushSync()
    expect(announced).toEqual([steppedBack])
    expect(view.log('table.started')).not.toContainEqual(steppedBack)
  }
  close()
})
