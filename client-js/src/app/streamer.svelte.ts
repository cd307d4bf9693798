/**
 * Streamer mode, for a person whose screen others see: what only they may know is hidden until they hold a control, and
 * codes and invitations are hidden all the time. It is a setting of this browser; the hub knows nothing of it.
 */
import { settings } from './settings.svelte.ts'

let held = $state(false)

export const streamer = {
  get on(): boolean {
    return settings.streamer
  },
  /** Whether the control that shows secrets is held down. */
  get held(): boolean {
    return held
  },
  /** Whether this person's secrets are hidden right now. */
  get hides(): boolean {
    return settings.streamer && !held
  },
  hold(on: boolean): void {
    held = on && settings.streamer
  },
}
