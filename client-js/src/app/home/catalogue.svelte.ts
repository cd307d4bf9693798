/** The games the hub offers, with this client's cards for them; fetched once. */
import { ApiError, type GameInfo } from '../../sdk/api.ts'
import { gameEntry } from '../../games/index.ts'
import { apiError } from '../errors.ts'
import type { GameCard } from '../game.ts'
import { api } from '../identity.svelte.ts'

export interface Offer {
  readonly info: GameInfo
  readonly card: GameCard
}

let offers = $state.raw<readonly Offer[] | null>(null)
let problem = $state('')

export const shelf = {
  get offers() {
    return offers
  },
  get problem() {
    return problem
  },
  get cards(): Readonly<Record<string, GameCard>> {
    return Object.fromEntries((offers ?? []).map(({ info, card }) => [info.key, card]))
  },
}

export async function fillShelf(): Promise<void> {
  if (offers !== null) return
  try {
    const listed = await Promise.all(
      (await api.games()).map(async (info) => {
        // If its file cannot be loaded, upgrade.ts reloads the page.
        const card = await gameEntry(info.key)
          ?.card()
          .catch(() => undefined)
        return card === undefined ? null : { info, card }
      }),
    )
    offers = listed.filter((offer) => offer !== null)
    problem = ''
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    problem = apiError(error)
    setTimeout(() => void fillShelf(), 3_000)
  }
}
