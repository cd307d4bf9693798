/**
 * The page of a table asks the hub for the table and for this person's place while its scripts are still loading. The
 * early script (build/preload.ts) sends these requests and opens the socket; this module hands out the answers and the
 * socket, each once.
 */
import type { SocketLike } from '../sdk/socket.ts'

/** Where the browser keeps this device's person. */
export const PERSON = 'parley.person'
/** Where the browser keeps who joined each table from here. */
export const JOINED = 'parley.joined'

declare global {
  interface Window {
    /** Answers on their way, by method, URL and authorization, with spaces between. */
    earlyAnswers?: Map<string, Promise<Response>>
    earlySocket?: WebSocket
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

/** Opens a socket, or takes the one that the early script has opened. The hub sends nothing on it before a hello. */
export function earlySocket(url: string, subprotocol: string): SocketLike {
  const early = window.earlySocket
  delete window.earlySocket
  if (early?.url !== url || early.readyState > WebSocket.OPEN) {
    early?.close()
    return new WebSocket(url, subprotocol) as unknown as SocketLike
  }
  if (early.readyState === WebSocket.OPEN) queueMicrotask(() => early.dispatchEvent(new Event('open')))
  return early as unknown as SocketLike
}
