/** HTTP errors in the language of the page, or the hub's own sentence if an error has no translation. */
import type { ApiError } from '../sdk/api.ts'
import type { AnyTexts } from './game.ts'
import { t, tMaybe, words } from './language.ts'
import { localTime } from './times.ts'
import type { Values } from './words.ts'

/** `game` holds the strings of the game that may have refused the request. */
export function apiError(error: ApiError, game?: Pick<AnyTexts, 'refusals'>): string {
  const { until } = error.args
  if (error.code === 'BANNED' && typeof until === 'string')
    return t('table.bannedUntil', { time: localTime(new Date(until)) })
  const refusal = game?.refusals[error.code]
  return refusal === undefined
    ? (tMaybe(`error.${error.code}`) ?? error.message)
    : words.format(refusal, error.args as Values)
}
