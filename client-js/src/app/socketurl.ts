import type { Place } from '../sdk/api.ts'

/** The table's socket at the address from which this page came: any hub serves any table. */
export function socketUrl(place: Place): string {
  return new URL(new URL(place.socket).pathname, location.origin.replace(/^http/, 'ws')).href
}
