/**
 * What a bot has last asked of this seat about squares, or else has last said to it, until this seat has placed a
 * pyramid.
 */
import type { TableView } from '../../app/tableview.svelte.ts'
import type { TalkMessage } from '../../sdk/wire.gen.ts'
import { sectionsOf } from './selectors.ts'
import { squareName } from './grid.ts'
import { ASKED_SQUARE, listAsked } from './owed.ts'

/** The arguments of a remark that name squares. */
const NAMES = ['square', 'mine', 'reply', 'second'] as const

function newest(view: TableView): TalkMessage | undefined {
  const { seat } = view
  if (seat === null) return undefined
  const placed = view.state.lines.findLast(
    ([, key, args]) => key === 'subdivision.placed' && args.seat === seat,
  )
  const said = view.state.talk.filter(
    ({ bot, args, at }) => bot === true && args?.to === seat && (placed === undefined || placed[3] <= at),
  )
  const asked = listAsked(view)
  return said.findLast((message) => asked.includes(message)) ?? said.at(-1)
}

/** The squares that somebody speaks of. */
export interface Named {
  readonly squares: ReadonlySet<number>
  /** Who does. */
  readonly by: number | null
}

/** The numbers of the squares that it names. */
export function squaresNamed(view: TableView): Named {
  const [message, size] = [newest(view), sectionsOf(view)?.board.size]
  const args = message?.args
  if (args === undefined || size === undefined) return { squares: new Set(), by: null }
  const names = new Set(NAMES.map((name) => args[name]))
  const squares = Array.from({ length: size * size }, (_, square) => square).filter((square) =>
    names.has(squareName(square, size)),
  )
  return { squares: new Set(squares), by: message?.seat ?? null }
}

/** The square that it asks this seat to leave, as the term of a promise. */
export function squareWished(view: TableView, kind: string, term: string): string | null {
  if (kind !== 'leave_square' || term !== 'square') return null
  const message = newest(view)
  const intent = message?.phrase?.split('.')[2] ?? ''
  const name = message?.args?.[ASKED_SQUARE[intent] ?? '']
  return typeof name === 'string' ? name : null
}
