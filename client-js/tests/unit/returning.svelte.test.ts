/** Coming back to a table: the seat is taken back in a visible page, and what was missed is listed. */
import { flushSync, tick } from 'svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followReturns, type Return } from '../../src/app/table/returning.svelte.ts'
import type { TableView } from '../../src/app/tableview.svelte.ts'
import type { Verdict } from '../../src/sdk/table.ts'
import type { Act, AudienceLine } from '../../src/sdk/wire.gen.ts'

const MINE = 1
const stoodIn: AudienceLine = [7, 'table.stands_in', { name: 'Bea', seat: MINE }, 60_000]
const lines = (...numbers: number[]): AudienceLine[] =>
  numbers.map((number) => [number, 'almost.round', {}, number])

/** The view of seat 1 at a table of this test's own. */
class FakeView {
  readonly code = 'BCDFGH'
  seat: number | null = MINE
  running = true
  online = $state(true)
  kept = $state(false)
  asked = $state(false)
  state = $state.raw({ current: true, lines: lines(1, 2, 3) })
  clock = 0
  verdict: Verdict = { code: null, rule: null, args: {} }
  readonly acts: Act[] = []
  readonly table = {
    clock: { now: () => this.clock },
    manage: (act: Act): Promise<Verdict> => {
      this.acts.push(act)
      return Promise.resolve(this.verdict)
    },
  }
}

let doc: EventTarget & { visibilityState: string }
let close: (() => void)[]

beforeEach(() => {
  close = []
  doc = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const kept = new Map<string, string>()
  const target = new EventTarget()
  vi.stubGlobal('document', doc)
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
  for (const name of ['addEventListener', 'removeEventListener'] as const)
    vi.stubGlobal(name, target[name].bind(target))
})
afterEach(async () => {
  for (const each of close) each()
  await tick() // unsubscribes from the document
  vi.unstubAllGlobals()
})

function show(state: string): void {
  doc.visibilityState = state
  doc.dispatchEvent(new Event('visibilitychange'))
  flushSync()
}

/** Opens a page at this view; the returned function closes it. */
function open(view: FakeView): { returns: Return; shut: () => void } {
  let returns: Return | undefined
  const shut = $effect.root(() => {
    returns = followReturns(() => view as unknown as TableView)
  })
  close.push(shut)
  flushSync()
  if (returns === undefined) throw new Error('nothing was opened')
  return { returns, shut }
}

const numbers = ({ missed }: Return): number[] => missed.map(([number]) => number)

test('a new visible page takes the seat back once, and lists what its bot did', () => {
  const view = new FakeView()
  view.kept = true
  view.state = { current: true, lines: [...lines(5, 6), stoodIn, ...lines(8, 9)] }
  const { returns } = open(view)
  expect(view.acts).toEqual([{ do: 'take_back' }])
  expect(numbers(returns)).toEqual([7, 8, 9])
  view.state = { current: true, lines: [...view.state.lines, ...lines(10)] }
  flushSync()
  expect(view.acts).toHaveLength(1)
  returns.dismiss()
  expect(numbers(returns)).toEqual([])
})

test('a page in the background waits until it is visible', () => {
  show('hidden')
  const view = new FakeView()
  view.kept = true
  open(view)
  expect(view.acts).toEqual([])
  show('visible')
  expect(view.acts).toEqual([{ do: 'take_back' }])
})

test('a bot that this person asked for plays on', () => {
  const view = new FakeView()
  view.kept = view.asked = true
  const { returns } = open(view)
  show('hidden')
  show('visible')
  expect(view.acts).toEqual([])
  expect(returns.stuck).toBe(false)
})

test('a seat is taken back each time that a bot took it', () => {
  const view = new FakeView()
  open(view)
  expect(view.acts).toEqual([])
  for (let times = 1; times <= 2; times += 1) {
    view.online = false
    flushSync()
    view.kept = true
    view.online = true
    flushSync()
    expect(view.acts).toHaveLength(times)
    view.kept = false
    flushSync()
  }
})

test.each([
  ['NOT_NOW', false],
  ['SLOW_DOWN', true],
])('if the hub answers %s, the button to take over is shown: %s', async (code, stuck) => {
  const view = new FakeView()
  view.verdict = { code, rule: 'GEN-7', args: {} }
  view.kept = true
  const { returns } = open(view)
  await vi.waitFor(() => expect(view.acts).toHaveLength(1))
  await Promise.resolve()
  expect(returns.stuck).toBe(stuck)
})

test('what arrives in a page that is hidden or offline is listed when it is back', () => {
  const view = new FakeView()
  const { returns } = open(view)
  show('hidden')
  view.state = { current: true, lines: lines(1, 2, 3, 4, 5) }
  flushSync()
  expect(numbers(returns)).toEqual([])
  show('visible')
  expect(numbers(returns)).toEqual([4, 5])
})

test('what came while the connection was lost is listed once the view has come', () => {
  const view = new FakeView()
  const { returns } = open(view)
  view.state = { ...view.state, current: false }
  view.online = false
  flushSync()
  view.online = true // the hub has welcomed the page, and the view is on its way
  flushSync()
  expect(numbers(returns)).toEqual([])
  view.state = { current: true, lines: lines(1, 2, 3, 4, 5) }
  flushSync()
  expect(numbers(returns)).toEqual([4, 5])
})

test('a new page lists what an earlier one has not shown, unless it is only a reload', () => {
  const first = new FakeView()
  open(first).shut()
  const later = new FakeView()
  later.state = { current: true, lines: lines(1, 2, 3, 4, 5) }
  later.clock = 1_000
  const reload = open(later)
  expect(numbers(reload.returns)).toEqual([])
  reload.shut()
  const latest = new FakeView()
  latest.state = { current: true, lines: lines(1, 2, 3, 4, 5, 6) }
  latest.clock = 60_000
  expect(numbers(open(latest).returns)).toEqual([6])
})

test('what another seat has seen says nothing about this one', () => {
  open(new FakeView()).shut()
  const view = new FakeView()
  view.seat = 2
  view.clock = 60_000
  view.state = { current: true, lines: lines(1, 2, 3, 4) }
  expect(numbers(open(view).returns)).toEqual([])
})
