import type { GameCard } from '../../app/game.ts'
import Art from './Art.svelte'
import { texts } from './words.ts'

export const card: GameCard = {
  texts,
  Art,
  seats: 5,
  matters: (option, values) =>
    option !== 'discussionSeconds' ||
    (values.discussion ?? (values.mode === 'almost' ? 'timed' : 'none')) === 'timed',
  otherwise: (option, values) =>
    option === 'discussion' ? (values.mode === 'almost' ? 'timed' : 'none') : null,
}
