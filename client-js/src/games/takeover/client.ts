import type { GameClient } from '../../app/game.ts'
import Board from './Board.svelte'
import { deals } from './deals.ts'
import Result from './Result.svelte'
import { told } from './said.ts'
import Tray from './Tray.svelte'
import { texts } from './words.ts'

export const client: GameClient = {
  texts,
  Board,
  Tray,
  Result,
  score: () => null,
  done: (view, seat) => (view.gameSection('takeover', 'stage')?.turn === seat ? false : null),
  extensions: (view) => (view.seat === null ? null : (view.gameSection('takeover', 'pace')?.extensions[view.seat] ?? null)),
  eyebrow: () => '',
  keys: () => [],
  told: (_line, values) => told(values),
  deals,
  rules: async () => (await import('virtual:rules/takeover')).default,
}
