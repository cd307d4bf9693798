/** How long windows were when first seen: told to a ring again after a reload. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Lengths } from '../../src/app/lengths.ts'

let kept: Map<string, string>

beforeEach(() => {
  kept = new Map()
  vi.stubGlobal('sessionStorage', { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) })
})

describe('the length of a window', () => {
  test('is what was left when it was first seen', () => {
    const lengths = new Lengths('BCDFGH')
    lengths.seen({ 'bid:1': 30_000 })
    lengths.seen({ 'bid:1': 12_000 })
    expect(lengths.of('bid:1')).toBe(30_000)
    expect(lengths.of('bid:2')).toBe(1)
  })

  test('grows with a window that was lengthened', () => {
    const lengths = new Lengths('BCDFGH')
    lengths.seen({ 'bid:1': 30_000 })
    lengths.seen({ 'bid:1': 70_000 })
    expect(lengths.of('bid:1')).toBe(70_000)
  })

  test('outlives a reload', () => {
    new Lengths('BCDFGH').seen({ 'bid:1': 30_000 })
    const again = new Lengths('BCDFGH')
    again.seen({ 'bid:1': 12_000 })
    expect(again.of('bid:1')).toBe(30_000)
  })

  test('is forgotten when the window is over', () => {
    const lengths = new Lengths('BCDFGH')
    lengths.seen({ 'bid:1': 30_000, 'away:2': 5_000 })
    lengths.seen({ 'bid:2': 20_000 })
    expect([...kept.values()].join()).not.toMatch(/bid:1|away/)
    expect(new Lengths('BCDFGH').of('bid:1')).toBe(1)
  })

  test('is no other table’s', () => {
    new Lengths('BCDFGH').seen({ 'bid:1': 30_000 })
    const other = new Lengths('JKLMNP')
    other.seen({ 'bid:1': 12_000 })
    expect(other.of('bid:1')).toBe(12_000)
  })

  test.each(['{', 'null', '7', '{"room":"BCDFGH"}'])('does without what cannot be read: %s', (text) => {
    kept.set('parley.windows', text)
    expect(new Lengths('BCDFGH').of('bid:1')).toBe(1)
  })
})
