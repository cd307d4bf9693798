import type { GameClient } from '../../app/game.ts'
import { t, words } from '../../app/language.ts'
import { squareWished } from './asked.ts'
import Board from './Board.svelte'
import { selectionOf } from './selection.svelte.ts'
import { squareName } from './grid.ts'
import { passNews } from './news.ts'
import { ANSWERS, fitsIn, owedIn, repliesIn } from './owed.ts'
import { pyramidsLeft, sectionsOf } from './selectors.ts'
import Tray from './Tray.svelte'
import { say, texts } from './words.ts'

export const client: GameClient = {
  texts,
  aid: () => import('./Aid.svelte'),
  Board,
  Tray,
  result: () => import('./Result.svelte'),
  own: () => import('./Own.svelte'),
  choosesOnBoard: (view) => selectionOf(view).kind !== null,
  scoresOnBoard: true,
  wholeBoard: true,
  lingers: 2_000,
  news: passNews,
  wished: squareWished,
  owed: owedIn,
  replies: repliesIn,
  answers: ANSWERS,
  fits: fitsIn,
  prompts: { park: 'turn', place: 'turn' },
  score(view, seat) {
    const total = view.gameSection('subdivision', 'score')?.totals[seat]?.total
    if (total === undefined) return null
    const passed = view.gameSection('subdivision', 'stage')?.passed.includes(seat) === true
    return passed
      ? {
          text: say('scorePassed', { total }),
          about: `${say('points', { count: total })}, ${say('passedTag')}`,
        }
      : { text: words.value(total), about: say('points', { count: total }) }
  },
  done(view, seat) {
    const turn = view.gameSection('subdivision', 'stage')?.turn ?? null
    return turn === seat ? false : null
  },
  sounds: {
    'subdivision.placed': 'card',
  },
  extensions: (view) =>
    view.seat === null
      ? null
      : (view.gameSection('subdivision', 'time_control')?.extensions[view.seat] ?? null),
  eyebrow(view) {
    const sections = sectionsOf(view)
    if (sections === null) return ''
    if (sections.stage.phase === 'end') return t('result.over')
    return sections.stage.phase === 'parks'
      ? say('setting', { count: sections.stage.parks_left })
      : say('placing', { count: pyramidsLeft(sections) })
  },
  keys: () => [
    { keys: ['1', '–', '3'], does: say('keySize') },
    { keys: ['←', '↑', '↓', '→'], does: say('keyMove') },
    { keys: ['Enter'], does: say('keyPlace') },
  ],
  choiceName(view, field, value) {
    const size = sectionsOf(view)?.board.size
    if (field === 'pips') return say('choiceSize', { pips: Number(value) })
    if (field !== 'square' || size === undefined) return null
    const square = squareName(Number(value), size)
    return value === view.lessonMove?.square ? say('choiceMarked', { square }) : square
  },
  rules: async () => (await import('virtual:rules/subdivision')).default,
}
