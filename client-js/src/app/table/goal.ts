/** The goal of a game, which stands on the stage until everybody has begun to play. */
import { words } from '../language.ts'
import { streamer } from '../streamer.svelte.ts'
import type { TableView } from '../tableview.svelte.ts'
import type { Values } from '../words.ts'

/** What a player of this game tries to do, with the table's options and what this person's seat alone knows of it. */
export function goalOf(view: TableView): string {
  const { options = {} } = view.about ?? {}
  const secretGoal = streamer.hides ? undefined : view.game.goal?.(view)
  if (secretGoal != null) return secretGoal
  return words.format(view.game.texts.goal, options as Values)
}

/** Whether the first round is not over; without rounds, whether a seat may not have had its first turn. */
export function isOpening(view: TableView): boolean {
  const stage = view.state.sections.stage as
    { readonly round?: number; readonly number?: number; readonly phase?: string } | undefined
  if (stage === undefined || stage.phase === 'review') return false
  return stage.round === undefined ? (stage.number ?? 0) < view.seats.length : stage.round === 1
}
