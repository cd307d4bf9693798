import type { GameCard } from '../../app/game.ts'
import Art from './Art.svelte'
import { matters } from './options.ts'
import { texts } from './words.ts'

export const card: GameCard = { texts, Art, seats: 4, matters }
