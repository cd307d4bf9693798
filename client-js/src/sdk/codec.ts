/** One msgpack map per binary WebSocket frame: typed messages to bytes, and back. */
import { decode as unpack, encode as pack } from '@msgpack/msgpack'
import { MAX_FRAME, type ToClient, type ToHub } from './wire.gen.ts'

/** The data from the socket is not a message in this protocol. */
export class BadFrame extends Error {
  override name = 'BadFrame'
}

/** The bytes of one message. Throws RangeError when the hub would close the socket over its size. */
export function encode(message: ToHub): Uint8Array<ArrayBuffer> {
  const bytes = pack(message, { ignoreUndefined: true }) as Uint8Array<ArrayBuffer>
  if (bytes.byteLength > MAX_FRAME) throw new RangeError(`a frame may hold at most ${MAX_FRAME} bytes`)
  return bytes
}

/** The message in these bytes. Throws BadFrame. A message of an unknown kind is returned as is. */
export function decode(data: ArrayBuffer | Uint8Array): ToClient {
  let value: unknown
  try {
    value = unpack(data)
  } catch (cause) {
    throw new BadFrame('the frame is not msgpack', { cause })
  }
  if (typeof value !== 'object' || value === null || !('t' in value) || typeof value.t !== 'string') {
    throw new BadFrame('the frame is not a message')
  }
  return value as ToClient
}
