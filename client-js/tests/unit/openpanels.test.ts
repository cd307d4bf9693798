import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepOpen, takeOpen } from '../../src/app/table/openpanels.ts'

const BOARD = { front: 'table', chosen: null }
let kept: Map<string, string>

beforeEach(() => {
  kept = new Map()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
})

afterEach(() => vi.unstubAllGlobals())

test('a reload shows the panels of the same table again, once', () => {
  keepOpen('ABC', { front: 'talk', chosen: 'notes' })
  expect(takeOpen('ABC')).toEqual({ front: 'talk', chosen: 'notes' })
  expect(takeOpen('ABC')).toEqual(BOARD)
})

test('another table begins with its board', () => {
  keepOpen('ABC', { front: 'talk', chosen: 'notes' })
  expect(takeOpen('XYZ')).toEqual(BOARD)
})

test('what is no panel is left out', () => {
  keepOpen('ABC', { front: 'talk', chosen: 'notes' })
  const [[key, value] = ['', '']] = kept
  for (const odd of [
    '',
    '{',
    'null',
    '[]',
    '7',
    value.replace('talk', 'kitchen').replace('notes', 'toString'),
  ]) {
    kept.set(key, odd)
    expect(takeOpen('ABC'), odd).toEqual(BOARD)
  }
})
