/** What a bot has asked of this person: it stays in sight until they answer it or move (Requested.svelte). */
import type { Choice, TalkMessage } from '../../sdk/wire.gen.ts'
import type { Owed } from '../game.ts'
import { perTable } from '../pertable.svelte.ts'
import { streamer } from '../streamer.svelte.ts'
import type { TableView } from '../tableview.svelte.ts'
import { halfOf, repliesTo, watchOffers, wishOf } from './half.svelte.ts'
import { keyOf } from './talking.ts'

/** How many messages back somebody is offered to promise what they have agreed to. */
const RECENT = 12
/** How many messages back a bot's request still waits, at most. */
const FAR = 200

export interface Request {
  readonly message: TalkMessage
  readonly owed: Owed | null
  readonly replies: readonly string[]
}

export class Requests {
  readonly #view: TableView
  readonly #offers: () => readonly Choice[]
  /** Those that this person has put aside. */
  #aside = $state.raw<readonly string[]>([])
  /** The latest that has waited here: once it is answered, it is no news. */
  latest = $state.raw<TalkMessage | null>(null)
  readonly #talk: readonly TalkMessage[] = $derived.by(() =>
    this.#view.state.talk.filter(({ to }) => !streamer.hides || to == null).slice(-FAR),
  )
  /** What this person has answered: each answer is to the last that was asked of them until then. */
  readonly #answered: readonly TalkMessage[] = $derived.by(() => {
    const { seat, game } = this.#view
    const asked: TalkMessage[] = []
    const answered: TalkMessage[] = []
    for (const message of this.#talk)
      if (this.#asks(message)) asked.push(message)
      else if (message.seat === seat && message.bot !== true && game.answers?.has(message.phrase ?? ''))
        answered.push(...asked.splice(-1))
    return answered
  })
  readonly #waiting: readonly TalkMessage[] = $derived.by(() => {
    const { acted, state } = this.#view
    const moved = state.lines.findLast(([number]) => number === acted)?.[3] ?? -Infinity
    return this.#talk.filter(
      (message) =>
        message.bot === true &&
        message.at >= moved &&
        !this.#aside.includes(keyOf(message)) &&
        !this.#answered.includes(message),
    )
  })
  readonly #recent: readonly TalkMessage[] = $derived.by(() => {
    const first = this.#talk.length - RECENT
    return this.#talk.filter((message, index) => index >= first || this.#waiting.includes(message))
  })
  /** The latest that waits for an answer: an answer is to the last that was asked. */
  readonly current: Request | null = $derived.by(() => {
    for (const message of this.#waiting.toReversed()) {
      const [owed, replies] = [this.owed(message), this.replies(message)]
      if (owed !== null || replies.length > 0) return { message, owed, replies }
    }
    return null
  })

  constructor(view: TableView) {
    this.#view = view
    this.#offers = watchOffers(
      () => view,
      () => this.#recent.some((message) => wishOf(view, message) !== null),
    )
    $effect.pre(() => {
      if (this.current !== null) this.latest = this.current.message
    })
  }

  /** What this person can promise at once, under a message that waits, or is one of the newest. */
  owed(message: TalkMessage): Owed | null {
    return this.#recent.includes(message) ? halfOf(this.#view, message, this.#offers()) : null
  }

  /** The phrases that answer such a message at once. */
  replies(message: TalkMessage): readonly string[] {
    return this.#recent.includes(message) ? repliesTo(this.#view, message) : []
  }

  /** Shows it no longer: it is still in the chat. */
  putAside({ message }: Request): void {
    this.#aside = [...this.#aside, keyOf(message)]
  }

  /** Whether a bot asks something of this person with it. */
  #asks(message: TalkMessage): boolean {
    if (message.bot !== true) return false
    const { game } = this.#view
    return (
      (game.owed?.(this.#view, message) ?? null) !== null ||
      (game.replies?.(this.#view, message) ?? []).length > 0
    )
  }
}

export const requestsAt = perTable((view) => new Requests(view))
