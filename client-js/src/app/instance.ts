/**
 * The client instance of this tab at a table, kept across reloads.
 *
 * It is stored in the tab only between pages: removed on arrival and put back on leaving, so that a
 * duplicated tab, which copies the storage, does not pose as the same instance.
 */
import type { Resume, Table } from '../sdk/table.ts'
import { INSTANCE } from './early.ts'

const key = (code: string): string => INSTANCE + code

export function takeInstance(code: string): Resume | null {
  const kept = sessionStorage.getItem(key(code))
  sessionStorage.removeItem(key(code))
  if (kept === null) return null
  const [session, n] = kept.split(' ').map(Number)
  return session !== undefined && n !== undefined && Number.isSafeInteger(session + n) ? { session, n } : null
}

/** Keep the instance when the page goes away, or when the returned function is called (the table is left). */
export function keepInstance(code: string, table: Table): () => void {
  const keep = (): void => {
    const { resume } = table
    if (resume !== null) sessionStorage.setItem(key(code), `${resume.session} ${resume.n}`)
  }
  const back = (): void => sessionStorage.removeItem(key(code))
  addEventListener('pagehide', keep)
  addEventListener('pageshow', back)
  return () => {
    keep()
    removeEventListener('pagehide', keep)
    removeEventListener('pageshow', back)
  }
}
