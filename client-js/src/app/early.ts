/**
 * The page of a table asks the hub for the table and for this person's place while its scripts are still loading. The
 * early script (build/preload.ts) sends these requests; this module hands out their answers, each once.
 */

/** Where the browser keeps this device's person. */
export const PERSON = 'parley.person'
/** Where the browser keeps who joined each table from here. */
export const JOINED = 'parley.joined'

declare global {
  interface Window {
    /** Answers on their way, by method, URL and authorization, with spaces between. */
    earlyAnswers?: Map<string, Promise<Response>>
  }
}

/** Fetches, or takes the answer to the same request that the early script has sent. */
export function earlyFetch(url: string, init: RequestInit): Promise<Response> {
  const { method = 'GET', headers } = init
  const key = [method, url, new Headers(headers).get('authorization') ?? ''].join(' ')
  const answer = window.earlyAnswers?.get(key)
  window.earlyAnswers?.delete(key)
  return answer ?? fetch(url, init)
}
