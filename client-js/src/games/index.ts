/** The games this client can show. Cards are loaded with the home page, boards with a table. */
import type { GameEntry } from '../app/game.ts'
import type { Games } from '../sdk/wire.gen.ts'

export const GAMES: Readonly<Record<keyof Games, GameEntry>> = {
  almost: {
    card: async () => (await import('./almost/card.ts')).card,
    client: async () => (await import('./almost/client.ts')).client,
  },
  shares: {
    card: async () => (await import('./shares/card.ts')).card,
    client: async () => (await import('./shares/client.ts')).client,
  },
  subdivision: {
    card: async () => (await import('./subdivision/card.ts')).card,
    client: async () => (await import('./subdivision/client.ts')).client,
  },
  sucker: {
    card: async () => (await import('./sucker/card.ts')).card,
    client: async () => (await import('./sucker/client.ts')).client,
  },
  takeover: {
    card: async () => (await import('./takeover/card.ts')).card,
    client: async () => (await import('./takeover/client.ts')).client,
  },
}

export function gameEntry(key: string): GameEntry | null {
  return key in GAMES ? GAMES[key as keyof Games] : null
}
