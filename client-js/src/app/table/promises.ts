/** Promises in words. A promise binds nobody; its game's rules judge it by what everybody sees (R30). */
import type * as Wire from '../../sdk/wire.gen.ts'
import { tPieces, words } from '../language.ts'
import type { TableView } from '../tableview.svelte.ts'
import type { Message, Piece, Values } from '../words.ts'
import { talkTexts } from './talktexts.svelte.ts'

export type Judgement = NonNullable<Wire.PromiseInfo['judgement']>

/** Something that a seat has agreed to otherwise than by promise, such as a plan, and whether it did it. */
export interface Word {
  readonly by: number
  readonly kept: boolean
  readonly pieces: readonly Piece[]
}

/** The promises that this person may know of, the oldest first. */
export function promisesOf(view: TableView): readonly Wire.PromiseInfo[] {
  return view.section('promises')?.promises ?? []
}

/** What the maker of a promise said. */
export function promiseText(view: TableView, kind: string, terms: Values): string {
  const texts = talkTexts(view).promises?.[kind]
  if (texts === undefined) return '…'
  return words.format(texts.text, view.game.formatArguments?.(`promise.${kind}`, terms) ?? terms)
}

/** A term of a promise as it is shown by itself. */
export function termText(view: TableView, kind: string, name: string, value: number | string): string {
  const shown = view.game.formatArguments?.(`promise.${kind}`, { [name]: value })[name] ?? value
  return words.value(shown)
}

/** The arguments of a message that choose between its words, as of a plural. */
export function decisiveIn(message: Exclude<Message, string>): ReadonlySet<string> {
  const names = new Set<string>()
  for (const element of message)
    if ('options' in element) {
      names.add(element.value)
      for (const { value } of Object.values(element.options))
        for (const name of decisiveIn(value)) names.add(name)
    }
  return names
}

/** A log line about a promise; null if this page does not have the promise. */
export function promisePieces(view: TableView, line: Wire.AudienceLine): readonly Piece[] | null {
  const [, key, args] = line
  const promise = promisesOf(view).find(({ id }) => id === args.promise)
  if (promise === undefined) return null
  const text = promiseText(view, promise.kind, promise.terms)
  const seats = promise.to ?? []
  const to = key === 'promise.made' && seats.length === 0 ? 'All' : ''
  return tPieces(`line.${key}${to}`, { seat: promise.by, seats, text })
}

/** What a broken promise cost those it was made to, or everybody else: how far they fell behind whoever broke it. */
export function costsOf(
  view: TableView,
  promise: Wire.PromiseInfo,
): readonly { seat: number; cost: number }[] {
  const changes = promise.cost
  if (changes == null) return []
  const to = promise.to?.length ? promise.to : view.seats.map(({ number }) => number)
  return to
    .filter((seat) => seat !== promise.by)
    .map((seat) => ({ seat, cost: (changes[promise.by] ?? 0) - (changes[seat] ?? 0) }))
    .filter(({ cost }) => cost > 0)
}
