/** Begin a game's lesson, and leave it. */
import { asMyself } from '../asmyself.ts'
import { hideTable, joined } from '../identity.svelte.ts'
import { go } from '../router.svelte.ts'
import type { TableView } from '../tableview.svelte.ts'

/** Begins the lesson of this game and goes there. Throws ApiError. */
export async function beginLesson(game: string): Promise<void> {
  const { room } = await asMyself((api) => api.makeLesson(game))
  joined(room, room)
  go({ at: 'table', code: room })
}

/** Ends the lesson, which nobody needs to come back to. */
export async function leaveLesson(view: TableView): Promise<void> {
  const ended = view.seat === null ? null : view.manage({ do: 'free_seat', seat: view.seat })
  go({ at: 'home' })
  hideTable(view.code)
  await ended
}
