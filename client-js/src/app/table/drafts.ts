/** Offers that have not been made yet: the one being written, and those saved for later. */
import type { Item } from '../multisets.ts'
import type { Deal, Ended, Thing } from '../deals.ts'

/** An offer that is being written. */
export interface Draft {
  /** The offer it answers. */
  readonly answers: Deal | null
  /** The offer it answered, if that offer has since ended; this draft is then a new offer. */
  readonly outlived: Ended | null
  readonly to: number | null
  readonly give: readonly Thing[]
  readonly wish: readonly Thing[]
}

/** An offer saved for later. */
export interface Prepared {
  readonly id: number
  readonly to: number
  readonly give: readonly Thing[]
  readonly wish: readonly Thing[]
}

export const NO_DRAFT: Draft = { answers: null, outlived: null, to: null, give: [], wish: [] }
/** The maximum number of saved offers. */
export const MAX_PREPARED = 8

/** Whether this good is still here and unchanged. */
export function stands(goods: readonly Thing[], { item, face }: Thing): boolean {
  return goods.some((good) => good.item === item && good.face === face)
}

/** Whether a draft has no recipient or no content. */
export function isEmpty({ to, give, wish }: Draft): boolean {
  return to === null || give.length + wish.length === 0
}

/** A copy of these things with one added or removed. */
export function changed(things: readonly Thing[], thing: Thing, by: 1 | -1): readonly Thing[] {
  if (by === 1) return [...things, thing]
  const last = things.findLastIndex(({ item }) => item === thing.item)
  return things.toSpliced(last, last < 0 ? 0 : 1)
}

/** The items in a list of things. */
export function itemsOf(things: readonly Thing[]): Item[] {
  return things.map(({ item }) => item)
}

/** Each distinct thing, and how often it occurs. */
export function counted(
  things: readonly Thing[],
): readonly { readonly thing: Thing; readonly count: number }[] {
  const counts = new Map<string, { thing: Thing; count: number }>()
  for (const thing of things) {
    const key = `${thing.item} ${thing.face}`
    counts.set(key, { thing, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return [...counts.values()]
}

/** The move that sends a draft. */
export function moveOf(draft: Draft): { readonly move: string } & Readonly<Record<string, unknown>> {
  const terms = { give: itemsOf(draft.give), wish: itemsOf(draft.wish) }
  return draft.answers === null ? { move: 'propose', to: draft.to, ...terms } : { move: 'counter', ...terms }
}

// --- saved for later: in this tab, and nowhere else ---

/** The offers saved by an earlier page in this tab. */
export function read(place: string): readonly Prepared[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(place) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isPrepared) : []
  } catch {
    return []
  }
}

/** Save offers for later pages in this tab. */
export function write(place: string, prepared: readonly Prepared[]): void {
  if (prepared.length === 0) sessionStorage.removeItem(place)
  else sessionStorage.setItem(place, JSON.stringify(prepared))
}

function isPrepared(value: unknown): value is Prepared {
  const kept = value as Partial<Prepared> | null
  return (
    typeof kept?.id === 'number' &&
    typeof kept.to === 'number' &&
    Array.isArray(kept.give) &&
    Array.isArray(kept.wish)
  )
}
