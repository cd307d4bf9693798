/** Ends the game at a table where nobody else plays, from the front page: its last person leaves. */
import { Table } from '../../sdk/table.ts'
import { apiFor } from '../identity.svelte.ts'
import { socketUrl } from '../socketurl.ts'

/** Leave this table. Throws ApiError. */
export async function endTable(name: string): Promise<void> {
  const place = await apiFor(name).enter(name)
  if (place.seat === null) return
  const table = new Table({ url: socketUrl(place), ticket: place.ticket })
  table.connect()
  await table.manage({ do: 'free_seat', seat: place.seat }) // the socket ends with the seat, and so does the wait
  table.leave()
}
