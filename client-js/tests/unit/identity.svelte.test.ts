/** What this browser remembers about the tables that its person joined. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const ANN = { person: 'p', name: 'Ann', colour: 0, token: 'old' }

beforeEach(() => {
  const stored = new Map<string, string>([['parley.person', JSON.stringify(ANN)]])
  vi.stubGlobal('window', {})
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
  })
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('{}', { headers: { 'parley-token': 'fresh' } })))
})

afterEach(() => vi.unstubAllGlobals())

test("a renewed token replaces the old one at each table, and keeps the table's code", async () => {
  const identity = await import('../../src/app/identity.svelte.ts')
  identity.joined('name', 'CODE')
  await identity.api.games()
  expect(identity.tokenAt('name')).toBe('fresh')
  expect(JSON.parse(localStorage.getItem('parley.joined') ?? '')).toEqual([['name', 'fresh', 'CODE']])
})
