/** A proxy before a hub that listens for a page's errors, for a browser whose driver does not report them. */
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

/** In the page: the errors so far. */
export const HEARD = 'globalThis.heardErrors'

const SCRIPT = `${HEARD} = []
addEventListener('error', ({ message }) => ${HEARD}.push(message), true)
addEventListener('unhandledrejection', ({ reason }) => ${HEARD}.push(String(reason)))
const report = console.error
console.error = (...what) => { ${HEARD}.push(what.join(' ')); report(...what) }
`
const SCRIPT_PATH = '/listener.js'

export interface Listener {
  readonly port: number
  close(): Promise<void>
}

/** Listen before the hub at this port of this machine. */
export async function listen(hubPort: number): Promise<Listener> {
  const server = createServer((asked, answer) => forward(hubPort, asked, answer))
  const sockets = new Set<Duplex>()
  server.on('upgrade', (asked: IncomingMessage, socket: Duplex, first: Buffer) => {
    const hub = connect(hubPort, '127.0.0.1')
    const lines = [`${asked.method} ${asked.url} HTTP/1.1`]
    for (let index = 0; index < asked.rawHeaders.length; index += 2)
      lines.push(`${asked.rawHeaders[index]}: ${asked.rawHeaders[index + 1]}`)
    hub.write(`${lines.join('\r\n')}\r\n\r\n`)
    hub.write(first)
    socket.pipe(hub).pipe(socket)
    for (const end of [socket, hub]) {
      sockets.add(end)
      end.on('error', () => end.destroy()).on('close', () => sockets.delete(end))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function forward(port: number, asked: IncomingMessage, answer: ServerResponse): void {
  if (asked.url === SCRIPT_PATH) {
    answer.writeHead(200, { 'content-type': 'text/javascript' }).end(SCRIPT)
    return
  }
  const headers = without(asked.headers, 'accept-encoding') // pages are read here
  const { method, url: path } = asked
  const onward = request({ host: '127.0.0.1', port, method, path, headers }, (got) => {
    if (got.headers['content-type']?.startsWith('text/html') !== true) {
      answer.writeHead(got.statusCode ?? 500, got.headers)
      got.pipe(answer)
      return
    }
    let page = ''
    got.setEncoding('utf8').on('data', (text: string) => (page += text))
    got.on('end', () => {
      answer.writeHead(got.statusCode ?? 500, without(got.headers, 'content-length', 'etag'))
      answer.end(page.replace('<head>', `<head><script src="${SCRIPT_PATH}"></script>`))
    })
  })
  onward.on('error', () => answer.destroy())
  asked.pipe(onward)
}

function without(headers: IncomingHttpHeaders, ...names: readonly string[]): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))
}
