/** Seats people at a new table. */
import type { Wire } from '../../src/sdk/index.ts'
import type { Person } from './livehub.ts'
import { createTable, type TableWish } from './pages/home.ts'
import type { TablePage } from './pages/table.ts'

/** A waiting table created by the first of these people, with all of them seated in this order. */
export async function seatAt<Page extends TablePage>(
  TableOf: new (person: Person) => Page,
  game: keyof Wire.Games,
  people: readonly Person[],
  wish: TableWish,
): Promise<{ tables: Page[]; code: string }> {
  const [host, ...guests] = people
  if (host === undefined) throw new Error('a table needs a host')
  await createTable(host, game, wish)
  const first = new TableOf(host)
  const code = await first.code()
  const others = guests.map((guest) => new TableOf(guest))
  await Promise.all(others.map((each) => each.visit(code)))
  for (const each of others) await each.sit() // one after another, so that each gets the intended seat
  return { tables: [first, ...others], code }
}
