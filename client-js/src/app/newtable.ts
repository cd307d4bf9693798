/** Create a table and go there. Throws ApiError. */
import type { NewRoom } from '../sdk/api.ts'
import { asMyself } from './asmyself.ts'
import { joined } from './identity.svelte.ts'
import { go } from './router.svelte.ts'

export async function makeTable(room: NewRoom): Promise<void> {
  const { code } = await asMyself((api) => api.makeRoom(room))
  joined(code)
  go({ at: 'table', code })
}
