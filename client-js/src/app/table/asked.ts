/** Whether somebody waits for a yes or a no of this person's: only then are the phrases offered that say so. */
import type { TalkMessage } from '../../sdk/wire.gen.ts'
import type { TableView } from '../tableview.svelte.ts'

/** How many messages back an offer still stands. */
const RECENT = 12

/**
 * What others have said since this person last spoke: a bot, if the game knows what it asks of this seat, or else if it
 * speaks to this seat; a person, unless they speak to another seat.
 */
export function isAsked(view: TableView): boolean {
  const { seat, game, state } = view
  if (seat === null) return false
  const last = state.talk.findLastIndex((said) => said.seat === seat && said.bot !== true)
  return state.talk
    .slice(last + 1)
    .slice(-RECENT)
    .some((message) => {
      const to = addresseeOf(message)
      if (message.seat == null || message.seat === seat) return false
      if (message.bot !== true) return to === null || to === seat
      if (game.owed === undefined) return to === seat
      return game.owed(view, message) !== null || (game.replies?.(view, message) ?? []).length > 0
    })
}

function addresseeOf({ to, args }: TalkMessage): number | null {
  const named = args?.to
  return typeof named === 'number' ? named : (to ?? null)
}
