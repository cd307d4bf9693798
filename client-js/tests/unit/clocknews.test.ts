import { expect, test } from 'vitest'
import { clockNews } from '../../src/app/table/clocknews.ts'
import type { AudienceLine } from '../../src/sdk/wire.gen.ts'

/** Lines of a log: a key, its arguments and its moment. */
function log(
  ...lines: readonly (readonly [key: string, args: AudienceLine[2], at: number])[]
): AudienceLine[] {
  return lines.map(([key, args, at], number) => [number, key, args, at] as unknown as AudienceLine)
}

const MOVED = ['subdivision.placed', { seat: 1 }, 1] as const
const AUTO = ['subdivision.auto', { seat: 0 }, 2] as const
const PLACED = ['subdivision.placed', { seat: 0 }, 2] as const

test('what the clock did for somebody is news to all, until something else happens', () => {
  expect(clockNews(log(MOVED, AUTO, PLACED), null, -1)?.[1]).toBe('subdivision.auto')
  expect(clockNews(log(MOVED, AUTO, PLACED), 1, -1)?.[1]).toBe('subdivision.auto')
  expect(clockNews(log(MOVED, AUTO, PLACED, ['subdivision.placed', { seat: 1 }, 3]), 2, -1)).toBeNull()
  expect(clockNews(log(MOVED), 0, -1)).toBeNull()
})

test('lines about time end no news', () => {
  expect(clockNews(log(AUTO, PLACED, ['timeControl.extended', { seat: 2 }, 3]), 1, -1)?.[1]).toBe(
    'subdivision.auto',
  )
})

test('to the seat itself, it is news until that seat does something', () => {
  const later = log(AUTO, PLACED, ['subdivision.placed', { seat: 1 }, 3])
  expect(clockNews(later, 0, -1)?.[1]).toBe('subdivision.auto')
  expect(clockNews([...later, ...log(['subdivision.placed', { seat: 0 }, 4])], 0, -1)).toBeNull()
})

test('an answer of their own, which the log may not tell, ends it as well', () => {
  const lines = log(['almost.auto', { seats: [0, 2] }, 1], ['almost.round', {}, 2])
  expect(clockNews(lines, 2, -1)?.[1]).toBe('almost.auto')
  expect(clockNews(lines, 2, 1)).toBeNull()
})
