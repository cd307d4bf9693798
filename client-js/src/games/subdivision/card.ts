import type { GameCard } from '../../app/game.ts'
import Art from './Art.svelte'
import Pattern from './Pattern.svelte'
import { lotsOf } from './pattern.ts'
import { texts } from './words.ts'

export const card: GameCard = {
  texts,
  Art,
  seats: 3,
  fields: { pattern: Pattern },
  matters(option, values, seats) {
    if (option === 'parks' && lotsOf(values.set, seats)?.parks === 0) return false
    if (option === 'pattern') return values.parks === 'hostDraws' && lotsOf(values.set, seats)?.parks !== 0
    if (option === 'parkRing') return values.privateParks === true
    return true
  },
}
