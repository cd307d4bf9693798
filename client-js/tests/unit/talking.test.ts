/** Whether the chat stays at its newest line. */
import { describe, expect, it } from 'vitest'
import { followsNewest } from '../../src/app/table/talking.ts'

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
