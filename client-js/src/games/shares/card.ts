import type { GameCard } from '../../app/game.ts'
import Art from './Art.svelte'
import { localised } from '../../app/language.ts'
import compiled from 'virtual:texts/shares/card'

export const card: GameCard = {
  texts: localised(compiled),
  Art,
  seats: 3,
  minutesAlone: 10,
  alone: { rounds: '5' },
  matters(option, values) {
    if (option === 'lowballCard') return values.lowball === true
    if (option === 'marketLog') return values.openMarket === true
    return option !== 'strictChat' || (values.talk ?? 'strict') === 'strict'
  },
}
