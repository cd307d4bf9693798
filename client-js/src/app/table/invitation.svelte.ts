/** The address at which other devices reach this hub: on the hub's own machine, this page's is of no use to them. */
import { api } from '../identity.svelte.ts'

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])

interface Invitation {
  /** For links. */
  readonly origin: string
  /** Whether other devices can use it. */
  readonly reachable: boolean
  /** Whether they cannot, and this person is at the hub's machine and can change that. */
  readonly alone: boolean
}

/** What to tell others; it may change soon after the call. */
export function inviteOrigin(): Invitation {
  const local = LOCAL.has(location.hostname)
  const invitation = $state({ origin: location.origin, reachable: !local, alone: false })
  if (local) {
    api.addresses().then(
      ({ addresses: [address], local }) => {
        if (address === undefined) invitation.alone = local
        else Object.assign(invitation, { origin: address, reachable: true })
      },
      () => undefined,
    )
  }
  return invitation
}
