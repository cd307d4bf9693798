/**
 * Calls the hub as this person; if it no longer knows their token, they become a new person with the same
 * name.
 */
import { ApiError, type Api } from '../sdk/api.ts'
import { api, forgetMyself, renewPerson, somebody } from './identity.svelte.ts'

export async function asMyself<T>(call: (api: Api) => Promise<T>): Promise<T> {
  await somebody()
  try {
    return await call(api)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    if (error.code === 'CONTINUED_ELSEWHERE') {
      forgetMyself()
      throw error
    }
    await renewPerson()
    return call(api)
  }
}
