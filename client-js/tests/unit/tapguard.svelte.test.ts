/** The tap guard: how long it blocks taps after a change, and which presses may still produce a click. */
import { flushSync } from 'svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TapGuard } from '../../src/app/tapguard.svelte.ts'

const SETTLE = 300
const LONG = 10_000

let page: EventTarget
let guard: TapGuard
let controls = $state('')
let leave: () => void

beforeEach(() => {
  vi.useFakeTimers()
  page = new EventTarget()
  for (const name of ['addEventListener', 'removeEventListener'] as const)
    vi.stubGlobal(name, page[name].bind(page))
  controls = 'bid'
  leave = $effect.root(() => {
    guard = new TapGuard(() => controls, SETTLE)
  })
  flushSync()
  expect(guard.resting).toBe(true)
  vi.advanceTimersByTime(SETTLE)
  expect(guard.resting).toBe(false)
})
afterEach(() => {
  leave()
  expect(vi.getTimerCount()).toBe(0)
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function change(): void {
  controls += ' again'
  flushSync()
}

/** Dispatches the browser's pointer and click events on the page. */
function happen(...types: readonly ('pointerdown' | 'pointerup' | 'pointercancel' | 'click')[]): void {
  for (const type of types) page.dispatchEvent(new Event(type))
}

test('changed controls rest until taps aimed at the former ones have passed', () => {
  change()
  expect(guard.resting).toBe(true)
  vi.advanceTimersByTime(SETTLE - 1)
  change() // once more: the wait begins again
  vi.advanceTimersByTime(SETTLE - 1)
  expect(guard.resting).toBe(true)
  vi.advanceTimersByTime(1)
  expect(guard.resting).toBe(false)
})

test('a tap without a change is followed by no rest', () => {
  happen('pointerdown', 'pointerup', 'click')
  vi.advanceTimersByTime(LONG)
  change()
  expect(guard.resting).toBe(true)
  vi.advanceTimersByTime(SETTLE)
})

test.each([
  ['while it is held', ['pointerdown'], ['pointerup', 'click']],
  ['between its release and its click', ['pointerdown', 'pointerup'], ['click']],
] as const)('a press may click if controls change %s, and the next tap may not', (_, before, after) => {
  happen(...before)
  change()
  expect(guard.resting).toBe(false)
  happen(...after)
  expect(guard.resting).toBe(true)
  vi.advanceTimersByTime(SETTLE - 1)
  expect(guard.resting).toBe(true)
  vi.advanceTimersByTime(1)
  expect(guard.resting).toBe(false)
})

test('however long a button is held, it may click', () => {
  happen('pointerdown')
  change()
  vi.advanceTimersByTime(LONG)
  expect(guard.resting).toBe(false)
  happen('pointerup', 'click')
  expect(guard.resting).toBe(true)
})

test('a press that ends without a click is followed by a rest as well', () => {
  happen('pointerdown')
  change()
  happen('pointercancel') // the page is scrolled
  expect(guard.resting).toBe(true)
  vi.advanceTimersByTime(SETTLE)

  happen('pointerdown')
  change()
  happen('pointerup') // outside the button
  vi.advanceTimersByTime(SETTLE / 2)
  expect(guard.resting).toBe(true)
  vi.advanceTimersByTime(SETTLE)

  happen('pointerdown')
  change()
  happen('pointerup', 'pointerdown') // outside the button, then pressed again
  expect(guard.resting).toBe(true)
})
