import type { GameClient } from '../../app/game.ts'
import { t } from '../../app/language.ts'
import { trading } from '../../app/table/dealing.svelte.ts'
import Board from './Board.svelte'
import type { Card, Company } from './cards.ts'
import { deals } from './deals.ts'
import { lossNews } from './actions.ts'
import { decimal } from './fractions.ts'
import { formatArguments, formatCard, formatCards, formatCompany } from './format.ts'
import { later } from './later.svelte.ts'
import { selectionOf } from './selection.svelte.ts'
import { sectionsOf } from './selectors.ts'
import { roundNews } from './summary.ts'
import Tray from './Tray.svelte'
import { say, texts } from './words.ts'

export const client: GameClient = {
  texts,
  aid: () => import('./Aid.svelte'),
  Board,
  Tray,
  trayState: (view) => (selectionOf(view).discarding ? 'discarding' : ''),
  result: () => import('./Result.svelte'),
  own: () => import('./Own.svelte'),
  prompts: {
    select: 'decision',
    lowball: 'decision',
    turn: 'turn',
    hearts: 'turn',
    spades: 'turn',
    clubs: 'turn',
    peek: 'turn',
    draw: 'turn',
    // the roller may be a different seat from the one whose turn it is
    adjust: 'decision',
    chance1: 'decision',
    chance2: 'decision',
    chance3: 'decision',
    chance4: 'decision',
    chance6: 'decision',
    take: 'decision',
    market: 'decision',
    show: 'aside',
    offer: 'aside',
  },
  /** Points are secret until the end; how many cards and actions a seat has is always public. */
  score(view, seat) {
    const sections = sectionsOf(view)
    if (sections === null) return null
    const end = sections.reckoning?.seats[seat]
    if (end !== undefined) {
      const text = decimal(end.score, sections.reckoning?.over ?? 1)
      return { text, about: say('points', { points: text }) }
    }
    const cards = say('cardCount', { count: sections.players.cards[seat] ?? 0 })
    if (sections.stage.phase !== 'action') return { text: cards, about: cards }
    const { out, actions } = sections.players
    const left = out[seat] === true ? say('outSaid') : say('actionsLeft', { count: actions[seat] ?? 0 })
    return { text: cards, about: `${cards}, ${left}` }
  },
  done(view, seat) {
    const sections = sectionsOf(view)
    if (sections === null) return null
    const { players, readiness, scene, stage } = sections
    if (readiness || scene.kind === 'market') return readiness?.locked[seat] ?? null
    if (scene.seat === seat) return false
    return (stage.phase === 'action' && (players.out[seat] === true || players.actions[seat] === 0)) || null
  },
  sounds: {
    'shares.highest': 'reveal',
    'shares.starts': 'reveal',
    'shares.played': 'card',
    'shares.drew': 'card',
    'shares.added': 'card',
    'shares.removed': 'capture',
    'shares.rolled': 'card',
    'shares.traded': 'reveal',
  },
  extensions: (view) =>
    view.seat === null ? null : (view.gameSection('shares', 'time_control')?.extensions[view.seat] ?? null),
  fate: (view) => lossNews(view, true),
  news: (view) => later.trays?.passedNews(view) ?? roundNews(view),
  gained: (count) => say('cardCount', { count }),
  replies: (view, message) => later.trays?.repliesIn(view, message) ?? [],
  fits: (view, phrase) => later.trays?.fits(view, phrase) ?? true,
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
  choiceName(_view, field, value) {
    if (value === null) return null
    if (field === 'company' || field === 'tower') return formatCompany(value as Company)
    if (field === 'card') return say('choiceCard', { card: formatCard(value as Card) })
    return field === 'cards' ? formatCards(value as readonly Card[]) : null
  },
  deals: trading(deals),
  rules: async () => (await import('virtual:rules/shares')).default,
  formatArguments,
}
