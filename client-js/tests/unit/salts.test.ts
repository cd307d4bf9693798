import { createHash } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import type * as Wire from '../../src/sdk/wire.gen.ts'
import { bench, type Bench } from './hand.ts'

const hash = (hex: string): string => createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex')

const SEED = 'ab'.repeat(32)
const FRESH = 'cd'.repeat(32)
const OTHER = 'ef'.repeat(32)

/** A table before its start; this client is in seat 1. */
function waiting(change: Partial<Wire.TableSection> = {}): Partial<Wire.TableSection> {
  return {
    status: 'waiting',
    seed_hash: hash(SEED),
    seed: null,
    salt_hashes: null,
    salts: null,
    restarts: 0,
    ...change,
  }
}

async function seated(table = waiting()): Promise<Bench> {
  const made = bench()
  made.hub().accept().welcome({ seat: 1 }).view(10, { table })
  await vi.dynamicImportSettled()
  return made
}

const acts = ({ hub }: Bench): readonly Wire.Act[] =>
  hub()
    .of('manage')
    .map(({ act }) => act)

function shows(made: Bench, n: number, table: Partial<Wire.TableSection>): void {
  made.hub().say({ t: 'frame', n, now: 0, sections: { table } })
}

function committed(made: Bench): string {
  const [first] = acts(made)
  if (first?.do !== 'commit_salt') throw new Error('no salt was fixed')
  return first.salt_hash
}

function revealed(made: Bench): Wire.RevealSalt {
  const last = acts(made).at(-1)
  if (last?.do !== 'reveal_salt') throw new Error('no salt was revealed')
  return last
}

describe('a salt', () => {
  test('is fixed by its hash when the view of a waiting table arrives, and on each new socket', async () => {
    const made = await seated()
    expect(acts(made)).toEqual([{ do: 'commit_salt', salt_hash: committed(made) }])
    expect(committed(made)).toMatch(/^[0-9a-f]{64}$/)
    shows(made, 11, waiting({ code: 'X' }))
    expect(acts(made)).toHaveLength(1)
    expect(committed(await seated())).not.toBe(committed(made))
  })

  test('is not fixed at a table that has started, nor by a watcher', async () => {
    expect(acts(await seated(waiting({ status: 'running' })))).toEqual([])
    const watching = bench()
    watching.hub().accept().welcome({ seat: null, session: null }).view(10, { table: waiting() })
    await vi.dynamicImportSettled()
    expect(acts(watching)).toEqual([])
  })

  test('is revealed once, when every hash is shown', async () => {
    const made = await seated()
    const shown = waiting({ salt_hashes: [hash(OTHER), committed(made), ''] })
    shows(made, 11, shown)
    const act = revealed(made)
    expect(hash(act.salt)).toBe(committed(made))
    expect(act.next_hash).not.toBe(committed(made))
    shows(made, 12, { ...shown, code: 'X' })
    expect(acts(made)).toHaveLength(2)
  })

  test('is not revealed for a hash that is not its own', async () => {
    const made = await seated()
    shows(made, 11, waiting({ salt_hashes: [committed(made), hash(OTHER), ''] }))
    expect(acts(made)).toHaveLength(1)
  })

  test('is followed by a fresh one when the start begins again', async () => {
    const made = await seated()
    shows(made, 11, waiting({ salt_hashes: [hash(OTHER), committed(made), ''] }))
    const first = revealed(made)
    const again = waiting({ seed_hash: hash(FRESH), restarts: 1, salt_hashes: ['', first.next_hash, ''] })
    shows(made, 12, again)
    const second = revealed(made)
    expect(hash(second.salt)).toBe(first.next_hash)
    expect(second.salt).not.toBe(first.salt)
  })
})

describe('at the end, the dice', () => {
  async function finished(change: Partial<Wire.TableSection> = {}): Promise<Bench['table']['check']> {
    const made = await seated()
    shows(made, 11, waiting({ salt_hashes: [hash(OTHER), committed(made), ''] }))
    const salts = [OTHER, revealed(made).salt, '']
    shows(made, 12, waiting({ status: 'running' }))
    expect(made.table.check).toBeNull()
    shows(made, 13, waiting({ status: 'finished', seed: SEED, salts, ...change }))
    return made.table.check
  }

  test('are those that were fixed', async () => {
    expect(await finished()).toBe('kept')
  })

  test.each([
    ['another seed', { seed: FRESH }],
    ['another salt', { salts: [FRESH, SEED, ''] }],
    ['a salt of a seat that had fixed none', { salts: [OTHER, SEED, FRESH] }],
    ['no salts', { salts: ['', '', ''] }],
    ['a restart that was not shown', { restarts: 1 }],
  ])('are not, with %s', async (_, change) => {
    expect(await finished(change)).toBe('changed')
  })

  test('cannot be checked by a client that took no part', async () => {
    const made = await seated(waiting({ status: 'running' }))
    shows(made, 11, waiting({ status: 'finished', seed: SEED, salts: [OTHER, '', ''] }))
    expect(made.table.check).toBeNull()
  })
})
