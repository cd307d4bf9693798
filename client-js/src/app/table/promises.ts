/** Promises in words. A promise binds nobody; its game's rules judge it by what everybody sees (R30). */
import type * as Wire from '../../sdk/wire.gen.ts'
import { t, tPieces, words } from '../language.ts'
import type { Owed } from '../game.ts'
import { promisesOf } from '../promises.ts'
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

/** Whether the words of promises are loaded; if not, they soon are. */
export function hasPromiseTexts(view: TableView): boolean {
  return talkTexts(view).promises !== undefined
}

/** What the maker of a promise said. */
export function promiseText(view: TableView, kind: string, terms: Values): string {
  const texts = talkTexts(view).promises?.[kind]
  if (texts === undefined) return '…'
  return words.format(texts.text, view.game.formatArguments?.(`promise.${kind}`, terms) ?? terms)
}

/** What this person would say now with a promise. */
export function offeredText(view: TableView, { kind, terms }: Pick<Owed, 'kind' | 'terms'>): string {
  const texts = talkTexts(view).promises?.[kind]
  if (texts === undefined) return '…'
  const args = { ...(view.game.formatArguments?.(`promise.${kind}`, terms) ?? terms) }
  for (const [name, value] of Object.entries(terms)) {
    const more = view.game.formatTerm?.(view, name, value as number | string) ?? null
    if (more !== null) args[name] = more
  }
  return words.format(texts.text, args)
}

/** A term of a promise that this person may make, as it is shown by itself. */
export function termText(view: TableView, kind: string, name: string, value: number | string): string {
  const more = view.game.formatTerm?.(view, name, value) ?? null
  if (more !== null) return more
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

/**
 * What breaking a promise brought whoever made it: how much further they came than those it was made to (or everybody
 * else) in the move that broke it, in what the game counts, or what else the game has to say. Empty if nothing.
 */
export function gainsText(view: TableView, promise: Wire.PromiseInfo): string {
  const brought = promise.judgement === 'broken' ? (view.game.brought?.(view, promise) ?? null) : null
  if (brought !== null) return brought
  const changes = promise.cost
  if (changes == null) return ''
  const to = promise.to?.length ? promise.to : view.seats.map(({ number }) => number)
  const change = changes[promise.by] ?? 0
  const gains = to
    .filter((seat) => seat !== promise.by && change > (changes[seat] ?? 0))
    .map((seat) => {
      const count = change - (changes[seat] ?? 0)
      return t('promise.gain', { gain: view.game.gained?.(count) ?? count, name: view.nameOf(seat) })
    })
  return gains.length === 0 ? '' : t('promise.gains', { name: view.nameOf(promise.by), gains })
}

/**
 * How many promises each seat broke by itself, and how many of those were made to this person: first the winners, then
 * those who broke most. `words` is what seats have agreed to otherwise, and counts as well.
 */
export function breakers(
  view: TableView,
  words: readonly Word[] = [],
  winners: readonly number[] = [],
): readonly { seat: number; broken: number; toYou: number }[] {
  const won = ({ seat }: { seat: number }): number => Number(winners.includes(seat))
  const broken = promisesOf(view).filter(
    ({ judgement, excused }) => judgement === 'broken' && excused !== true,
  )
  return view.seats
    .map(({ number: seat, mine }) => {
      const promises = broken.filter(({ by }) => by === seat)
      const toYou = promises.filter(
        ({ to }) => !mine && view.seat !== null && (!to?.length || to.includes(view.seat)),
      )
      const agreed = words.filter(({ by, kept }) => by === seat && !kept)
      return { seat, broken: promises.length + agreed.length, toYou: toYou.length }
    })
    .filter(({ broken }) => broken > 0)
    .sort((a, b) => won(b) - won(a) || b.toYou - a.toYou || b.broken - a.broken)
}
