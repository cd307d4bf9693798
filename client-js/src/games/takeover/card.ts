import type { GameCard } from '../../app/game.ts'
import Art from './Art.svelte'
import { localised } from '../../app/language.ts'
import compiled from 'virtual:texts/takeover/card'

export const card: GameCard = {
  texts: localised(compiled),
  Art,
  seats: 4,
  minutesAlone: 10,
  matters: (option, values) => option !== 'tradeLog' || values.trading !== 'off',
}
