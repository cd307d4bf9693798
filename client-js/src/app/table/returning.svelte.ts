/**
 * Coming back to a table, in a page that stayed open or in a new one: takes the seat back from its bot, and
 * lists what happened in the meantime.
 */
import { untrack } from 'svelte'
import type { AudienceLine } from '../../sdk/wire.gen.ts'
import { StoredTables } from '../storedtables.ts'
import type { TableView } from '../tableview.svelte.ts'
import { page } from '../visible.svelte.ts'

/** After less than this, in milliseconds of table time, a new page is a reload rather than a return. */
const RELOAD = 5_000

/** The last line that somebody saw in their seat, and the table time. */
const lastSeen = new StoredTables<readonly [table: string, seat: number, line: number, at: number]>(
  'parley.seen',
)

export interface Return {
  /** The lines that arrived while this person was away, until they are dismissed. */
  readonly missed: readonly AudienceLine[]
  /** Whether the hub refused to give the seat back. */
  readonly stuck: boolean
  dismiss(): void
}

/** Follow this person's absences from a table. Call this from a component that shows it. */
export function followReturns(of: () => TableView): Return {
  const view = $derived(of())
  let missed = $state.raw<readonly AudienceLine[]>([])
  let stuck = $state(false)
  /** The last line seen; null while this person is looking. */
  let since: number | null = untrack(() => findLastSeen(view))
  let asking = false

  const lastLine = (): number => view.state.lines.at(-1)?.[0] ?? -1
  const looking = $derived(page.visible && view.online && view.state.current)

  $effect(() => {
    if (looking) untrack(comeBack)
    else untrack(leave)
  })
  /** Not only on leaving: a page that is killed never leaves. */
  const shown = $derived(lastLine())
  $effect(() => {
    if (looking && shown >= 0) untrack(remember)
  })
  $effect(() => {
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  })

  function leave(): void {
    if (since !== null) return
    remember()
    since = lastLine()
  }

  function remember(): void {
    if (view.seat === null || !view.running) return
    lastSeen.put([view.code, view.seat, lastLine(), view.table.clock.now()])
  }

  function comeBack(): void {
    if (since === null) return
    const from = since
    since = null
    if (view.running) missed = view.state.lines.filter(([number]) => number > from)
  }

  $effect(() => {
    if (!view.kept) asking = stuck = false
    else if (looking && view.running && !view.asked && !asking) {
      asking = true
      void view.table.manage({ do: 'take_back' }).then(({ code }) => {
        stuck = code !== null && code !== 'NOT_NOW' // which another page of this person may cause
      })
    }
  })

  return {
    get missed() {
      return missed
    },
    get stuck() {
      return stuck
    },
    dismiss: () => {
      missed = []
    },
  }
}

/** For a new page, the last line that this person saw in an earlier one; null if they were not away. */
function findLastSeen(view: TableView): number | null {
  const { code, seat } = view
  if (seat === null) return null
  const seen = lastSeen.find(code)
  if (seen?.[1] === seat) return view.kept || view.table.clock.now() - seen[3] > RELOAD ? seen[2] : null
  const stoodIn = view.state.lines.findLast(
    ([, key, args]) => key === 'table.stands_in' && args.seat === seat,
  )
  return view.kept && !view.asked && stoodIn !== undefined ? stoodIn[0] - 1 : null
}
