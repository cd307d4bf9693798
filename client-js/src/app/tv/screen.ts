/**
 * The person that a shared screen watches as. It is somebody else than the person using this browser, who may have
 * a seat at the table: a shared screen shows only what everybody may see.
 */
import { Api, ApiError } from '../../sdk/api.ts'
import { t } from '../language.ts'

const KEY = 'parley.screen'

const api = new Api('', localStorage.getItem(KEY), undefined, (_old, fresh) => {
  localStorage.setItem(KEY, fresh)
})

async function becomeScreen(): Promise<void> {
  const { token } = await api.makePerson(t('tv.person'), 0)
  localStorage.setItem(KEY, token)
  api.as(token)
}

/** Calls the hub as the shared screen. Throws ApiError. */
export async function asScreen<T>(call: (api: Api) => Promise<T>): Promise<T> {
  if (localStorage.getItem(KEY) === null) await becomeScreen()
  try {
    return await call(api)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    await becomeScreen()
    return call(api)
  }
}
