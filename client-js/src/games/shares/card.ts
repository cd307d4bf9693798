import type { GameCard } from '../../app/game.ts'
import Art from './Art.svelte'
import { localised } from '../../app/language.ts'
import compiled from 'virtual:texts/shares/card'

export const card: GameCard = {
  texts: localised(compiled),
  Art,
  seats: 4,
  seatsAlone: 3, // unofficial (SSA-37), and short: fewer turns of bots between one's own
  minutesAlone: 10,
  alone: { rounds: '5' },
  matters(option, values) {
    if (option === 'lowballCard') return values.lowball === true
    if (option === 'marketLog') return values.openMarket === true
    return option !== 'strictChat' || (values.talk ?? 'strict') === 'strict'
  },
}
