/**
 * The coach: advice from the rules for this person's first decisions of each kind, and later whenever it says something
 * new to them or reminds them of a promise; asked for one decision at a time (docs/PROTOCOL.md, `coach`). What they have
 * had is kept on this device.
 */
import { untrack } from 'svelte'
import type { Argument, Coached, PromptInfo } from '../../sdk/wire.gen.ts'
import { perTable } from '../pertable.svelte.ts'
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

function count(game: string, kind: string, key: string): void {
  const counts = readCounts()
  const before = counts[game] ?? {}
  const more = Object.fromEntries([kind, `#${key}`].map((name) => [name, (before[name] ?? 0) + 1]))
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

/** The coach at one table. */
class Coaching {
  /** The advice for the current decision. */
  advice = $state.raw<Advice | null>(null)
  /** The prompt whose advice has been counted, and the one whose advice this person has closed. */
  #counted: string | null = null
  #closed = $state<string | null>(null)
  readonly #view: () => TableView

  constructor(view: () => TableView) {
    this.#view = view
    const prompt = $derived(decisionOf(view()))
    const id = $derived(prompt?.id)
    const sections = $derived(view().state.sections)
    $effect(() => {
      void id
      untrack(() => (this.advice = null)) // it was about another decision
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

  /** Whether this advice is shown: for one of the first decisions of its kind, or because it is new. */
  #isDue({ id, kind }: PromptInfo, key: string): boolean {
    const game = this.#view().about?.game ?? ''
    if (id === this.#counted || countOf(game, kind) < DECISIONS) return true
    return key.includes(PROMISED) || countOf(game, `#${key}`) === 0
  }

  async #ask(prompt: PromptInfo): Promise<void> {
    const { id, kind } = prompt
    const { data } = await this.#view().table.coach(id)
    const view = this.#view()
    if (decisionOf(view)?.id !== id || id === this.#closed || !settings.tips) return
    const { key, args } = (data ?? {}) as Partial<Coached>
    const due = key != null && this.#isDue(prompt, key)
    this.advice = due ? { key, args: args ?? {} } : null
    if (!due || this.#counted === id) return
    this.#counted = id
    count(view.about?.game ?? '', kind, key)
  }
}

export const coachingAt = perTable((view) => new Coaching(() => view))
