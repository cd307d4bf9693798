/** The place in the app that the address names. The hub serves the same document for every address. */

export type Place =
  /** `learn` is the game whose lesson begins at once. */
  | { readonly at: 'home'; readonly learn?: string | null }
  /** The form for a new table of this game. */
  | { readonly at: 'new'; readonly game: string }
  /**
   * `code` is the table's id or code; `tv` shows it in large type for everybody in the room. `stay` shows a
   * finished table even if its people play again elsewhere.
   */
  | { readonly at: 'table'; readonly code: string; readonly tv?: boolean; readonly stay?: boolean }
  /** Continuing from another device; `code` is empty until it is typed. */
  | { readonly at: 'continue'; readonly code: string }
  /** The operator's page, if this hub has one. Nothing links to it. */
  | { readonly at: 'admin' }
  /** An address without a page. Nothing links to one. */
  | { readonly at: 'nowhere' }

const HOME = new Set(['/', '/index.html'])

function read(): Place {
  const table = /^\/t\/([^/]+)\/?$/.exec(location.pathname)
  if (table?.[1] !== undefined) return tableOf(table[1])
  if (location.pathname === '/admin') return { at: 'admin' }
  if (!HOME.has(location.pathname)) return { at: 'nowhere' }
  const code = /^#continue=?(\w*)$/.exec(location.hash)?.[1]
  if (code !== undefined) {
    history.replaceState(null, '', '/#continue') // the code is neither kept nor shown
    return { at: 'continue', code }
  }
  const wish = new URLSearchParams(location.search)
  const game = wish.get('new')
  return game === null ? { at: 'home', learn: wish.get('learn') } : { at: 'new', game }
}

function tableOf(part: string): Place {
  try {
    const view = new URLSearchParams(location.search).get('view')
    return { at: 'table', code: decodeURIComponent(part), tv: view === 'tv', stay: view === 'result' }
  } catch {
    return { at: 'nowhere' } // cut off in the middle of an encoded character
  }
}

let place = $state.raw(read())

export const router = {
  get place(): Place {
    return place
  },
}

export function address(to: Place): string {
  switch (to.at) {
    case 'home':
      return '/'
    case 'new':
      return `/?new=${encodeURIComponent(to.game)}`
    case 'table':
      return `/t/${encodeURIComponent(to.code)}${to.tv === true ? '?view=tv' : to.stay === true ? '?view=result' : ''}`
    case 'continue':
      return '/#continue'
    case 'admin':
      return '/admin'
    case 'nowhere':
      return location.pathname
  }
}

/** A table's name in addresses: the id of a private table, which is its invitation, or an open table's code. */
export function tableName(table: {
  readonly open: boolean
  readonly room: string
  readonly code: string
}): string {
  return table.open ? table.code : table.room
}

/** Whether a table's name is the code of a private one, for which the hub gives nobody a record. */
export function isPrivateCode(name: string): boolean {
  return /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/i.test(name)
}

/** Go there, in place of the page that is open now. */
export function replace(to: Place): void {
  history.replaceState(null, '', address(to))
  place = to
}

export function go(to: Place): void {
  history.pushState(null, '', address(to))
  place = to
  scrollTo(0, 0)
}

/** An `onclick` for links that stays in this document but leaves new tabs and the like to the browser. */
export function follow(to: Place): (event: MouseEvent) => void {
  return (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go(to)
  }
}

addEventListener('popstate', () => {
  place = read()
})
addEventListener('hashchange', () => {
  place = read()
})
