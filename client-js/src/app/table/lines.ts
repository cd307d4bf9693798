/** Log lines in words: the hub's from the app's catalogue, a game's from its own. */
import type * as Wire from '../../sdk/wire.gen.ts'
import { tPieces, words } from '../language.ts'
import type { TableView } from '../tableview.svelte.ts'
import type { Message, Piece, Value, Values } from '../words.ts'
import { later } from './later.svelte.ts'

/** The names of line arguments whose values are seats. */
export const SEATS: ReadonlySet<string> = new Set([
  'seat',
  'other',
  'by',
  'colour',
  'enemy',
  'ally',
  'a',
  'b',
])

export function linePieces(view: TableView, line: Wire.AudienceLine): readonly Piece[] {
  const [, key, args] = line
  const promised = key.startsWith('promise.') ? later.parts?.promisePieces(view, line) : null
  if (promised != null) return promised
  const values = view.game.formatArguments?.(key, args as Values) ?? (args as Values)
  const message = view.game.sentence?.(view, line) ?? view.game.texts.lines[key]
  const pieces = message === undefined ? tPieces(`line.${key}`, values) : words.pieces(message, values)
  return pieces?.flatMap((piece) => bySeat(piece)) ?? [{ text: key }]
}

/** The numbers of all seats, each with its seat. */
function bySeat(piece: Piece): readonly Piece[] {
  if (!('name' in piece) || piece.name !== 'bids' || !Array.isArray(piece.value)) return [piece]
  const numbers = piece.value as readonly (number | string)[]
  return words
    .listParts([...numbers.keys()].map(String))
    .flatMap(({ type, value }) =>
      type === 'literal'
        ? [{ text: value }]
        : [
            { name: 'seat', value: Number(value) },
            { text: '\u00a0' },
            { name: 'number', value: numbers[Number(value)] ?? null },
          ],
    )
}

/** A line as plain text, for screen readers. */
export function lineText(view: TableView, line: Wire.AudienceLine): string {
  return piecesText(view, linePieces(view, line))
}

/** A message of the catalogue as plain text; a remark may address a seat as `to`. */
export function messageText(view: TableView, message: Message, args: Values): string {
  const named = Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, name === 'to' ? view.nameOf(Number(value)) : value]),
  )
  return piecesText(view, words.pieces(message, named))
}

/** The newest line with one of these keys, if there is any. */
export function newest(view: TableView, keys: readonly string[]): Wire.AudienceLine | undefined {
  return view.state.lines.findLast(([, key]) => keys.includes(key))
}

/** A sentence in which seats are shown only by name. */
export function piecesText(view: TableView, pieces: readonly Piece[]): string {
  return pieces
    .map((piece) => ('text' in piece ? piece.text : words.value(named(view, piece.name, piece.value))))
    .join('')
}

function named(view: TableView, name: string, value: Value): Value {
  if (SEATS.has(name) && typeof value === 'number') return view.nameOf(value)
  if (name === 'seats' && Array.isArray(value)) return value.map((seat) => view.nameOf(Number(seat)))
  return value
}

/** What follows a name that "you" cannot stand for: the end of a genitive, or a verb in the third person. */
const BOUND = /^(’s| (is|was|has|wins)\b)/

/** Whether "you" can stand for the seat in this piece of a sentence, and whether a sentence starts there; null if not. */
export function callsYou(pieces: readonly Piece[], index: number): 'start' | 'within' | null {
  const [before, after] = [pieces[index - 1], pieces[index + 1]]
  if (after !== undefined && 'text' in after && BOUND.test(after.text)) return null
  const starts = before === undefined || ('text' in before && /[.!?]\s+$/.test(before.text))
  return starts ? 'start' : 'within'
}
