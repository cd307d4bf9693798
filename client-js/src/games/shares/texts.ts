/** Every text of Share and Share Alike, in English. */
import type { GameTexts } from '../../app/game.ts'
import { prompted } from './texts/asked.ts'
import { board } from './texts/board.ts'
import { end } from './texts/end.ts'
import { names } from './texts/names.ts'
import { options } from './texts/options.ts'
import { told } from './texts/told.ts'
import { tray } from './texts/tray.ts'

export const texts = {
  title: 'Share and Share Alike',
  tagline:
    'Collect shares in secret, raise the towers you hold, pull down the rest. A prize is split among all who have a share of it.',
  ...told,
  ...prompted,
  ...options,
  ...names,
  ...board,
  ...tray,
  ...end,
} as const satisfies GameTexts<'shares'> & Readonly<Record<string, unknown>>
