/** Create a table and go there. Throws ApiError. */
import type { NewRoom } from '../sdk/api.ts'
import { asMyself } from './asmyself.ts'
import { joined } from './identity.svelte.ts'
import type { GameCard } from './game.ts'
import { go, tableName } from './router.svelte.ts'

export async function makeTable(room: NewRoom): Promise<void> {
  const place = await asMyself((api) => api.makeRoom(room))
  const name = tableName({ ...place, open: room.open })
  joined(name, place.code)
  go({ at: 'table', code: name, tv: room.without_seat === true })
}

/** Starts a game at once, alone with bots of this level. Nobody is in a hurry there: only windows that the rules fix have a clock. */
export function playAlone(game: string, card: GameCard, level: string | null): Promise<void> {
  return makeTable({
    game,
    seats: card.seats,
    options: { timers: 'off', ...card.alone },
    open: false,
    play_now: true,
    bots: level,
  })
}
