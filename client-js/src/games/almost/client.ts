import type { GameClient } from '../../app/game.ts'
import { t, words } from '../../app/language.ts'
import { intentOf } from '../../app/promises.ts'
import { isAsked } from '../../app/table/asked.ts'
import Board from './Board.svelte'
import { counts, sectionsOf } from './selectors.ts'
import Tray from './Tray.svelte'
import { say, texts } from './words.ts'

/** The phrases that answer an offer or a plan. */
const ANSWERS: ReadonlySet<string> = new Set(['almost.say.agreed', 'almost.say.noDeal'])

/** The phrase that threatens: once there are plans, or for whoever is asked for something. */
const THREAT = 'almost.say.threat'

/** The phrases about what will be picked. */
const PLANNING: ReadonlySet<string> = new Set(
  ['whatFor', 'followPlan', 'yourTurnNext', 'myTurn', 'takeOne', 'promiseMe', 'hurry'].map(
    (key) => `almost.say.${key}`,
  ),
)
/** What bots say to ask a seat for a low number in the next round, which is this one. */
const ASKS: ReadonlySet<string> = new Set(['askTurn', 'pitchTrade'])
const LOW = 1

export const client: GameClient = {
  texts,
  Board,
  Tray,
  result: () => import('./Result.svelte'),
  own: () => import('./Own.svelte'),
  scoresOnBoard: true,
  openTray: (view) => view.main?.kind === 'ready' || view.main?.kind === 'continue',
  prompts: { ready: 'decision', plan: 'aside', bid: 'decision', continue: 'decision' },
  score(view, seat) {
    const sections = sectionsOf(view)
    if (sections === null) return null
    const count = counts(sections)[seat] ?? 0
    const won = sections.stage.mode === 'banbury' && sections.stage.scoring === 'roundsWon'
    const { target } = sections.stage
    return {
      text: target === null ? words.value(count) : `${words.value(count)}/${words.value(target)}`,
      about: won
        ? say('wins', { count })
        : target === null
          ? say('points', { count })
          : say('pointsOf', { points: count, target }),
    }
  },
  /** During the talk, a promise is what one gives for this round: about the next one. */
  wished(view, _kind, term) {
    const stage = view.gameSection('almost', 'stage')
    return term === 'round' && stage?.phase === 'discuss' && stage.round < stage.rounds
      ? stage.round + 1
      : null
  },
  done: (view, seat) => view.gameSection('almost', 'readiness')?.done[seat] ?? null,
  ahead: [
    {
      prompt: 'ready',
      move: 'ready',
      label: () => say('ready'),
      ignores: ['almost.round', 'mine'], // the number of a round that is over
      may(view) {
        const stage = view.gameSection('almost', 'stage')
        return (
          stage?.phase === 'reveal' && stage.round < stage.rounds && view.about?.options.discussion !== 'none'
        )
      },
    },
  ],
  sounds: {
    'almost.proposed': 'card',
    'almost.revealed': 'reveal',
  },
  extensions: (view) => view.gameSection('almost', 'mine')?.extensions ?? null,
  eyebrow(view) {
    const stage = view.gameSection('almost', 'stage')
    return stage === undefined
      ? ''
      : stage.phase === 'end'
        ? t('result.over')
        : say('round', { round: stage.round, rounds: stage.rounds })
  },
  keys: () => [
    { keys: ['0', '–', '9'], does: say('keyNumber') },
    { keys: ['Enter'], does: say('keyEnter') },
    { keys: ['U'], does: say('keyUnlock') },
  ],
  owed(view, message) {
    const stage = view.gameSection('almost', 'stage')
    const { seat: by, at, args } = message
    if (by == null || view.seat === null || args?.to !== view.seat || !ASKS.has(intentOf(message)))
      return null
    if (stage?.phase !== 'discuss' || stage.round >= stage.rounds) return null
    const begun = view.state.lines.findLast(([, key]) => key === 'almost.round')?.[3] ?? 0
    return at < begun ? null : { kind: 'bid', terms: { number: LOW, round: stage.round + 1 }, to: [by] }
  },
  fits(view, phrase) {
    const phase = view.gameSection('almost', 'stage')?.phase
    if (PLANNING.has(phrase)) return phase !== 'end'
    if (phrase !== THREAT && !ANSWERS.has(phrase)) return true
    if (phrase === THREAT && phase !== 'discuss') return false
    const plans = sectionsOf(view)?.plans.plans ?? []
    return plans.some(({ by }) => by !== view.seat) || isAsked(view)
  },
  choiceName: (_view, field, value) => (field === 'number' ? words.value(Number(value)) : null),
  rules: async () => (await import('virtual:rules/almost')).default,
}
