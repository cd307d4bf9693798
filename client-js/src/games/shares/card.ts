import type { GameCard } from '../../app/game.ts'
import Art from './Art.svelte'
import { texts } from './words.ts'

export const card: GameCard = {
  texts,
  Art,
  seats: 4,
  matters(option, values) {
    if (option === 'lowballCard') return values.lowball === true
    if (option === 'marketLog') return values.openMarket === true
    return option !== 'strictChat' || (values.talk ?? 'strict') === 'strict'
  },
}
