import type { GameCard } from '../../app/game.ts'
import Art from './Art.svelte'
import { matters } from './options.ts'
import { localised } from '../../app/language.ts'
import compiled from 'virtual:texts/sucker/card'

export const card: GameCard = {
  texts: localised(compiled),
  Art,
  seats: 4,
  minutesAlone: 10,
  // the game that the lesson teaches, without secret allies and cards
  alone: { blindAlly: false, blackmail: false },
  matters,
}
