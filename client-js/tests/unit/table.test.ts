import { describe, expect, test } from 'vitest'
import { LEFT } from '../../src/sdk/table.ts'
import type { AudienceLine } from '../../src/sdk/wire.gen.ts'
import { bench, seated, type Bench } from './hand.ts'

describe('hello', () => {
  test('is the first message, with the ticket and no attach the first time', () => {
    const { hub } = bench()
    expect(hub().sent).toEqual([])
    hub().accept()
    expect(hub().sent).toEqual([{ t: 'hello', ticket: 'ticket', session: null }])
  })

  test('carries the attach of an earlier page, and numbers go on where that page stopped', () => {
    const { table, hub } = bench({ resume: { session: 4, n: 31 } })
    hub().accept().welcome({ session: 4 }).view(0)
    void table.do('bid:1', { move: 'lock' })
    expect(hub().of('hello')[0]?.session).toBe(4)
    expect(hub().of('do')).toEqual([{ t: 'do', session: 4, n: 32, prompt: 'bid:1', move: { move: 'lock' } }])
    expect(table.resume).toEqual({ session: 4, n: 32 })
  })

  test('sends the attach that the hub gave when the socket comes back', () => {
    const { hub, timers } = seated()
    hub().lose()
    timers.pass(1_000)
    hub().accept()
    expect(hub().of('hello')[0]?.session).toBe(7)
  })
})

describe('frames', () => {
  test('bring sections up to date; null removes one; the rest stay the same objects', () => {
    const { table, hub } = bench()
    hub()
      .accept()
      .welcome()
      .view(10, { a: { x: 1 }, b: { y: 1 }, c: { z: 1 } })
    const before = table.state.sections.a
    hub().say({ t: 'frame', n: 11, now: 0, sections: { b: { y: 2 }, c: null } })
    expect(table.state.sections).toEqual({ a: { x: 1 }, b: { y: 2 } })
    expect(table.state.sections.a).toBe(before)
  })

  test('bound to a window are forgotten when the line is lost, and come back with the view', () => {
    const { table, hub, timers } = seated()
    const windows = {
      live: true,
      windows: [
        { id: 'peek:1', kind: 'peek', concerns: [0], span: 30_000, end: 30_000, sections: ['peek_content'] },
      ],
    }
    hub().say({ t: 'frame', n: 11, now: 0, sections: { windows, peek_content: { cards: ['AH'] }, board: 1 } })
    expect(Object.keys(table.state.sections)).toContain('peek_content')
    hub().lose()
    expect(Object.keys(table.state.sections)).not.toContain('peek_content')
    expect(table.state.sections.board).toBe(1)
    timers.pass(1_000)
    hub()
      .accept()
      .welcome()
      .view(12, { windows, peek_content: { cards: ['AH'] } })
    expect(table.state.sections.peek_content).toEqual({ cards: ['AH'] })
  })

  test('with a gap in their numbers make it say hello again, and show nothing from memory', () => {
    const { table, hub, sockets } = seated()
    hub().say({ t: 'frame', n: 11, now: 0, sections: { a: 1 } })
    const first = hub()
    first.say({ t: 'frame', n: 13, now: 0, sections: { a: 3 } })
    expect(table.state.sections.a).toBe(1)
    expect(first.closedByClient).toBe(true)
    expect(sockets).toHaveLength(2)
    hub().accept().welcome().view(13, { a: 3 })
    expect(table.state.sections).toEqual({ a: 3 })
    hub().say({ t: 'frame', n: 14, now: 0, sections: { a: 4 } })
    expect(table.state.sections.a).toBe(4)
  })

  test('follow a view that a busy hub sends a watcher instead of frames; the log and talk go on', () => {
    const { table, hub, sockets } = seated()
    const said = (text: string) => ({ channel: 'watchers' as const, name: 'Wil', at: 0, text })
    hub()
      .say({ t: 'frame', n: 11, now: 0, lines: [[1, 'first', {}, 0, false]] })
      .say({ t: 'talk', message: said('hi') })
      .say({
        t: 'view',
        epoch: 'r1',
        n: 11,
        now: 0,
        sections: { a: 5 },
        lines: [[3, 'third', {}, 0, false]],
        talk: [],
      })
      .say({ t: 'frame', n: 12, now: 0, sections: { a: 6 } })
    expect(table.state.sections).toEqual({ a: 6 })
    expect(table.state.lines.map(([number]) => number)).toEqual([1, 3])
    expect(table.state.talk).toMatchObject([said('hi')])
    expect(sockets).toHaveLength(1)
  })

  test('seen before are not applied twice', () => {
    const { table, hub, sockets } = seated()
    hub().say({ t: 'frame', n: 11, now: 0, sections: { a: 1 } })
    hub().say({ t: 'frame', n: 11, now: 0, sections: { a: 'again' } })
    expect(table.state.sections.a).toBe(1)
    expect(sockets).toHaveLength(1)
  })

  test('between a welcome and its view belong to nothing and are ignored', () => {
    const { table, hub, sockets } = bench()
    hub()
      .accept()
      .welcome()
      .say({ t: 'frame', n: 3, now: 0, sections: { a: 1 } })
      .view(3, { a: 2 })
    expect(table.state.sections).toEqual({ a: 2 })
    expect(sockets).toHaveLength(1)
  })

  test('of a new run follow its view, whatever number that has', () => {
    const { table, hub } = seated()
    hub().view(2, { a: 'new run' }, { epoch: 'r2' })
    hub().say({ t: 'frame', n: 3, now: 0, sections: { a: 'next' } })
    expect(table.state.sections.a).toBe('next')
  })

  test('append log lines, each once', () => {
    const { table, hub } = seated()
    hub().say({
      t: 'frame',
      n: 11,
      now: 0,
      lines: [
        [0, 'a', {}, 5],
        [1, 'b', {}, 5],
      ],
    })
    hub().say({
      t: 'frame',
      n: 12,
      now: 0,
      lines: [
        [1, 'b', {}, 5],
        [2, 'c', {}, 6],
      ],
    })
    expect(table.state.lines.map((line) => line[1])).toEqual(['a', 'b', 'c'])
  })
})

describe('a step back', () => {
  const SEEN: readonly AudienceLine[] = [
    [1, 'table.sat_down', { name: 'Ann', seat: 0 }, 0, false],
    [2, 'table.started', {}, 0, false],
    [3, 'bid', { seat: 0, number: 7 }, 5_000, false],
  ]
  const NEXT: AudienceLine = [4, 'bid', { seat: 1, number: 7 }, 6_000, false]

  /** Somebody who has seen these lines, the last of them in a frame. */
  function seen(who: { seat?: number | null; session?: number | null } = {}): Bench {
    const made = bench()
    made
      .hub()
      .accept()
      .welcome(who)
      .view(10, {}, { lines: SEEN.slice(0, 2) })
    made.hub().say({ t: 'frame', n: 11, now: 0, lines: SEEN.slice(2) })
    expect(made.table.state.lines).toEqual(SEEN)
    return made
  }

  /** What a client counts that comes back, perhaps as somebody else, to a view with these lines. */
  function counted(
    { table, hub, timers }: Bench,
    lines: readonly AudienceLine[],
    who: { seat?: number | null; session?: number | null } = {},
  ): number {
    hub().lose(4001)
    timers.pass(1_000)
    hub()
      .accept()
      .welcome({ ...who, epoch: 'r2' })
    expect(table.state.stepsBack).toBe(0)
    hub().view(0, {}, { epoch: 'r2', lines })
    expect(table.state.lines).toEqual(lines)
    return table.state.stepsBack
  }

  test('is a view that ends before a line that was seen', () => {
    expect(counted(seen(), SEEN.slice(0, 2))).toBe(1)
  })

  test.each<readonly [string, AudienceLine]>([
    ['key', [3, 'locked', { seat: 0, number: 7 }, 5_000, false]],
    ['argument', [3, 'bid', { seat: 0, number: 8 }, 5_000, false]],
    ['time', [3, 'bid', { seat: 0, number: 7 }, 5_001, false]],
  ])('is a view in which a line that was seen has another %s', (_, line) => {
    expect(counted(seen(), [...SEEN.slice(0, 2), line, NEXT])).toBe(1)
  })

  test('is counted each time, and not again by a view that has all lines of the last one', () => {
    const made = seen()
    counted(made, SEEN.slice(0, 2))
    const { table, hub, timers } = made
    for (const [lines, expected] of [
      [SEEN.slice(0, 2), 1],
      [SEEN, 1],
      [SEEN.slice(0, 1), 2],
    ] as const) {
      hub().lose()
      timers.pass(1_000)
      hub().accept().welcome().view(0, {}, { lines })
      expect(table.state.stepsBack).toBe(expected)
    }
  })

  test('is no ordinary return, with the lines that were seen, more of them, or only later ones', () => {
    const reordered: AudienceLine = [3, 'bid', { number: 7, seat: 0 }, 5_000, false]
    expect(counted(seen(), SEEN)).toBe(0)
    expect(counted(seen(), [...SEEN.slice(0, 2), reordered, NEXT])).toBe(0)
    expect(counted(seen(), [NEXT])).toBe(0)
  })

  test('is no view that has no room for lines', () => {
    expect(counted(seen(), [])).toBe(0)
  })

  test('is no name that an operator has removed', () => {
    const nameless: AudienceLine = [1, 'table.sat_down', { name: '(removed)', seat: 0 }, 0, false]
    expect(counted(seen(), [nameless, ...SEEN.slice(1)])).toBe(0)
  })

  test('is no view that a busy hub sends a watcher instead of frames', () => {
    const { table, hub } = seen({ seat: null, session: null })
    hub().view(11, {}, { lines: SEEN.slice(0, 2) })
    expect(table.state.stepsBack).toBe(0)
    expect(table.state.lines).toEqual(SEEN)
  })

  test('is no delay, which a host without a seat who only watches from now on has', () => {
    const made = seen({ seat: null, session: 7 })
    expect(counted(made, SEEN.slice(0, 1), { seat: null, session: null })).toBe(0)
  })
})

describe('a command', () => {
  test('settles with the error that names its number, as there will be no verdict', async () => {
    const { table, hub } = seated()
    const refused = table.do('bid:1', { move: 'lock' })
    const note = table.note('kept')
    hub().say({ t: 'error', code: 'BAD_FIELDS', advice: 'no' })
    hub().say({ t: 'error', code: 'BAD_FIELDS', advice: 'no', n: hub().of('do')[0]?.n ?? -1 })
    expect(await refused).toEqual({ code: 'BAD_FIELDS', rule: null, args: {} })
    expect(table.state.unanswered).toBe(1)
    hub().say({ t: 'verdict', n: hub().of('note')[0]?.n ?? -1 })
    expect((await note).code).toBeNull()
  })

  test('settles once, with the verdict of its number', async () => {
    const { table, hub } = seated()
    const first = table.do('bid:1', { move: 'lock' })
    const second = table.manage({ do: 'pause' })
    expect(table.state.unanswered).toBe(2)
    hub().say({ t: 'verdict', n: 2, code: 'NOT_HOST' })
    hub().say({ t: 'verdict', n: 1 })
    hub().say({ t: 'verdict', n: 1, code: 'STALE_PROMPT' })
    expect(await first).toEqual({ code: null, rule: null, args: {} })
    expect(await second).toEqual({ code: 'NOT_HOST', rule: null, args: {} })
    expect(table.state.unanswered).toBe(0)
  })

  test('that was not answered is sent again under the same attach and number, in order', async () => {
    const { table, hub, timers } = seated()
    const settled: string[] = []
    void table.do('bid:1', { move: 'bid', number: 3 }).then(({ code }) => settled.push(`1 ${code}`))
    void table.do('bid:1', { move: 'lock' }).then(({ code }) => settled.push(`2 ${code}`))
    void table.say('table', { text: 'hello' }).then(({ code }) => settled.push(`3 ${code}`))
    const before = hub()
    before.say({ t: 'verdict', n: 2 })
    before.lose()
    timers.pass(10_000)
    hub().accept().welcome().view(20)
    const again = hub().sent.filter(({ t }) => t === 'do' || t === 'say')
    expect(again).toEqual(
      before.sent.filter((message) => (message.t === 'do' && message.n === 1) || message.t === 'say'),
    )
    hub()
      .say({ t: 'verdict', n: 1 })
      .say({ t: 'verdict', n: 3, code: 'TALK_CLOSED' })
      .say({ t: 'verdict', n: 3 })
    await Promise.resolve()
    await Promise.resolve()
    expect(settled).toEqual(['2 null', '1 null', '3 TALK_CLOSED'])
  })

  test('keeps its own attach when the hub has meanwhile given another', () => {
    const { table, hub, timers } = seated()
    void table.do('bid:1', { move: 'lock' })
    hub().lose()
    timers.pass(10_000)
    hub().accept().welcome({ session: 8 }).view(0)
    void table.do('bid:1', { move: 'unlock' })
    expect(
      hub()
        .of('do')
        .map(({ session, n }) => [session, n]),
    ).toEqual([
      [7, 1],
      [8, 2],
    ])
  })

  test('asked for before the welcome waits for its attach', () => {
    const { table, hub } = bench()
    void table.manage({ do: 'start' })
    hub().accept()
    expect(hub().of('manage')).toEqual([])
    hub().welcome({ session: 2 })
    expect(hub().of('manage')).toEqual([{ t: 'manage', session: 2, n: 1, act: { do: 'start' } }])
  })

  test('of somebody who leaves settles as LEFT, as does any after that', async () => {
    const { table } = seated()
    const waiting = table.note('…')
    const shown = table.preview('bid:1', { move: 'lock' })
    table.leave()
    expect(await waiting).toEqual(LEFT)
    expect(await shown).toEqual({ data: null, refused: LEFT })
    expect(await table.note('more')).toEqual(LEFT)
  })

  test('is refused before it is sent when it is larger than a frame may be', async () => {
    const { table } = bench()
    await expect(table.note('x'.repeat(70_000))).rejects.toThrow(RangeError)
    expect(table.state.unanswered).toBe(0)
  })
})

describe('a preview', () => {
  test('is asked again if the hub is too busy, and given up after the third time', async () => {
    const { table, hub, timers } = seated()
    const answered = table.preview('bid:1', { move: 'lock' })
    hub().say({ t: 'verdict', n: 1, code: 'BUSY', rule: 'G8', args: {} })
    expect(hub().of('preview')).toHaveLength(1)
    timers.pass(600)
    expect(hub().of('preview')).toHaveLength(2)
    hub().say({ t: 'previewed', n: 1, data: { total: 9 } })
    expect(await answered).toEqual({ data: { total: 9 }, refused: null })

    const refused = table.preview('bid:2', { move: 'lock' })
    for (let asked = 1; asked <= 4; asked += 1) {
      expect(hub().of('preview')).toHaveLength(2 + asked)
      hub().say({ t: 'verdict', n: 2, code: 'SLOW_DOWN', rule: 'G8', args: {} })
      timers.pass(2_400)
    }
    expect(hub().of('preview')).toHaveLength(6)
    expect((await refused).refused?.code).toBe('SLOW_DOWN')
  })

  test('is answered by what the move would do, or by a refusal', async () => {
    const { table, hub } = seated()
    const shown = table.preview('bid:1', { move: 'lock' })
    const refused = table.preview('bid:2', { move: 'lock' })
    hub()
      .say({ t: 'previewed', n: 1, data: { total: 9 } })
      .say({ t: 'verdict', n: 2, code: 'STALE_PROMPT' })
    expect(await shown).toEqual({ data: { total: 9 }, refused: null })
    expect((await refused).refused?.code).toBe('STALE_PROMPT')
  })

  test('is asked again after a reconnection', () => {
    const { table, hub, timers } = seated()
    void table.preview('bid:1', { move: 'lock' })
    hub().lose()
    timers.pass(10_000)
    hub().accept().welcome().view(0)
    expect(hub().of('preview')).toHaveLength(1)
  })
})
