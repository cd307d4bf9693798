/** What went wrong over HTTP, in words of this page's language; the hub's own sentence where there are none. */
import type { ApiError } from '../sdk/api.ts'
import { tMaybe } from './language.ts'

export function apiError(error: ApiError): string {
  return tMaybe(`error.${error.code}`) ?? error.message
}
