import type { GameCard } from '../../app/game.ts'
import Art from './Art.svelte'
import Pattern from './Pattern.svelte'
import { texts } from './words.ts'

export const card: GameCard = {
  texts,
  Art,
  seats: 3,
  fields: { pattern: Pattern },
  matters(option, values) {
    if (option === 'pattern') return values.parks === 'hostDraws'
    if (option === 'parkRing') return values.privateParks === true
    return true
  },
}
