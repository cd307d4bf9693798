/** The coach: how often it is asked, and which advice counts as known. */
import { flushSync } from 'svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Coaching, countOf, DECISIONS } from '../../src/app/table/coaching.svelte.ts'
import type { TableView } from '../../src/app/tableview.svelte.ts'
import type { PromiseInfo, PromptInfo } from '../../src/sdk/wire.gen.ts'

const MINE = 1

/** The view of seat 1, at a table whose coach says `says`. */
class FakeView {
  readonly seat = MINE
  readonly about = { game: 'sucker' }
  online = $state(true)
  now = 0
  acts = $state(true)
  main = $state.raw({ id: 'turn:1', kind: 'turn', seats: [MINE] } as unknown as PromptInfo)
  state = $state.raw({ sections: { promises: { promises: [] as PromiseInfo[] } } })
  readonly due = [MINE]
  says: string | null | undefined
  asked = 0
  readonly table = {
    coach: () => {
      this.asked += 1
      return Promise.resolve(
        this.says === undefined
          ? { data: null, refused: {} }
          : { data: { key: this.says, args: {} }, refused: null },
      )
    },
  }
  section(name: 'promises'): unknown {
    return this.state.sections[name]
  }
  /** Something on the board changes, and maybe the promises. */
  change(promises = this.state.sections.promises.promises): void {
    this.state = { sections: { promises: { promises } } }
  }
  decide(number: number): void {
    this.main = { ...this.main, id: `turn:${number}` }
  }
}

let close: () => void
beforeEach(() => {
  vi.useFakeTimers()
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
})
afterEach(() => {
  close()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function open(says: string | null): { view: FakeView; coaching: Coaching } {
  const view = new FakeView()
  view.says = says
  let coaching: Coaching | undefined
  close = $effect.root(() => {
    coaching = new Coaching(() => view as unknown as TableView)
  })
  if (coaching === undefined) throw new Error('it is made at once')
  return { view, coaching }
}

/** Lets the view stand still until the coach has answered. */
async function still(): Promise<void> {
  flushSync()
  await vi.advanceTimersByTimeAsync(1_000)
  flushSync()
}

/** Makes this advice known: it is due on the first decisions only. */
async function learn(view: FakeView): Promise<void> {
  for (let number = 1; number <= DECISIONS; number += 1) {
    view.decide(number)
    await still()
  }
  view.decide(DECISIONS + 1)
  view.asked = 0
}

const promise = (by: number, id: string): PromiseInfo => ({ id, by, kind: 'save', terms: {}, at: 0 })

test('where nothing is due, the coach is asked again only for a promise of one’s own', async () => {
  const { view, coaching } = open('turn.high')
  await learn(view)
  await still()
  expect([view.asked, coaching.advice]).toEqual([1, null])
  view.change()
  await still()
  view.acts = false // a pause
  await still()
  view.acts = true
  await still()
  view.change([promise(0, 'a')])
  await still()
  expect(view.asked).toBe(1)
  view.says = 'turn.promised'
  view.change([promise(0, 'a'), promise(MINE, 'b')])
  await still()
  expect([view.asked, coaching.advice?.key]).toEqual([2, 'turn.promised'])
  view.decide(9)
  await still()
  expect(view.asked).toBe(3)
})

test('a request that fails is made again', async () => {
  const { view, coaching } = open(null)
  view.says = undefined
  await still()
  view.says = 'turn.high'
  view.change()
  await still()
  expect([view.asked, coaching.advice?.key]).toEqual([2, 'turn.high'])
})

test('each advice on a decision counts, and the decision once', async () => {
  const { view, coaching } = open('turn.high')
  await still()
  view.says = 'turn.last'
  view.change()
  await still()
  expect(coaching.advice?.key).toBe('turn.last')
  view.says = 'turn.high'
  view.change()
  await still()
  expect(['turn', '#turn.high', '#turn.last'].map((name) => countOf('sucker', name))).toEqual([1, 1, 1])
  view.decide(2)
  await still()
  expect(countOf('sucker', 'turn')).toBe(2)
})

test('only what was said since the decision came up counts, also after an outage', async () => {
  const { view, coaching } = open('turn.high')
  view.now = 5
  view.decide(2)
  await still()
  expect(coaching.since).toBe(5)
  view.now = 9
  view.online = false
  await still()
  view.online = true
  await still()
  expect(coaching.since).toBe(5)
  view.decide(3)
  await still()
  expect(coaching.since).toBe(9)
})
