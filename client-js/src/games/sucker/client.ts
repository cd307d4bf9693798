import type { GameClient } from '../../app/game.ts'
import { t, words } from '../../app/language.ts'
import Board from './Board.svelte'
import Result from './Result.svelte'
import { scoreSaid, sentenceOf, told } from './said.ts'
import { heldBy, sightOf } from './sight.ts'
import Tray from './Tray.svelte'
import { say, texts } from './words.ts'

/** More seats than these have no room for the word beside the number. */
const MANY = 4

export const client: GameClient = {
  texts,
  Board,
  Tray,
  Result,
  score(view, seat) {
    const sight = sightOf(view)
    if (sight === null) return null
    const text = scoreSaid(sight, seat)
    const short =
      view.seats.length > MANY && sight.stage.alive[seat] === true
        ? words.value(heldBy(sight.hands, seat))
        : text
    return {
      text: short,
      about:
        sight.match.rounds > 1
          ? `${text}, ${say('roundsWon', { count: sight.match.points[seat] ?? 0 })}`
          : text,
    }
  },
  done(view, seat) {
    const sight = sightOf(view)
    if (sight === null) return null
    if (sight.stage.phase === 'review') return sight.readiness?.done[seat] ?? null
    if (sight.stage.phase === 'rescue')
      return sight.rescue?.answers.find(([prompted]) => prompted === seat)?.[2] ?? null
    return sight.stage.mover === seat ? false : null
  },
  extensions: (view) =>
    view.seat === null ? null : (view.gameSection('sucker', 'time_control')?.extensions[view.seat] ?? null),
  eyebrow(view) {
    const sight = sightOf(view)
    if (sight === null) return ''
    const { stage, match } = sight
    if (stage.phase === 'end') return t('result.over')
    const count = stage.alive.filter(Boolean).length
    return match.rounds > 1
      ? say('round', { round: stage.round, rounds: match.rounds, count })
      : say('left', { count, seats: stage.alive.length })
  },
  keys: () => [
    { keys: ['1', '–', '6'], does: say('keySlot') },
    { keys: ['←', '→'], does: say('keyArrows') },
    { keys: ['0'], does: say('keyNew') },
    { keys: ['P'], does: say('keyPrisoners') },
    { keys: ['K'], does: say('keyKill') },
    { keys: ['Enter'], does: say('keyEnter') },
    { keys: ['Esc'], does: say('keyEscape') },
  ],
  rules: async () => (await import('virtual:rules/sucker')).default,
  told: (_line, values) => told(values),
  sentence: sentenceOf,
}
