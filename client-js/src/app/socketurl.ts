import type { Place } from '../sdk/api.ts'

/**
 * The table's socket at the hub that served this page, even if the table is at another hub now: the hub answers
 * `moved`, and knows the table's next hub if that one is gone.
 */
export function socketUrl(place: Place): string {
  return new URL(new URL(place.socket).pathname, location.origin.replace(/^http/, 'ws')).href
}
