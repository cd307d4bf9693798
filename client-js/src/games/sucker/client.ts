import type { GameClient } from '../../app/game.ts'
import { t, words } from '../../app/language.ts'
import Board from './Board.svelte'
import { fallNews, putOut } from './fall.ts'
import { formatArguments, formatHint, formatScore, pileNumber, sentenceOf } from './format.ts'
import { ANSWERS, fitsIn, owedIn, repliesIn } from './owed.ts'
import { heldBy, sectionsOf } from './selectors.ts'
import { selectionOf } from './selection.svelte.ts'
import Tray from './Tray.svelte'
import { say, texts } from './words.ts'

/** With more seats than this, there is no room for the word beside the number. */
const MANY = 4

export const client: GameClient = {
  texts,
  aid: () => import('./Aid.svelte'),
  Board,
  Tray,
  result: () => import('./Result.svelte'),
  own: () => import('./Own.svelte'),
  choosesOnBoard: (view) => selectionOf(view).kind === 'turn',
  hint(view) {
    const sections = sectionsOf(view)
    const selection = selectionOf(view)
    return sections === null || selection.kind !== 'turn' ? null : formatHint(view, sections, selection)
  },
  lowSeats: true,
  prompts: {
    turn: 'turn',
    choose: 'turn',
    kill: 'decision',
    rescue: 'decision',
    continue: 'decision',
    prisoners: 'aside',
  },
  score(view, seat) {
    const sections = sectionsOf(view)
    if (sections === null) return null
    const text = formatScore(sections, seat)
    const short =
      view.seats.length > MANY && sections.stage.alive[seat] === true
        ? words.value(heldBy(sections.hands, seat))
        : text
    return {
      text: short,
      about:
        sections.match.rounds > 1
          ? `${text}, ${say('roundsWon', { count: sections.match.points[seat] ?? 0 })}`
          : text,
    }
  },
  done(view, seat) {
    const sections = sectionsOf(view)
    if (sections === null) return null
    if (sections.stage.phase === 'review') return sections.readiness?.done[seat] ?? null
    if (sections.stage.phase === 'rescue')
      return sections.rescue?.answers.find(([prompted]) => prompted === seat)?.[2] ?? null
    return sections.stage.mover === seat ? false : null
  },
  ahead: [
    {
      prompt: 'rescue',
      move: 'refuse',
      label: () => say('refuseAhead'),
      ignores: [
        ...['placed', 'opened', 'auto', 'gave', 'kept', 'only', 'forced', 'needy', 'refused', 'autoRefused'],
        'back',
      ].map((key) => `sucker.${key}`),
      may(view) {
        const { seat } = view
        const chips = seat === null ? undefined : sectionsOf(view)?.hands.chips[seat]
        return (
          view.section('table')?.lesson == null &&
          sectionsOf(view)?.stage.alive[seat ?? -1] === true &&
          chips?.some((count, colour) => count > 0 && colour !== seat) === true &&
          !view.may('rescue', 'relent')
        )
      },
    },
  ],
  sounds: {
    'sucker.placed': 'card',
    'sucker.opened': 'card',
    'sucker.captured': 'capture',
    'sucker.capturedByCard': 'capture',
    'sucker.killed': 'capture',
    'sucker.pileDied': 'capture',
    'sucker.fell': 'capture',
    'sucker.rescued': 'reveal',
    'sucker.tookCard': 'card',
  },
  extensions: (view) =>
    view.seat === null ? null : (view.gameSection('sucker', 'time_control')?.extensions[view.seat] ?? null),
  goal(view) {
    const enemy = view.gameSection('sucker', 'mine')?.enemy
    if (enemy == null) return null
    const isIn = view.gameSection('sucker', 'stage')?.alive[enemy] !== false
    return isIn ? say('goalEnemy', { name: view.nameOf(enemy) }) : say('goalSafe')
  },
  fate(view) {
    const stage = view.gameSection('sucker', 'stage')
    return view.seat === null || stage?.mover == null ? null : fallNews(view.state.lines, view.seat)
  },
  owed: owedIn,
  replies: repliesIn,
  answers: ANSWERS,
  fits: fitsIn,
  choiceName(view, field, value) {
    if (field === 'pile')
      return typeof value === 'number' ? say('choicePile', { pile: pileNumber(value) }) : say('choiceNew')
    if (typeof value !== 'number') return null
    if (field === 'colour')
      return value === view.seat ? say('choiceOwn') : say('choiceChip', { name: view.nameOf(value) })
    return field === 'to' ? view.nameOf(value) : null
  },
  gained: (count) => say('chipCount', { count }),
  brought: putOut,
  eyebrow(view) {
    const sections = sectionsOf(view)
    if (sections === null) return ''
    const { stage, match } = sections
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
  /**
   * The controls change when the tray switches between prisoners and the move, and when a prisoner is chosen.
   */
  trayState(view) {
    const { about, colour } = selectionOf(view)
    return `${about} ${about === 'prisoners' && colour === null}`
  },
  rules: async () => (await import('virtual:rules/sucker')).default,
  formatArguments: (_line, values) => formatArguments(values),
  sentence: sentenceOf,
}
