/** What a bot has last said to this seat about squares, until this seat has placed a pyramid. */
import type { TableView } from '../../app/tableview.svelte.ts'
import type { TalkMessage } from '../../sdk/wire.gen.ts'
import { sectionsOf } from './selectors.ts'
import { squareName } from './grid.ts'
import { ASKED_SQUARE } from './owed.ts'

/** The arguments of a remark that name squares. */
const NAMES = ['square', 'mine', 'reply', 'second'] as const

function newest(view: TableView): TalkMessage | undefined {
  if (view.seat === null) return undefined
  const message = view.state.talk.findLast(({ bot, args }) => bot === true && args?.to === view.seat)
  const placed = view.state.lines.findLast(
    ([, key, args]) => key === 'subdivision.placed' && args.seat === view.seat,
  )
  return message === undefined || (placed !== undefined && placed[3] > message.at) ? undefined : message
}

/** The numbers of the squares that it names. */
export function squaresNamed(view: TableView): ReadonlySet<number> {
  const [args, size] = [newest(view)?.args, sectionsOf(view)?.board.size]
  if (args === undefined || size === undefined) return new Set()
  const names = new Set(NAMES.map((name) => args[name]))
  return new Set(
    Array.from({ length: size * size }, (_, square) => square).filter((square) =>
      names.has(squareName(square, size)),
    ),
  )
}

/** The square that it asks this seat to leave, as the term of a promise. */
export function squareWished(view: TableView, kind: string, term: string): string | null {
  if (kind !== 'leave_square' || term !== 'square') return null
  const message = newest(view)
  const intent = message?.phrase?.split('.')[2] ?? ''
  const name = message?.args?.[ASKED_SQUARE[intent] ?? '']
  return typeof name === 'string' ? name : null
}
