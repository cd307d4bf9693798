/** A phone beside a shared screen: when it is a hand, and which side is in front. */
import { flushSync } from 'svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BOARD_STAYS_MS, Hand, hasSharedScreen, SCREEN_GONE_MS } from '../../src/app/table/hand.svelte.ts'

let screen = $state(true)
let suits = $state(true)
let choosing = $state<string | null>(null)
let writing = false
let hand: Hand
let leave: () => void

beforeEach(() => {
  vi.useFakeTimers()
  screen = suits = true
  choosing = null
  writing = false
  leave = $effect.root(() => {
    hand = new Hand(
      () => ({ screen, suits, choosing }),
      () => writing,
    )
  })
  flushSync()
})
afterEach(() => {
  leave()
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

/** The prompt that is answered on the board becomes this one; if there is none, the board's time passes. */
function ask(prompt: string | null): void {
  choosing = prompt
  flushSync()
  if (prompt === null) vi.advanceTimersByTime(BOARD_STAYS_MS)
}

test('a shared screen is a connected host without a seat', () => {
  expect(hasSharedScreen({ host_name: 'Tess' }, { host: true })).toBe(true)
  expect(hasSharedScreen({ host_name: 'Tess' }, { host: false })).toBe(false)
  expect(hasSharedScreen({ host_name: null }, { host: true })).toBe(false)
  expect(hasSharedScreen(undefined, undefined)).toBe(false)
})

test('the hand outlives a reload of the screen, and ends when the screen stays away', () => {
  expect(hand.on).toBe(true)
  screen = false
  flushSync()
  vi.advanceTimersByTime(SCREEN_GONE_MS - 1)
  expect(hand.on).toBe(true)
  screen = true
  flushSync()
  vi.advanceTimersByTime(SCREEN_GONE_MS)
  expect(hand.on).toBe(true)
  screen = false
  flushSync()
  vi.advanceTimersByTime(SCREEN_GONE_MS)
  expect(hand.on).toBe(false)
  screen = true
  flushSync()
  expect(hand.on).toBe(true)
})

test('a page that does not suit is no hand, at once', () => {
  suits = false
  expect(hand.on).toBe(false)
})

test('the board comes to the front for each choice on it, and leaves again', () => {
  ask('1')
  expect(hand.side).toBe('board')
  ask(null)
  expect(hand.side).toBe('hand')
  ask('2')
  hand.turnTo('hand')
  expect(hand.side).toBe('hand')
  ask('3')
  expect(hand.side).toBe('board')
  ask(null)
  expect(hand.side).toBe('hand')
})

test('the board stays for a moment after a choice, and for the next one', () => {
  ask('1')
  choosing = null
  flushSync()
  vi.advanceTimersByTime(BOARD_STAYS_MS - 1)
  expect(hand.side).toBe('board')
  ask('2')
  vi.advanceTimersByTime(BOARD_STAYS_MS)
  expect(hand.side).toBe('board')
  ask(null)
  expect(hand.side).toBe('hand')
})

test('whoever turned to the board stays there, until the next hand', () => {
  hand.turnTo('board')
  ask('1')
  ask(null)
  expect(hand.side).toBe('board')
  suits = false
  flushSync()
  hand.turnTo('board')
  suits = true
  flushSync()
  expect(hand.side).toBe('hand')
})

test('nothing moves away from what somebody is writing', () => {
  writing = true
  ask('1')
  expect(hand.side).toBe('hand')
  writing = false
  ask('2')
  expect(hand.side).toBe('board')
})

test('without a hand, nobody is called to the board', () => {
  suits = false
  ask('1')
  expect(hand.side).toBe('hand')
  suits = true
  flushSync()
  expect(hand.side).toBe('board')
})
