import { describe, expect, test } from 'vitest'
import { Api } from '../../src/sdk/api.ts'

interface Asked {
  readonly url: string
  readonly method: string
  readonly token: string | null
  readonly body: unknown
}

/** A hub that gives these responses in turn, and records the requests. */
function answering(
  ...answers: readonly [status: number, body: unknown, headers?: Record<string, string>][]
): {
  fetcher: typeof fetch
  prompted: Asked[]
} {
  const prompted: Asked[] = []
  const fetcher = ((url: string, init: RequestInit) => {
    const headers = new Headers(init.headers)
    prompted.push({
      url,
      method: init.method ?? '',
      token: headers.get('authorization'),
      body: init.body ? JSON.parse(String(init.body)) : null,
    })
    const [status, body, given = {}] = answers[prompted.length - 1] ?? [500, null]
    const content = typeof body === 'string' ? body : JSON.stringify(body)
    return Promise.resolve(new Response(content, { status, headers: given }))
  }) as typeof fetch
  return { fetcher, prompted }
}

describe('the HTTP side', () => {
  test('speaks as the person whose token it was given', async () => {
    const { fetcher, prompted } = answering([201, { token: 'T' }], [200, { seat: null }])
    const api = new Api('http://hub', null, fetcher)
    api.as((await api.makePerson('Ann', 2)).token)
    await api.enter('BCDFGH')
    expect(prompted).toEqual([
      { url: 'http://hub/api/people', method: 'POST', token: null, body: { name: 'Ann', colour: 2 } },
      { url: 'http://hub/api/rooms/BCDFGH/enter', method: 'POST', token: 'Bearer T', body: null },
    ])
  })

  test('uses a fresh token from then on, and hands it over', async () => {
    const renewals: string[][] = []
    const { fetcher, prompted } = answering([200, {}, { 'Parley-Token': 'NEW' }], [200, {}])
    const api = new Api('', 'OLD', fetcher, (old, fresh) => renewals.push([old, fresh]))
    await api.enter('X')
    await api.enter('X')
    expect(prompted.map(({ token }) => token)).toEqual(['Bearer OLD', 'Bearer NEW'])
    expect(renewals).toEqual([['OLD', 'NEW']])
  })

  test('puts a code into a path as one piece of it', async () => {
    const { fetcher, prompted } = answering([404, { code: 'NO_SUCH_ROOM', advice: 'none' }])
    await expect(new Api('', null, fetcher).room('../people')).rejects.toMatchObject({ code: 'NO_SUCH_ROOM' })
    expect(prompted[0]?.url).toBe('/api/rooms/..%2Fpeople')
  })

  test('asks for the lobby page by page, and whether it has changed', async () => {
    const lobby = { rooms: [], total: 51 }
    const { fetcher, prompted } = answering([200, lobby], [200, lobby])
    const caches: unknown[] = []
    const spying = ((url: string, init: RequestInit) => {
      caches.push(init.cache)
      return fetcher(url, init)
    }) as typeof fetch
    const api = new Api('', null, spying)
    expect(await api.rooms()).toEqual(lobby)
    await api.rooms(2)
    expect(prompted.map(({ url }) => url)).toEqual(['/api/rooms', '/api/rooms?page=2'])
    expect(caches).toEqual(['no-cache', 'no-cache'])
  })

  test.each([
    [
      [409, { code: 'SEAT_TAKEN', advice: 'too late' }],
      { status: 409, code: 'SEAT_TAKEN', message: 'too late' },
    ],
    [[502, '<html>bad gateway</html>'], { status: 502, code: 'BAD_ANSWER' }],
    [[200, 'not json'], { status: 200, code: 'BAD_ANSWER' }],
  ] as const)('an answer %j is an error that can be shown', async (answer, wanted) => {
    await expect(new Api('', null, answering(answer as never).fetcher).games()).rejects.toMatchObject(wanted)
  })

  test('a network failure is such an error too', async () => {
    const failing = (() => Promise.reject(new TypeError('no route'))) as typeof fetch
    await expect(new Api('', null, failing).rooms()).rejects.toMatchObject({ status: 0, code: 'UNREACHABLE' })
  })
})
