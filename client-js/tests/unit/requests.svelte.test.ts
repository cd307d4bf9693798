/** What a bot asks of this person stays until they answer it or move. */
import { flushSync } from 'svelte'
import { afterEach, expect, test } from 'vitest'
import { Requests } from '../../src/app/table/requests.svelte.ts'
import type { TableView } from '../../src/app/tableview.svelte.ts'
import type { TalkMessage } from '../../src/sdk/wire.gen.ts'

const said = (seat: number, at: number, phrase: string, bot = true): TalkMessage =>
  ({ channel: 'table', name: `Seat ${seat}`, seat, at, phrase, bot }) as TalkMessage
const ask = said(1, 10, 'sample.bot.ask.1')
const swap = said(2, 20, 'sample.bot.ask.2')

/** Seat 0; its game lets it answer whatever a bot asks. */
class FakeView {
  readonly acts = true
  readonly online = false
  readonly seat = 0
  acted = $state(-1)
  state = $state.raw<{ talk: readonly TalkMessage[]; lines: readonly (readonly unknown[])[] }>({
    talk: [],
    lines: [[1, 'sample.moved', {}, 5]],
  })
  readonly game = {
    answers: new Set(['yes', 'no']),
    replies: (_: unknown, { phrase }: TalkMessage) => (phrase?.includes('.ask.') === true ? ['yes'] : []),
  }
  section(name: string): unknown {
    return name === 'talk_policy' ? { mode: 'open', phrases: ['yes', 'no'] } : undefined
  }
}

let close: (() => void) | undefined
afterEach(() => close?.())

function open(talk: readonly TalkMessage[]): { view: FakeView; requests: Requests; asked: () => unknown } {
  const view = new FakeView()
  view.state = { ...view.state, talk }
  let requests = null as Requests | null
  close = $effect.root(() => {
    requests = new Requests(view as unknown as TableView)
  })
  flushSync()
  const all = requests as unknown as Requests
  return { view, requests: all, asked: () => all.current?.message }
}

test('stays while bots talk to each other, and until one of its answers is said', () => {
  const { view, requests, asked } = open([ask])
  const chatter = Array.from({ length: 30 }, (_, index) => said(2, 11, `sample.bot.thanks.${index}`))
  view.state = { ...view.state, talk: [ask, ...chatter] }
  expect(asked()).toBe(ask)
  view.state = { ...view.state, talk: [...view.state.talk, said(0, 12, 'hello', false)] }
  expect(asked()).toBe(ask)
  view.state = { ...view.state, talk: [...view.state.talk, said(0, 13, 'yes', false)] }
  expect(asked()).toBeUndefined()
  flushSync()
  expect(requests.latest).toBe(ask) // it has been read: it is not heard once more
  const again = said(1, 30, 'sample.bot.ask.3')
  view.state = { ...view.state, talk: [...view.state.talk, again] }
  expect(asked()).toBe(again)
})

test('an answer is to the last bot that asked: the other still waits', () => {
  const { view, asked } = open([ask, swap])
  expect(asked()).toBe(swap)
  view.state = { ...view.state, talk: [ask, swap, said(0, 25, 'yes', false)] }
  expect(asked()).toBe(ask)
  view.state = { ...view.state, talk: [...view.state.talk, said(0, 26, 'no', false)] }
  expect(asked()).toBeUndefined()
})

test('ends with a move of this person, but not with one of theirs before', () => {
  const { view, asked } = open([ask])
  view.acted = 1
  expect(asked()).toBe(ask)
  view.state = { ...view.state, lines: [...view.state.lines, [2, 'sample.moved', {}, 15]] }
  view.acted = 2
  expect(asked()).toBeUndefined()
})

test('may be put aside', () => {
  const { requests, asked } = open([ask, swap])
  const { current } = requests
  if (current !== null) requests.putAside(current)
  expect(asked()).toBe(ask)
})
