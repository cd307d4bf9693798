/** Plain answers set in advance: given once the seat is asked, unless something that concerns it has changed. */
import { flushSync } from 'svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { hush, voice } from '../../src/app/announce.svelte.ts'
import type { AheadAnswer } from '../../src/app/game.ts'
import { Ahead } from '../../src/app/table/ahead.svelte.ts'
import type { TableView } from '../../src/app/tableview.svelte.ts'
import type { AudienceLine, TalkMessage } from '../../src/sdk/wire.gen.ts'

const MINE = 1
const PASS: AheadAnswer = {
  prompt: 'turn',
  move: 'pass',
  label: () => 'Pass',
  ignores: ['takeover.passed', 'flip'],
  may: () => true,
  concerns: (view) => (view as unknown as FakeView).last,
}
const line = (number: number, key: string): AudienceLine =>
  [number, key, {}, number, false] as unknown as AudienceLine

/** The view of seat 1 at a table of this test's own. */
class FakeView {
  readonly seat = MINE
  readonly about = { game: 'takeover' }
  readonly game = { ahead: [PASS] }
  acts = $state(true)
  status = $state('running')
  due = $state.raw<readonly number[]>([])
  online = $state(true)
  asked = $state(false)
  last = $state(false)
  state = $state.raw({
    lines: [line(1, 'takeover.play')],
    talk: [] as TalkMessage[],
    sections: { hand: ['S1'], flip: 1, board: 1 } as Record<string, unknown>,
  })
  readonly did: unknown[] = []
  may(): boolean {
    return this.asked
  }
  do(prompt: string, move: unknown): void {
    this.did.push([prompt, move])
    this.asked = false
  }
  add(key: string): void {
    const { lines } = this.state
    this.state = { ...this.state, lines: [...lines, line(lines.length + 1, key)] }
  }
  show(sections: Record<string, unknown>): void {
    this.state = { ...this.state, sections: { ...this.state.sections, ...sections } }
  }
  whisper(to: number | undefined): void {
    const message = { channel: 'table', name: 'Bo', at: 5, seat: 0, to, text: 'pst' } as TalkMessage
    this.state = { ...this.state, talk: [...this.state.talk, message] }
  }
}

let close: () => void
beforeEach(() => {
  vi.useFakeTimers()
  hush()
})
afterEach(() => {
  close()
  vi.useRealTimers()
})

function open(): { view: FakeView; ahead: Ahead } {
  const view = new FakeView()
  let ahead: Ahead | undefined
  close = $effect.root(() => {
    ahead = new Ahead(
      () => view as unknown as TableView,
      () => 0.5,
    )
  })
  if (ahead === undefined) throw new Error('it is made at once')
  ahead.toggle(PASS)
  flushSync()
  return { view, ahead }
}

function wait(milliseconds: number): void {
  vi.advanceTimersByTime(milliseconds)
  flushSync()
}

test('the answer is given once, after a pause, when the seat is asked', () => {
  const { view, ahead } = open()
  wait(60_000)
  expect(view.did).toEqual([])
  view.asked = true
  flushSync()
  wait(800)
  expect(view.did).toEqual([])
  wait(2_000)
  expect(view.did).toEqual([['turn', { move: 'pass' }]])
  expect(ahead.chosen).toBeNull()
  view.asked = true
  flushSync()
  wait(60_000)
  expect(view.did).toHaveLength(1)
})

test('it can be taken back, also in the pause', () => {
  const { view, ahead } = open()
  view.asked = true
  flushSync()
  wait(500)
  ahead.toggle(PASS)
  flushSync()
  wait(60_000)
  expect(view.did).toEqual([])
  expect(voice.notice).toBeNull()
})

const CHANGES: Record<string, (view: FakeView) => void> = {
  'a line': (view) => view.add('takeover.merged'),
  'a line for this seat alone': (view) => view.add('takeover.yourFlip'),
  'what only this seat sees': (view) => view.show({ hand: ['S1', 'S2'] }),
  'an offer': (view) => view.show({ deals: { offers: [1] } }),
  'a whisper to this seat': (view) => view.whisper(MINE),
  'what the game says': (view) => (view.last = true),
}

test.each(Object.keys(CHANGES))('%s makes it lapse, before or in the pause, and says so', (what) => {
  for (const asked of [false, true]) {
    const { view, ahead } = open()
    view.asked = asked
    flushSync()
    CHANGES[what]?.(view)
    flushSync()
    expect(ahead.chosen).toBeNull()
    expect(voice.notice?.text).toBe('“Pass” is no longer set in advance, because something has changed.')
    view.asked = true
    flushSync()
    wait(60_000)
    expect(view.did).toEqual([])
    hush()
    close()
  }
})

test('what concerns nobody’s decision leaves it in place', () => {
  const { view, ahead } = open()
  for (const key of ['takeover.passed', 'table.paused', 'timeControl.extended']) view.add(key)
  view.show({ flip: 2, board: 2 })
  view.whisper(undefined)
  view.whisper(0)
  flushSync()
  expect(ahead.chosen).toBe(PASS)
})

test('an answer by hand, or a bot in the seat, ends it without a word', () => {
  for (const end of [(view: FakeView) => (view.asked = false), (view: FakeView) => (view.acts = false)]) {
    const { view, ahead } = open()
    view.asked = true
    flushSync()
    end(view)
    flushSync()
    expect(ahead.chosen).toBeNull()
    wait(60_000)
    expect(view.did).toEqual([])
    expect(voice.notice).toBeNull()
    close()
  }
})

test('a pause ends it, and says so', () => {
  const { view, ahead } = open()
  view.status = 'paused'
  view.acts = false
  flushSync()
  expect(ahead.chosen).toBeNull()
  expect(voice.notice?.text).toBe('“Pass” is no longer set in advance, because something has changed.')
})

test('nothing is sent while there is no connection', () => {
  const { view } = open()
  view.online = false
  view.asked = true
  flushSync()
  wait(60_000)
  expect(view.did).toEqual([])
  view.online = true
  flushSync()
  wait(3_000)
  expect(view.did).toHaveLength(1)
})

test('it is offered while the seat is not asked, and once it is set', () => {
  const { view, ahead } = open()
  expect(ahead.offered).toEqual([PASS])
  ahead.toggle(PASS)
  view.asked = true
  flushSync()
  expect(ahead.offered).toEqual([])
  view.asked = false
  view.due = [MINE] // something else is asked
  flushSync()
  expect(ahead.offered).toEqual([])
  view.due = [0]
  flushSync()
  expect(ahead.offered).toEqual([PASS])
  view.acts = false
  flushSync()
  expect(ahead.offered).toEqual([])
})
