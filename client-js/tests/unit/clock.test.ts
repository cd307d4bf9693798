import { describe, expect, test, vi } from 'vitest'
import { TableClock } from '../../src/sdk/clock.ts'
import { seated } from './hand.ts'

/** A table clock and the local time that it reads. */
function pair(): { clock: TableClock; local: { at: number } } {
  const local = { at: 1_000 }
  return { clock: new TableClock(() => local.at), local }
}

describe('table time', () => {
  test('is what the first frame says, and runs from there', () => {
    const { clock, local } = pair()
    clock.heard(50_000, true)
    local.at += 1_500
    expect(clock.now()).toBe(51_500)
    expect(clock.left({ end: 60_000 })).toBe(8_500)
  })

  test('is the middle of the quickest round trip', () => {
    const { clock, local } = pair()
    clock.heard(50_000, true) // took 400 ms to arrive: it is really 50 400 by now
    const sent = local.at
    local.at += 100
    clock.pong(50_450, sent) // 40 ms there, 60 back: it is between 50 450 and 50 550 by now
    expect(clock.now()).toBeGreaterThanOrEqual(50_450)
    expect(clock.now()).toBeLessThanOrEqual(50_550)
  })

  test('is not spoilt by a slow answer', () => {
    const { clock, local } = pair()
    clock.heard(50_000, true)
    let sent = local.at
    local.at += 20
    clock.pong(50_010, sent)
    const before = clock.now() - local.at
    sent = local.at
    local.at += 5_000
    clock.pong(54_900, sent)
    expect(clock.now() - local.at).toBeCloseTo(before, 0)
  })

  test('stands still while the table is not live, and goes on from there', () => {
    const { clock, local } = pair()
    clock.heard(50_000, true)
    local.at += 1_000
    clock.heard(51_000, false)
    local.at += 60_000
    expect(clock.now()).toBe(51_000)
    expect(clock.live).toBe(false)
    clock.heard(51_000, true)
    local.at += 10
    expect(clock.now()).toBe(51_010)
  })

  test('follows a hub whose clock stood still without saying so', () => {
    const { clock, local } = pair()
    clock.heard(50_000, true)
    clock.pong(50_000, local.at)
    local.at += 20_000
    clock.pong(51_000, local.at - 30) // 20 s passed here, 1 s on the hub
    expect(clock.now()).toBeGreaterThanOrEqual(51_000)
    expect(clock.now()).toBeLessThanOrEqual(51_030)
  })

  test('of a held window does not run', () => {
    const { clock, local } = pair()
    clock.heard(50_000, true)
    local.at += 3_000
    expect(clock.left({ left: 7_000 })).toBe(7_000)
    expect(clock.left({ end: 1 })).toBe(0)
  })

  test('does not depend on what the device takes for the time of day', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 5 * 60_000 })
    try {
      const { clock, local } = pair()
      clock.heard(50_000, true)
      vi.setSystemTime(0)
      local.at += 1_000
      expect(clock.left({ end: 60_000 })).toBe(9_000)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('over the wire', () => {
  test('countdowns are right whatever time a socket took', () => {
    const { table, hub, timers } = seated()
    hub().say({
      t: 'frame',
      n: 11,
      now: 100_000,
      sections: {
        windows: {
          live: true,
          windows: [{ id: 'w', kind: 'bid', concerns: [0], span: 30_000, end: 130_000 }],
        },
      },
    })
    timers.pass(0)
    const ping = hub().of('ping')[0]
    timers.pass(80)
    hub().say({ t: 'pong', n: ping?.n ?? 0, now: 100_040 })
    timers.pass(10_000 - 80)
    expect(table.clock.left({ end: 130_000 })).toBeGreaterThan(19_900)
    expect(table.clock.left({ end: 130_000 })).toBeLessThan(20_001)
  })

  test('a new owner of the room runs on a different clock', () => {
    const { table, hub, timers } = seated()
    hub().say({ t: 'frame', n: 11, now: 100_000 })
    hub().lose()
    timers.pass(5_000)
    hub()
      .accept()
      .welcome({ epoch: 'r2' })
      .view(0, { windows: { live: true, windows: [] } }, { now: 100_900, epoch: 'r2' })
    expect(table.clock.now()).toBe(100_900)
  })
})
