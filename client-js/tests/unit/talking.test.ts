/** Whether the chat stays at its newest line, and in which order it has words and promises. */
import { describe, expect, it } from 'vitest'
import { followsNewest, interleave, keepPlaces } from '../../src/app/table/talking.ts'

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
  const phrases = ['raise', 'lower', 'thanks', 'no']

  it('keep their places while others come and go', () => {
    expect(keepPlaces([], ['raise', 'thanks'], phrases)).toEqual(['raise', 'thanks'])
    expect(keepPlaces(['raise', 'thanks'], ['lower', 'thanks'], phrases)).toEqual([
      'raise',
      'thanks',
      'lower',
    ])
    expect(keepPlaces(['raise', 'thanks'], [], phrases)).toEqual(['raise', 'thanks'])
  })

  it('leave once the table allows them no longer', () => {
    expect(keepPlaces(['raise', 'thanks'], ['no'], ['thanks', 'no'])).toEqual(['thanks', 'no'])
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
