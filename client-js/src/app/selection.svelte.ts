/**
 * The move that this person is preparing: chosen on the board and in the tray, previewed by the hub, and sent
 * only when confirmed.
 *
 * A game extends this class with the things it lets people choose, and makes one selection per table (see
 * pertable.svelte.ts). `Chosen` holds the whole choice as one value that is replaced, never changed, so that
 * "nothing else has been chosen since" is a comparison of two references. Everything the game derives from it
 * and from the view is a getter.
 */
import { untrack } from 'svelte'
import { TOO_BUSY, type Verdict } from '../sdk/table.ts'
import { debounced } from './debounce.ts'
import { openPromises } from './promises.ts'
import type { TableView } from './tableview.svelte.ts'
import { SECOND_TAP } from './tapguard.svelte.ts'
import { whyNot } from './whynot.ts'

export type Move = { readonly move: string } & Readonly<Record<string, unknown>>

/** The hub's answer about what a move would do. */
export type Forecast<Preview> =
  | { readonly is: 'none' }
  | { readonly is: 'asked' }
  | { readonly is: 'shown'; readonly preview: Preview }
  | { readonly is: 'refused'; readonly verdict: Verdict }

/** A move to preview. */
export interface Question {
  /** The id of the prompt that the move answers. */
  readonly prompt: string
  readonly move: Move
  /** Anything else the answer depends on; when it changes, the hub is asked again. */
  readonly basis?: unknown
}

/** A one-tap move that has told which promises it breaks, instead of being sent. */
interface HeldBack {
  readonly move: string
  readonly breaks: readonly string[]
  /** Until when a press is the second one of a double tap. */
  until: number
}

const NONE = { is: 'none' } as const
/** Refusals that say nothing about the move. */
const SAYS_NOTHING: ReadonlySet<string | null> = new Set(['NOTHING_TO_SHOW', ...TOO_BUSY])

export abstract class Selection<Chosen extends object, Preview> {
  protected readonly view: TableView
  readonly #nothing: Chosen
  #chosen = $state.raw() as Chosen
  forecast = $state.raw<Forecast<Preview>>(NONE)
  #held = $state.raw<HeldBack | null>(null)
  /** The prompt for which the hub is being asked about a one-tap move. */
  #asking: string | null = null

  constructor(view: TableView, nothing: Chosen) {
    this.view = view
    this.#nothing = this.#chosen = nothing
  }

  /** The kind of prompt this seat has to answer; null if there is none, or if its bot answers. */
  abstract get kind(): string | null

  /** The move to preview, given what is currently chosen; null if there is none. */
  protected abstract get question(): Question | null

  /** The id of the prompt this seat has to answer. */
  get promptId(): string | null {
    return this.kind === null ? null : (this.view.prompt(this.kind)?.id ?? null)
  }

  get preview(): Preview | null {
    return this.forecast.is === 'shown' ? this.forecast.preview : null
  }

  /** Why the hub would refuse the move. */
  get refusal(): Verdict | null {
    return this.forecast.is === 'refused' ? this.forecast.verdict : null
  }

  protected get chosen(): Chosen {
    return this.#chosen
  }

  protected choose(part: Partial<Chosen>): void {
    if (this.view.answer.is === 'refused') this.view.forgetAnswer()
    this.#chosen = { ...this.#chosen, ...part }
  }

  clear(): void {
    this.#chosen = this.#nothing
  }

  /** Called when something is tapped that cannot be chosen, with the move that it would make: shows why not. */
  protected refuse(kind: string | null, move: Move): void {
    void whyNot(this.view, kind, move)
  }

  /**
   * Called when a prompt begins or ends. Clears the selection, so that an earlier choice is not one tap away
   * from being sent.
   */
  protected begin(): void {
    this.clear()
  }

  /**
   * Send a move. Once it is accepted, the selection is cleared, unless something else has been chosen since.
   */
  protected async send(kind: string, move: Move): Promise<void> {
    const chosen = this.#chosen
    const verdict = await this.view.do(kind, move)
    if (verdict?.code === null && this.#chosen === chosen) this.clear()
  }

  /** The one-tap move that was held back, as it breaks promises: pressed again, it is sent. */
  get heldBack(): string | null {
    return this.#held?.move ?? null
  }

  /**
   * Send a move that takes one tap and may break promises. If it does, the first press only tells which; the same one
   * again, unless that is a double tap, sends it.
   */
  protected async sendOrWarn(kind: string, move: string): Promise<void> {
    const { promptId, view } = this
    if (promptId === null || openPromises(view, view.seat).length === 0) return this.send(kind, { move })
    const held = this.#held?.move === move ? this.#held : null
    if (held !== null && performance.now() < held.until) {
      held.until = performance.now() + SECOND_TAP // a key that is held presses on
      return
    }
    if (this.#asking === promptId) return
    this.#asking = promptId
    const { refused, breaks = [] } = await view.ask(promptId, { move })
    if (this.#asking === promptId) this.#asking = null
    if (promptId !== this.promptId) return // the answer came too late for it
    if (refused !== null && TOO_BUSY.has(refused.code)) return view.showWhyNot(refused)
    if (breaks.every((id) => held?.breaks.includes(id))) return this.send(kind, { move })
    this.#warn(breaks, { move, breaks, until: performance.now() + SECOND_TAP })
  }

  #warn(breaks: readonly string[], held: HeldBack | null = null): void {
    this.view.warn(breaks)
    this.#held = held
  }

  /**
   * Start over with each prompt, and keep the forecast up to date. The game's tray calls this during setup.
   */
  follow(): void {
    const prompt = $derived(this.promptId)
    $effect(() => {
      void prompt
      untrack(() => this.begin())
      this.#warn([])
    })
    const question = $derived(JSON.stringify(this.question)) // an equal question is not asked again
    $effect(() => this.#ask(JSON.parse(question) as Question | null))
  }

  #ask(question: Question | null): (() => void) | undefined {
    this.forecast = question === null ? NONE : { is: 'asked' }
    this.#warn([])
    if (question === null) return undefined
    const { prompt, move } = question
    return debounced(
      () => this.view.table.preview(prompt, move),
      ({ data, refused, breaks = [] }) => {
        this.#warn(breaks)
        this.forecast =
          refused !== null && !SAYS_NOTHING.has(refused.code)
            ? { is: 'refused', verdict: refused }
            : data === null // there is nothing to tell but that the move breaks a promise
              ? NONE
              : { is: 'shown', preview: data as Preview }
      },
    )
  }
}
