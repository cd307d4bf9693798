/**
 * The coach: advice from the rules for this person's first decisions of each kind, and later whenever it says something
 * new to them or reminds them of a promise; asked for one decision at a time (docs/PROTOCOL.md, `coach`). What they have
 * had is kept on this device.
 */
import { untrack } from 'svelte'
import type { Argument, Coached, PromptInfo } from '../../sdk/wire.gen.ts'
import { perTable } from '../pertable.svelte.ts'
import { promisesOf } from '../promises.ts'
import { settings } from '../settings.svelte.ts'
import type { TableView } from '../tableview.svelte.ts'

/** How many decisions of a kind bring advice, whatever it is. */
export const DECISIONS = 3
/** Of advice that a promise of one's own is at stake, which is never known already. */
const PROMISED = '.promised'
/** How long, in milliseconds, the view stands still before advice is asked for. */
const STILL = 250
const KEY = 'parley.tips'

export interface Advice {
  readonly key: string
  readonly args: Readonly<Record<string, Argument>>
}

/** By game, then by kind of prompt; after `#`, by key of the advice. */
type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>

function readCounts(): Counts {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? '{}') as Counts | null) ?? {}
  } catch {
    return {}
  }
}

/** How many decisions of this kind have brought advice on this device; with `#`, how many have brought this advice. */
export function countOf(game: string, kind: string): number {
  return readCounts()[game]?.[kind] ?? 0
}

function count(game: string, names: readonly string[]): void {
  const counts = readCounts()
  const before = counts[game] ?? {}
  const more = Object.fromEntries(names.map((name) => [name, (before[name] ?? 0) + 1]))
  const after = { ...counts, [game]: { ...before, ...more } }
  try {
    localStorage.setItem(KEY, JSON.stringify(after))
  } catch {
    // without storage, every decision is one of the first
  }
}

/** What this person decides now; null if the table does not wait for them, or in a lesson. */
function decisionOf(view: TableView): PromptInfo | null {
  const { main, seat } = view
  const asked = view.acts && view.online && view.about?.lesson == null && seat !== null
  return asked && main?.seats.includes(seat) === true && view.due.includes(seat) ? main : null
}

/** The seat's own promises that are open: advice may be due for their sake. */
function openPromises(view: TableView): string {
  return promisesOf(view)
    .filter(({ by, judgement }) => by === view.seat && judgement == null)
    .map(({ id }) => id)
    .join(' ')
}

/** The coach at one table. */
export class Coaching {
  /** The advice for the current decision. */
  advice = $state.raw<Advice | null>(null)
  /** The table time at which the current or last decision came up. */
  since = $state(0)
  /** The prompt whose advice has been counted, and the keys of that advice. */
  #counted: { readonly id: string; readonly keys: readonly string[] } | null = null
  /** The prompt for which no advice was due, and the promises that were open then. */
  #needless: { readonly id: string; readonly promises: string } | null = null
  /** The prompt whose advice this person has closed. */
  #closed = $state<string | null>(null)
  readonly #view: () => TableView

  constructor(view: () => TableView) {
    this.#view = view
    const prompt = $derived(decisionOf(view()))
    const id = $derived(prompt?.id)
    const sections = $derived(view().state.sections)
    let last: string | undefined
    $effect(() => {
      const current = id
      untrack(() => {
        this.advice = null // it was about another decision
        if (current === undefined || current === last) return
        last = current
        this.since = view().now
      })
    })
    $effect(() => {
      void sections
      if (prompt === null || !settings.tips || prompt.id === this.#closed) {
        this.advice = null
        return
      }
      const timer = setTimeout(() => void this.#ask(prompt), STILL)
      return () => clearTimeout(timer)
    })
  }

  /** Shows nothing more about this decision. */
  close(): void {
    this.#closed = this.#view().main?.id ?? null
    this.advice = null
  }

  /** Whether the coach is asked: not again where nothing was due, unless this seat's promises have changed. */
  #isNeeded(id: string): boolean {
    return this.#needless?.id !== id || this.#needless.promises !== openPromises(this.#view())
  }

  /** Whether this advice is shown: for one of the first decisions of its kind, or because it is new. */
  #isDue({ id, kind }: PromptInfo, key: string): boolean {
    const game = this.#view().about?.game ?? ''
    if (id === this.#counted?.id || countOf(game, kind) < DECISIONS) return true
    return key.includes(PROMISED) || countOf(game, `#${key}`) === 0
  }

  async #ask(prompt: PromptInfo): Promise<void> {
    const { id } = prompt
    if (!this.#isNeeded(id)) return
    const promises = openPromises(this.#view())
    const { data } = await this.#view().table.coach(id)
    const view = this.#view()
    if (decisionOf(view)?.id !== id || id === this.#closed || !settings.tips) return
    const { key, args } = (data ?? {}) as Partial<Coached>
    const due = key != null && this.#isDue(prompt, key)
    this.advice = due ? { key, args: args ?? {} } : null
    if (due) this.#count(view.about?.game ?? '', prompt, key)
    else if (data !== null) this.#needless = { id, promises } // a request that failed says nothing
  }

  /** Counts the decision once, and each advice on it once. */
  #count(game: string, { id, kind }: PromptInfo, key: string): void {
    const before = this.#counted?.id === id ? this.#counted.keys : null
    if (before?.includes(key) === true) return
    this.#counted = { id, keys: [...(before ?? []), key] }
    count(game, before === null ? [kind, `#${key}`] : [`#${key}`])
  }
}

export const coachingAt = perTable((view) => new Coaching(() => view))
