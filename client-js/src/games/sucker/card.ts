import type { GameCard } from '../../app/game.ts'
import Art from './Art.svelte'
import { texts } from './words.ts'

/** Options that mean something only beside another. */
const BLACKMAIL = new Set(['blackmailFaces', 'selfBlackmail', 'deadCards'])

export const card: GameCard = {
  texts,
  Art,
  seats: 4,
  matters(option, values) {
    if (BLACKMAIL.has(option)) return values.blackmail !== false
    if (option === 'firstPlayer') return Number(values.rounds) > 1
    if (option === 'chipAdjust') return Number(values.rounds) > 1 && values.blindAlly !== false
    return true
  },
}
