import type { Companion } from '../../companion.ts'
import type { Address, Person } from '../../livehub.ts'
import type { TableWish } from '../../pages/home.ts'
import { beginAt } from '../../seating.ts'
import { AlmostTable } from './page.ts'

interface Beside {
  readonly tables: AlmostTable[]
  readonly companions: Companion[]
  readonly code: string
}

/** A table of these people, with companions of these names after them and bots in the free seats, whose game has begun. */
export function begunBeside(
  people: readonly Person[],
  names: readonly string[],
  wish: TableWish = {},
  hub?: Address,
): Promise<Beside> {
  const seats = Math.max(3, people.length + names.length)
  return beginAt(AlmostTable, 'almost', people, { seats, ...wish }, names, hub)
}
