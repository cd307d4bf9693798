import type { GameCard } from '../../app/game.ts'
import Art from './Art.svelte'
import { localised } from '../../app/language.ts'
import compiled from 'virtual:texts/almost/card'

export const card: GameCard = {
  texts: localised(compiled),
  Art,
  seats: 5,
  minutesAlone: 5,
  matters: (option, values) =>
    option !== 'discussionSeconds' ||
    (values.discussion ?? (values.mode === 'almost' ? 'timed' : 'none')) === 'timed',
  otherwise: (option, values) =>
    option === 'discussion' ? (values.mode === 'almost' ? 'timed' : 'none') : null,
}
