/** Moves of one tap: which promises one breaks is told first, and the same press again sends it. */
import { fakePage, openSelection, type Selecting } from './selecting.svelte.ts'
import { flushSync } from 'svelte'
import { expect, test, vi } from 'vitest'
import type { TableView } from '../../src/app/tableview.svelte.ts'
import { SECOND_TAP } from '../../src/app/tapguard.svelte.ts'
import type { SharesSelection } from '../../src/games/shares/selection.svelte.ts'
import type { PromiseInfo } from '../../src/sdk/wire.gen.ts'
import type { HubEnd } from './hand.ts'

const RAISE: PromiseInfo = { id: 'raise', by: 0, kind: 'raise', terms: { company: 'A', round: 1 }, at: 0 }
const HELP: PromiseInfo = { ...RAISE, id: 'help', kind: 'help' }

fakePage()

function sectionsAt(turn: number, promises: readonly PromiseInfo[]): Record<string, unknown> {
  const id = `turn:${turn}`
  const moves = ['endTurn', 'drawUp', 'stopPeeking'].map((move) => ({ move, fields: {} }))
  return {
    table: { status: 'running', seats: [{ name: 'Ann' }, { name: 'Bo' }] },
    prompts: { prompts: [{ id, kind: 'turn', seats: [0] }] },
    choices: { choices: { [id]: moves } },
    promises: { promises },
  }
}

/** Seat 0 on its turn, with these promises. */
class Turn {
  readonly #table: Selecting
  #frames = 10

  constructor(promises: readonly PromiseInfo[] = [RAISE]) {
    this.#table = openSelection(sectionsAt(1, promises))
  }

  get view(): TableView {
    return this.#table.view
  }

  get selection(): SharesSelection {
    return this.#table.selection
  }

  get hub(): HubEnd {
    return this.#table.hub()
  }

  get sent(): readonly unknown[] {
    return this.hub.of('do').map(({ move }) => move.move)
  }

  get asked(): readonly unknown[] {
    return this.hub.of('preview').map(({ move }) => move.move)
  }

  press(move: string): void {
    void this.selection.sendSimple(move)
  }

  /** The hub's answer to the last question. */
  async answer(...breaks: readonly string[]): Promise<void> {
    const { n = 0 } = this.hub.of('preview').at(-1) ?? {}
    this.hub.say({ t: 'previewed', n, data: null, breaks })
    await this.#settle()
  }

  /** The hub is too busy to answer, as often as it is asked. */
  async refuse(): Promise<void> {
    const { n = 0 } = this.hub.of('preview').at(-1) ?? {}
    for (let asked = 0; asked < 4; asked += 1) {
      this.hub.say({ t: 'verdict', n, code: 'SLOW_DOWN' })
      this.#table.timers.pass(5_000)
    }
    await this.#settle()
  }

  async change(turn: number, promises: readonly PromiseInfo[]): Promise<void> {
    this.#frames += 1
    this.hub.say({ t: 'frame', n: this.#frames, now: 0, sections: sectionsAt(turn, promises) })
    await this.#settle()
  }

  /** Longer than a double tap. */
  wait(): void {
    vi.advanceTimersByTime(SECOND_TAP)
  }

  async #settle(): Promise<void> {
    await vi.advanceTimersByTimeAsync(0)
    flushSync()
  }
}

test('the first press tells what it breaks, and the same press again sends it', async () => {
  const turn = new Turn()
  turn.press('endTurn')
  expect([turn.asked, turn.view.answer.is]).toEqual([['endTurn'], 'sent'])
  await turn.answer('raise')
  expect([turn.sent, turn.view.breaks, turn.selection.heldBack, turn.view.answer.is]).toEqual([
    [],
    ['raise'],
    'endTurn',
    'none',
  ])
  turn.wait()
  turn.press('endTurn')
  await turn.answer('raise')
  expect(turn.sent).toEqual(['endTurn'])
})

test('neither a double tap nor a key that is held sends it', async () => {
  const turn = new Turn()
  turn.press('endTurn')
  turn.press('endTurn') // before the hub has answered
  expect(turn.asked).toHaveLength(1)
  await turn.answer('raise')
  for (let time = 0; time < 2 * SECOND_TAP; time += 100) {
    turn.press('endTurn')
    vi.advanceTimersByTime(100)
  }
  expect([turn.asked.length, turn.sent]).toEqual([1, []])
})

test('another move is asked about for itself', async () => {
  const turn = new Turn()
  turn.press('endTurn')
  await turn.answer('raise')
  turn.wait()
  turn.press('drawUp')
  expect(turn.asked).toEqual(['endTurn', 'drawUp'])
  await turn.answer('raise')
  expect([turn.sent, turn.selection.heldBack]).toEqual([[], 'drawUp'])
})

test('what has been promised since is told first, too', async () => {
  const turn = new Turn()
  turn.press('endTurn')
  await turn.answer('raise')
  await turn.change(1, [RAISE, HELP])
  turn.wait()
  turn.press('endTurn')
  await turn.answer('raise', 'help')
  expect([turn.sent, turn.view.breaks]).toEqual([[], ['raise', 'help']])
})

test('another prompt knows nothing of it, nor of an answer that comes too late', async () => {
  const turn = new Turn()
  turn.press('endTurn')
  await turn.answer('raise')
  await turn.change(2, [RAISE])
  expect([turn.view.breaks, turn.selection.heldBack]).toEqual([[], null])
  turn.press('endTurn')
  await turn.change(3, [RAISE])
  await turn.answer('raise')
  expect([turn.view.breaks, turn.selection.heldBack, turn.sent]).toEqual([[], null, []])
})

test('what breaks nothing is sent by the first press', async () => {
  const turn = new Turn()
  turn.press('endTurn')
  await turn.answer()
  expect(turn.sent).toEqual(['endTurn'])
})

test('what can break nothing is sent unasked, and all is while nothing is promised', () => {
  const turn = new Turn()
  turn.press('stopPeeking')
  const free = new Turn([{ ...RAISE, judgement: 'kept' }])
  free.press('endTurn')
  expect([turn.sent, turn.asked, free.sent, free.asked]).toEqual([['stopPeeking'], [], ['endTurn'], []])
})

test('a hub too busy to answer lets nothing be sent', async () => {
  const turn = new Turn()
  turn.press('endTurn')
  await turn.refuse()
  expect([turn.sent, turn.view.answer]).toMatchObject([[], { is: 'refused', code: 'SLOW_DOWN' }])
  turn.press('endTurn')
  expect(turn.view.answer.is).toBe('sent')
})

test('a warning takes the place of an older refusal', () => {
  const { view } = new Turn()
  view.showReason('Not now.')
  view.warn([])
  expect(view.answer.is).toBe('refused')
  view.warn(['raise'])
  expect(view.answer.is).toBe('none')
})
