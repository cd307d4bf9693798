/** What a bot has asked of this person: it stays in sight until they answer it or move (Requested.svelte). */
import type { Choice, TalkMessage } from '../../sdk/wire.gen.ts'
import type { Owed } from '../game.ts'
import { perTable } from '../pertable.svelte.ts'
import { streamer } from '../streamer.svelte.ts'
import type { TableView } from '../tableview.svelte.ts'
import { halfOf, repliesTo, watchOffers, wishOf } from './half.svelte.ts'

/** How many messages back somebody is still asked, or offered to promise what they have agreed to. */
const RECENT = 12

export interface Request {
  readonly message: TalkMessage
  readonly owed: Owed | null
  readonly replies: readonly string[]
}

const keyOf = ({ seat, at, phrase }: TalkMessage): string => `${seat} ${at} ${phrase}`

export class Requests {
  readonly #view: TableView
  readonly #offers: () => readonly Choice[]
  /** Those that this person has put aside. */
  #aside = $state.raw<readonly string[]>([])
  /** The latest that has waited here: once it is answered, it is no news. */
  latest = $state.raw<TalkMessage | null>(null)
  readonly #recent: readonly TalkMessage[] = $derived.by(() =>
    this.#view.state.talk.filter(({ to }) => !streamer.hides || to == null).slice(-RECENT),
  )
  /** The oldest that waits for an answer. */
  readonly current: Request | null = $derived.by(() => {
    for (const message of this.#recent) {
      if (!this.#waits(message)) continue
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

  /** What this person can promise at once, under one of the newest messages. */
  owed(message: TalkMessage): Owed | null {
    return this.#recent.includes(message) ? halfOf(this.#view, message, this.#offers()) : null
  }

  /** The phrases that answer one of the newest messages at once. */
  replies(message: TalkMessage): readonly string[] {
    return this.#recent.includes(message) ? repliesTo(this.#view, message) : []
  }

  /** Shows it no longer: it is still in the chat. */
  putAside({ message }: Request): void {
    this.#aside = [...this.#aside, keyOf(message)]
  }

  /** Whether this person has neither answered it nor moved since. */
  #waits(message: TalkMessage): boolean {
    const { seat, acted, state } = this.#view
    if (message.bot !== true || this.#aside.includes(keyOf(message))) return false
    const later = state.talk.slice(state.talk.indexOf(message) + 1)
    if (later.some((said) => said.seat === seat && said.bot !== true)) return false
    const moved = state.lines.findLast(([number]) => number === acted)
    return moved === undefined || moved[3] <= message.at
  }
}

export const requestsAt = perTable((view) => new Requests(view))
