/**
 * The page of a table asks the hub for the table and for this person's place, and connects to the table, while its
 * scripts are still loading. The early script (build/preload.ts) does this; this module hands out the answers and the
 * socket, each once.
 */
import type { OpenSocket, SocketLike } from '../sdk/socket.ts'

/** Where the browser keeps this device's person. */
export const PERSON = 'parley.person'
/** Where the browser keeps who joined each table from here. */
export const JOINED = 'parley.joined'
/** Before a table's code: where a tab keeps its instance at that table between two pages (instance.ts). */
export const INSTANCE = 'parley.instance.'

/** A socket that says hello with this ticket when it opens, and the messages that have come since. */
interface EarlySocket {
  readonly socket: WebSocket
  readonly ticket: string
  readonly frames: readonly MessageEvent[]
}

declare global {
  interface Window {
    /** Answers on their way, by method, URL and authorization, with spaces between. */
    earlyAnswers?: Map<string, Promise<Response>>
    earlySocket?: EarlySocket
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

/**
 * Opens the sockets of a link that has this ticket. The first one is the early script's, if it is for the same ticket:
 * one that is open has said hello already, and now delivers what has come since.
 */
export function openWith(ticket: string): OpenSocket {
  return (url, subprotocol) => {
    const early = window.earlySocket
    delete window.earlySocket
    if (early?.ticket !== ticket || early.socket.url !== url || early.socket.readyState > WebSocket.OPEN) {
      early?.socket.close()
      return new WebSocket(url, subprotocol) as unknown as SocketLike
    }
    const { socket, frames } = early
    queueMicrotask(() => frames.forEach((frame) => socket.onmessage?.(frame))) // the link listens by then
    return socket as unknown as SocketLike
  }
}
