/** What a bot asks of somebody, or has been told they agreed to: one press under its words promises it (PromiseHalf.svelte). */
import { untrack } from 'svelte'
import type { Choice, Domain, TalkMessage } from '../../sdk/wire.gen.ts'
import { notify } from '../announce.svelte.ts'
import type { Owed } from '../game.ts'
import { isFull, isPromised, promisesOf } from '../promises.ts'
import type { TableView } from '../tableview.svelte.ts'

/**
 * The promise by which this person would do what a bot's message asks for, or has been told they agreed to, as far as the
 * message tells; null for none, or if they have made it.
 */
export function wishOf(view: TableView, message: TalkMessage): Owed | null {
  if (!view.acts || message.bot !== true || view.about?.lesson != null) return null
  if ((view.section('talk_policy')?.mode ?? 'closed') === 'closed') return null
  const owed = view.game.owed?.(view, message) ?? null
  return owed === null || isFull(view, view.seat) || isPromised(view, owed, message.at) ? null : owed
}

/** The phrases that answer a message at once, of those that may be said. */
export function repliesTo(view: TableView, message: TalkMessage): readonly string[] {
  const { mode = 'closed', phrases = [] } = view.section('talk_policy') ?? {}
  if (!view.acts || mode === 'closed' || view.about?.lesson != null) return []
  return (view.game.replies?.(view, message) ?? []).filter((phrase) => phrases.includes(phrase))
}

/** The same with all its terms, if it is among these promises. */
export function halfOf(view: TableView, message: TalkMessage, offered: readonly Choice[]): Owed | null {
  const owed = wishOf(view, message)
  if (owed === null) return null
  return offered.map((choice) => complete(owed, choice)).find((half) => half !== null) ?? null
}

/** A promise with all its terms: those it leaves open are the largest; null if the choice does not allow it. */
function complete({ kind, terms, to }: Owed, { move, fields }: Choice): Owed | null {
  const { to: recipients, ...domains } = fields
  if (move !== kind || Object.keys(terms).some((name) => domains[name] === undefined)) return null
  if (recipients !== undefined && (to.length !== 1 || !to.every((seat) => holds(recipients, seat))))
    return null
  const all: Record<string, number | string> = {}
  for (const [name, domain] of Object.entries(domains)) {
    const value = terms[name] ?? largest(domain)
    if (value === null || !holds(domain, value)) return null
    all[name] = value
  }
  return { kind, terms: all, to }
}

function holds(domain: Domain, value: number | string): boolean {
  if (domain.type === 'one_of') return domain.of.includes(value as never)
  return domain.type === 'range' && Number(value) >= domain.least && Number(value) <= domain.most
}

function largest(domain: Domain): number | null {
  if (domain.type === 'range') return domain.most
  const numbers = domain.type === 'one_of' ? domain.of.map(Number) : []
  return numbers.length === 0 || numbers.some(Number.isNaN) ? null : Math.max(...numbers)
}

/**
 * What the hub lets this person promise, beside what they have promised; empty unless it is needed. The hub is asked again
 * when there is another prompt or promise, and its last answer stays until the next one.
 */
export function watchOffers(view: () => TableView, isNeeded: () => boolean): () => readonly Choice[] {
  let offered = $state.raw<readonly Choice[]>([])
  const latest = $derived.by(() => {
    const { online, main } = view()
    if (!isNeeded() || !online) return null
    const promises = promisesOf(view()).map(({ id, judgement }) => `${id} ${judgement != null}`)
    return [main?.id, ...promises].join(', ')
  })
  $effect(() => {
    let isCurrent = true
    if (latest === null) offered = []
    else
      void untrack(view)
        .table.askPromises()
        .then(({ data }) => {
          if (isCurrent) offered = data ?? []
        })
    return () => {
      isCurrent = false
    }
  })
  return () => offered
}

/** Promises this half, and tells the person why if the hub refuses it. */
export async function promiseHalf(view: TableView, owed: Owed): Promise<void> {
  const verdict = await view.table.promise({ ...owed, to: [...owed.to], private: false, told: true })
  if (verdict.code !== null) notify(view.why(verdict))
}
