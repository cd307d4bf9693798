/** Create a table and go there. Throws ApiError. */
import type { NewRoom } from '../sdk/api.ts'
import { asMyself } from './asmyself.ts'
import { joined } from './identity.svelte.ts'
import { go, tableName } from './router.svelte.ts'

export async function makeTable(room: NewRoom): Promise<void> {
  const place = await asMyself((api) => api.makeRoom(room))
  const name = tableName({ ...place, open: room.open })
  joined(name, place.code)
  go({ at: 'table', code: name, tv: room.without_seat === true })
}
