/** The operator's HTTP API, used with the cookie that signing in gives. */
import { ApiError, type Place } from '../../sdk/api.ts'

export interface AdminTable {
  readonly room: string
  readonly code: string
  readonly game: string
  readonly status: string
  readonly open: boolean
  readonly watchers: number | null
  /** The hub where the table is, if it is another one. */
  readonly hub: string | null
  readonly people: readonly {
    readonly seat: number
    readonly person: string | null
    readonly name: string | null
    readonly bot: string | null
  }[]
}

export interface AdminPerson {
  readonly person: string
  readonly name: string
  readonly networks: readonly string[]
  readonly places: readonly { readonly room: string; readonly seat: number | null }[]
}

export interface AdminReport {
  readonly id: string
  readonly at: number
  readonly room: string
  readonly code: string
  readonly reporter: string
  readonly reporter_name: string
  readonly reason: string
  readonly text: string
  readonly about: { readonly person: string | null; readonly name: string } | null
  readonly lines: readonly { readonly name: string; readonly text?: string; readonly phrase?: string }[]
  readonly handled: { readonly at: number; readonly note: string } | null
}

export interface Bans {
  readonly bans: readonly {
    readonly kind: 'person' | 'network'
    readonly target: string
    readonly name: string
    readonly until: number
    readonly reason: string
  }[]
  readonly revocations: readonly { readonly person: string | null; readonly before: number }[]
  readonly closures: readonly { readonly room: string; readonly reason: string }[]
}

export interface AuditEntry {
  readonly id: string
  readonly at: number
  readonly who: string
  readonly network: string | null
  readonly action: string
  readonly target: string
  readonly detail: string
}

async function call<T>(path: string, body?: unknown): Promise<T> {
  const init: RequestInit = { cache: 'no-store', headers: { 'content-type': 'application/json' } }
  if (body !== undefined) {
    init.method = 'POST'
    init.body = JSON.stringify(body)
  }
  let answer: Response
  try {
    answer = await fetch(`/admin/api/${path}`, init)
  } catch (cause) {
    throw new ApiError(0, 'UNREACHABLE', 'the hub cannot be reached', {}, { cause })
  }
  const value = (await answer.json().catch(() => null)) as { code?: string; advice?: string } | null
  if (answer.ok && value !== null) return value as T
  throw new ApiError(answer.status, value?.code ?? 'BAD_ANSWER', value?.advice ?? `${answer.status}`)
}

const part = encodeURIComponent

/** The newest entries of a list that the hub sends in pages. */
export interface Newest<T> {
  readonly entries: readonly T[]
  /** Whether there may be older ones. */
  readonly more: boolean
}

/** The number of entries in one page, as in hub/net/http/admin.py. */
const PAGE = 100

async function newest<T extends { readonly id: string }>(
  path: string,
  field: string,
  pages: number,
): Promise<Newest<T>> {
  const byId = new Map<string, T>() // a new entry shifts the others to a later page
  let more = true
  for (let page = 0; page < pages && more; page += 1) {
    const batch = (await call<Record<string, readonly T[]>>(`${path}?skip=${page * PAGE}`))[field] ?? []
    for (const entry of batch) byId.set(entry.id, entry)
    more = batch.length === PAGE
  }
  return { entries: [...byId.values()], more }
}

export const admin = {
  session: () => call('session'),
  signIn: (token: string) => call('session', { token }),
  signOut: () => call('session/end', {}),
  tables: async () => (await call<{ tables: readonly AdminTable[] }>('tables')).tables,
  people: async () => (await call<{ people: readonly AdminPerson[] }>('people')).people,
  reports: (pages: number) => newest<AdminReport>('reports', 'reports', pages),
  bans: () => call<Bans>('bans'),
  audit: (pages: number) => newest<AuditEntry>('audit', 'entries', pages),
  watch: (room: string) => call<Place>(`tables/${part(room)}/watch`, {}),
  close: (room: string, reason: string) => call(`tables/${part(room)}/close`, { reason }),
  reopen: (room: string) => call(`tables/${part(room)}/reopen`, {}),
  ban: (kind: 'person' | 'network', target: string, days: number, reason: string, name = '') =>
    call('bans', { kind, target, days, reason, name }),
  lift: (kind: 'person' | 'network', target: string) => call('bans/lift', { kind, target }),
  revoke: (person: string) => call('revocations', { person }),
  handle: (id: string, reason: string) => call(`reports/${part(id)}/handle`, { reason }),
  drain: () => call('drain', {}),
}
