import type { GameCard } from '../../app/game.ts'
import Art from './Art.svelte'
import Pattern from './Pattern.svelte'
import { lotsOf } from './pattern.ts'
import { localised } from '../../app/language.ts'
import compiled from 'virtual:texts/subdivision/card'

export const card: GameCard = {
  texts: localised(compiled),
  Art,
  seats: 3,
  minutesAlone: 5,
  fields: { pattern: Pattern },
  matters(option, values, seats) {
    if (option === 'parks' && lotsOf(values.set, seats)?.parks === 0) return false
    if (option === 'pattern') return values.parks === 'hostDraws' && lotsOf(values.set, seats)?.parks !== 0
    if (option === 'parkRing') return values.privateParks === true
    return true
  },
}
