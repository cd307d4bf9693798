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

/** The form in which a game is played. */
export type Form = Pick<NewRoom, 'seats' | 'options'>

/** Starts a game at once, alone with bots of this level. Nobody is in a hurry there: only windows that the rules fix have a clock. */
export function playAlone(game: string, { seats, options }: Form, level: string | null): Promise<void> {
  return makeTable({
    game,
    seats,
    options: { timers: 'off', ...options },
    open: false,
    play_now: true,
    bots: level,
  })
}
