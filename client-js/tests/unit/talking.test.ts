/** Whether the chat stays at its newest line, and in which order it has words and promises. */
import { describe, expect, it } from 'vitest'
import { isAsked } from '../../src/app/table/asked.ts'
import { fittingFirst, followsNewest, interleave } from '../../src/app/table/talking.ts'
import type { TableView } from '../../src/app/tableview.svelte.ts'
import type { TalkMessage } from '../../src/sdk/wire.gen.ts'

describe('the chat', () => {
  const list = { scrollHeight: 900, clientHeight: 300, scrollTop: 600 }

  it('follows at its end, and again once somebody scrolls back there', () => {
    expect(followsNewest(list, 600, true)).toBe(true)
    expect(followsNewest(list, 0, false)).toBe(true)
  })

  it('follows on when a tip makes it lower, or a line longer', () => {
    expect(followsNewest({ ...list, clientHeight: 180 }, 600, true)).toBe(true)
    expect(followsNewest({ ...list, scrollHeight: 1000 }, 600, true)).toBe(true)
  })

  it('stays where somebody has scrolled up to read', () => {
    const up = { ...list, scrollTop: 200 }
    expect(followsNewest(up, 600, true)).toBe(false)
    expect(followsNewest({ ...up, scrollTop: 300 }, 200, false)).toBe(false)
  })
})

describe('the phrases to say', () => {
  it('are in one order, those that fit first', () => {
    const fits = (phrase: string): boolean => phrase === 'thanks' || phrase === 'raise'
    expect(fittingFirst(['raise', 'lower', 'thanks', 'no'], fits)).toEqual({
      fitting: ['raise', 'thanks'],
      others: ['lower', 'no'],
    })
  })

  const said = (seat: number | null, more: object = {}): TalkMessage =>
    ({ channel: 'table', name: 'Somebody', seat, at: 1, ...more }) as TalkMessage
  const isAskedBy = (talk: readonly TalkMessage[], owed?: () => object | null): boolean =>
    isAsked({ seat: 0, game: { owed }, state: { talk } } as unknown as TableView)

  it('have a yes and a no while somebody waits for it', () => {
    expect(isAskedBy([])).toBe(false)
    expect(isAskedBy([said(1)])).toBe(true)
    expect(isAskedBy([said(1), said(0)])).toBe(false)
    expect(isAskedBy([said(1), said(0), said(2, { to: 0 })])).toBe(true)
    expect(isAskedBy([said(1, { to: 2 }), said(null)])).toBe(false)
  })

  it('have them for a bot only if it asks something of this seat', () => {
    const bot = said(1, { bot: true, args: { to: 0 } })
    expect(isAskedBy([bot], () => ({ kind: 'spare' }))).toBe(true)
    expect(isAskedBy([bot], () => null)).toBe(false)
    expect(isAskedBy([bot])).toBe(true)
    expect(isAskedBy([said(1, { bot: true })])).toBe(false)
  })
})

describe('words and promises', () => {
  const bot = (seat: number, at: number) => ({ seat, at, bot: true })
  const person = (seat: number, at: number) => ({ seat, at })
  const [first, second] = [{ message: 0 }, { message: 1 }]

  it('has the words of a bot first, and then what it promises by them', () => {
    const promises = [{ by: 2, at: 700 }]
    expect(interleave([bot(1, 700), bot(2, 700)], promises)).toEqual([first, second, { promise: 0 }])
    expect(interleave([bot(2, 703), bot(1, 900)], promises)).toEqual([first, { promise: 0 }, second])
  })

  it('has every other promise in its place', () => {
    const promises = [{ by: 2, at: 700 }]
    expect(interleave([bot(1, 699), bot(1, 800)], promises)).toEqual([first, { promise: 0 }, second])
    expect(interleave([bot(2, 600), bot(2, 9_000)], promises)).toEqual([first, { promise: 0 }, second])
    expect(interleave([person(2, 700)], promises)).toEqual([{ promise: 0 }, first])
    expect(interleave([person(1, 500)], promises)).toEqual([first, { promise: 0 }])
    expect(interleave([], promises)).toEqual([{ promise: 0 }])
  })
})
