import { describe, expect, test } from 'vitest'
import { bench, seated } from './hand.ts'

describe('a lost socket', () => {
  test('is opened again, later each time, within bounds', () => {
    const { sockets, timers, hub } = bench()
    const waits: number[] = []
    for (let round = 0; round < 9; round += 1) {
      hub().lose()
      const from = timers.now
      const known = sockets.length
      while (sockets.length === known) timers.pass(1)
      waits.push(timers.now - from)
    }
    expect(waits).toEqual(waits.toSorted((a, b) => a - b))
    expect(waits[0]).toBeLessThanOrEqual(250)
    expect(waits.at(-1)).toBeGreaterThanOrEqual(4_000)
    expect(waits.at(-1)).toBeLessThanOrEqual(8_000)
  })

  test('says so, and says when it is back', () => {
    const { table, hub, timers } = seated()
    expect(table.state.link).toEqual({ is: 'open' })
    hub().lose()
    expect(table.state.link.is).toBe('waiting')
    expect(table.state.seen).toBe(true)
    timers.pass(1_000)
    hub().accept().welcome()
    expect(table.state.link.is).toBe('open')
  })

  test('is tried at once when the network is said to be back', () => {
    const { table, hub, sockets, timers } = seated()
    hub().lose()
    expect(sockets).toHaveLength(1)
    table.retryNow()
    expect(sockets).toHaveLength(2)
    timers.pass(250) // the attempt that was due later is not made as well
    expect(sockets).toHaveLength(2)
  })

  test.each([1003, 1007, 1009, 4003, 4004, 4010, 4011, 4012, 4013])('closed with %i stays closed', (code) => {
    const { table, hub, sockets, timers } = seated()
    hub().lose(code)
    timers.pass(60_000)
    expect(table.state.link).toEqual({ is: 'closed', code })
    expect(sockets).toHaveLength(1)
  })

  test.each([1001, 1005, 1006, 1013, 4001, 4009])('closed with %i comes back', (code) => {
    const { hub, sockets, timers } = seated()
    hub().lose(code)
    timers.pass(1_000)
    expect(sockets).toHaveLength(2)
  })

  test('closed for too many messages waits longer', () => {
    const { hub, sockets, timers } = seated()
    hub().lose(4008)
    timers.pass(3_900)
    expect(sockets).toHaveLength(1)
    timers.pass(4_200)
    expect(sockets).toHaveLength(2)
  })
})

describe('the heartbeat', () => {
  test('pings soon after the welcome and then every few seconds', () => {
    const { hub, timers } = seated()
    timers.pass(0)
    expect(hub().of('ping')).toHaveLength(1)
    timers.pass(250)
    expect(hub().of('ping')).toHaveLength(2)
    timers.pass(7_000)
    expect(hub().of('ping').length).toBeGreaterThanOrEqual(4)
  })

  test('considers a socket lost when nothing is heard on it', () => {
    const { hub, timers, sockets } = seated()
    const first = hub()
    timers.pass(7_900)
    expect(sockets).toHaveLength(1)
    timers.pass(500)
    expect(first.closedByClient).toBe(true)
    expect(sockets.length).toBeGreaterThan(1)
  })

  test('is content with any message', () => {
    const { hub, timers, sockets } = seated()
    for (let n = 11; n < 20; n += 1) {
      timers.pass(5_000)
      hub().say({ t: 'frame', n, now: 0 })
    }
    expect(sockets).toHaveLength(1)
  })

  test('of a dropped socket does not disturb the next', () => {
    const { hub, timers, sockets } = seated()
    const first = hub()
    first.lose()
    timers.pass(1_000)
    hub().accept().welcome().view(0)
    first.lose()
    first.welcome()
    timers.pass(300)
    expect(sockets).toHaveLength(2)
    expect(first.of('ping')).toHaveLength(0)
  })
})

describe('what is not part of this protocol', () => {
  test.each([
    ['text', 'hello'],
    ['no msgpack', new Uint8Array([0xc1]).buffer],
    ['no message', new Uint8Array([0x01]).buffer],
  ])('%s drops the socket and comes back', (_, data) => {
    const { hub, sockets, timers } = seated()
    hub().raw(data)
    timers.pass(1_000)
    expect(sockets).toHaveLength(2)
  })

  test('a kind of message newer than this client is ignored', () => {
    const { table, hub, sockets } = seated()
    const before = table.state
    hub().say({ t: 'confetti' } as never)
    expect(table.state).toBe(before)
    expect(sockets).toHaveLength(1)
  })
})
