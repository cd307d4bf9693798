import type { GameClient } from '../../app/game.ts'
import { t, words } from '../../app/language.ts'
import Board from './Board.svelte'
import Result from './Result.svelte'
import { pyramidsLeft, sightOf } from './sight.ts'
import Tray from './Tray.svelte'
import { say, texts } from './words.ts'

export const client: GameClient = {
  texts,
  Board,
  Tray,
  Result,
  score(view, seat) {
    const total = view.gameSection('subdivision', 'score')?.totals[seat]?.total
    return total === undefined ? null : { text: words.value(total), about: say('points', { count: total }) }
  },
  done(view, seat) {
    const turn = view.gameSection('subdivision', 'stage')?.turn ?? null
    return turn === seat ? false : null
  },
  extensions: (view) =>
    view.seat === null
      ? null
      : (view.gameSection('subdivision', 'time_control')?.extensions[view.seat] ?? null),
  eyebrow(view) {
    const sight = sightOf(view)
    if (sight === null) return ''
    if (sight.stage.phase === 'end') return t('result.over')
    return sight.stage.phase === 'parks'
      ? say('setting', { count: sight.stage.parks_left })
      : say('placing', { count: pyramidsLeft(sight) })
  },
  keys: () => [
    { keys: ['1', '–', '3'], does: say('keySize') },
    { keys: ['←', '↑', '↓', '→'], does: say('keyMove') },
    { keys: ['Enter'], does: say('keyPlace') },
  ],
  rules: async () => (await import('virtual:rules/subdivision')).default,
}
