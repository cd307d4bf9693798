import type { GameClient } from '../../app/game.ts'
import { t } from '../../app/language.ts'
import { trading } from '../../app/table/dealing.svelte.ts'
import Board from './Board.svelte'
import { deals } from './deals.ts'
import { decimal } from './fractions.ts'
import Result from './Result.svelte'
import { told } from './said.ts'
import { sightOf } from './sight.ts'
import Tray from './Tray.svelte'
import { say, texts } from './words.ts'

export const client: GameClient = {
  texts,
  Board,
  Tray,
  Result,
  /** Points are secret until the end; how many cards a seat has, and how many actions, never. */
  score(view, seat) {
    const sight = sightOf(view)
    if (sight === null) return null
    const end = sight.reckoning?.seats[seat]
    if (end !== undefined) {
      const text = decimal(end.score, sight.reckoning?.over ?? 1)
      return { text, about: say('points', { points: text }) }
    }
    const cards = say('cardCount', { count: sight.players.cards[seat] ?? 0 })
    if (sight.stage.phase !== 'action') return { text: cards, about: cards }
    return {
      text: cards,
      about: `${cards}, ${sight.players.out[seat] === true ? say('outSaid') : say('actionsLeft', { count: sight.players.actions[seat] ?? 0 })}`,
    }
  },
  done(view, seat) {
    const sight = sightOf(view)
    return (
      sight?.readiness?.locked[seat] ??
      (sight?.scene.seat === seat && sight.scene.kind !== 'market' ? false : null)
    )
  },
  extensions: (view) =>
    view.seat === null ? null : (view.gameSection('shares', 'time_control')?.extensions[view.seat] ?? null),
  eyebrow(view) {
    const stage = view.gameSection('shares', 'stage')
    if (stage === undefined) return ''
    if (stage.phase === 'end') return t('result.over')
    return say('round', { round: stage.round, rounds: stage.rounds })
  },
  keys: () => [
    { keys: ['1', '–', '9'], does: say('keyCard') },
    { keys: ['←', '→'], does: say('keyArrows') },
    { keys: ['Enter'], does: say('keyEnter') },
    { keys: ['Esc'], does: say('keyEscape') },
  ],
  deals: trading(deals),
  rules: async () => (await import('virtual:rules/shares')).default,
  told,
}
