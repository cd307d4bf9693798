import { Companion } from '../../companion.ts'
import type { Address, Person } from '../../livehub.ts'
import type { TableWish } from '../../pages/home.ts'
import { beginAt } from '../../seating.ts'
import { AlmostTable, seated } from './page.ts'

interface Beside {
  readonly tables: AlmostTable[]
  readonly companions: Companion[]
  readonly code: string
}

/** A waiting table of these people, and after them of companions with these names. */
export async function seatedBeside(
  people: readonly Person[],
  names: readonly string[],
  wish: TableWish = {},
  hub?: Address,
): Promise<Beside> {
  const { tables, code } = await seated(people, { seats: Math.max(3, people.length + names.length), ...wish })
  return { tables, code, companions: await Companion.sitAll(names, code, hub) }
}

/** The same once the game has begun, with bots in the free seats. */
export function begunBeside(
  people: readonly Person[],
  names: readonly string[],
  wish: TableWish = {},
  hub?: Address,
): Promise<Beside> {
  const seats = Math.max(3, people.length + names.length)
  return beginAt(AlmostTable, 'almost', people, { seats, ...wish }, names, hub)
}
