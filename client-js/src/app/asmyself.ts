/**
 * Ask the hub as this person; one whose token it does not know any more becomes a new one of the same name.
 */
import { ApiError, type Api } from '../sdk/api.ts'
import { anew, api, somebody } from './identity.svelte.ts'

export async function asMyself<T>(call: (api: Api) => Promise<T>): Promise<T> {
  await somebody()
  try {
    return await call(api)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    await anew()
    return call(api)
  }
}
