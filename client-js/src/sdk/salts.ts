/**
 * This client's part in choosing the dice (docs/PROTOCOL.md, Salts). It fixes a random salt by its hash, and
 * reveals it once the host has started the game and every hash is shown. It remembers what was shown then,
 * and at the end compares it with the seed and the salts that were used.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, randomBytes } from '@noble/hashes/utils.js'
import type * as Wire from './wire.gen.ts'

/** Whether the dice are those fixed before the start; null if this client did not take part, or not yet. */
export type Check = 'kept' | 'changed' | null

type Shown = Pick<Wire.TableSection, 'seed_hash' | 'restarts'> & { readonly salt_hashes: readonly string[] }

export class Salts {
  #salt = draw()
  /** What the hub had shown when this client last revealed a salt. */
  #shown: Shown | null = null

  /** The hash to fix, if this client should: its full view of a table that has not started has just arrived. */
  commit(table: Wire.TableSection): Wire.CommitSalt | null {
    return table.status === 'waiting' && table.salt_hashes === null
      ? { do: 'commit_salt', salt_hash: hash(this.#salt) }
      : null
  }

  /** The salt to reveal, if the hub is waiting for it. It is returned once. */
  reveal(table: Wire.TableSection, seat: number): Wire.RevealSalt | null {
    const { seed_hash, restarts, salt_hashes } = table
    if (salt_hashes === null || salt_hashes[seat] !== hash(this.#salt)) return null
    const salt = this.#salt
    this.#salt = draw()
    this.#shown = { seed_hash, restarts, salt_hashes }
    return { do: 'reveal_salt', salt, next_hash: hash(this.#salt) }
  }

  check({ seed, salts, restarts }: Wire.TableSection): Check {
    const shown = this.#shown
    if (shown === null || seed === null || salts === null) return null
    const kept =
      restarts === shown.restarts &&
      hash(seed) === shown.seed_hash &&
      salts.length === shown.salt_hashes.length &&
      salts.every((salt, seat) => (salt === '' ? '' : hash(salt)) === shown.salt_hashes[seat])
    return kept ? 'kept' : 'changed'
  }
}

function draw(): string {
  return bytesToHex(randomBytes(32))
}

/** The SHA-256 of 32 bytes; both are in hexadecimal. */
function hash(hex: string): string {
  return bytesToHex(sha256(hexToBytes(hex)))
}
