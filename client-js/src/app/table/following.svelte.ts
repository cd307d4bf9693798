/** The seat that a watcher follows at a table: its public moves stand out. Kept in this browser only. */
import type { AudienceLine } from '../../sdk/wire.gen.ts'
import { announce } from '../announce.svelte.ts'
import { t } from '../language.ts'
import { perTable } from '../pertable.svelte.ts'
import { StoredTables } from '../storedtables.ts'
import type { TableView } from '../tableview.svelte.ts'
import { SEATS } from './lines.ts'

const followed = new StoredTables<readonly [table: string, seat: number]>('parley.followed')

export class Following {
  readonly #view: TableView
  #chosen = $state<number | null>(null)

  constructor(view: TableView) {
    this.#view = view
    this.#chosen = followed.find(view.code)?.[1] ?? null
  }

  /** The seat; null if this person follows none, or plays. */
  readonly seat = $derived.by(() =>
    this.#view.seated || this.#view.seats[this.#chosen ?? -1] === undefined ? null : this.#chosen,
  )

  /** Follows this seat from now on; none, if it is null or followed already. */
  toggle(seat: number | null): void {
    this.#chosen = seat === this.seat ? null : seat
    const { code } = this.#view
    if (this.#chosen === null) followed.keepOnly(([table]) => table !== code)
    else followed.put([code, this.#chosen])
    announce(
      this.#chosen === null ? t('follow.none') : t('follow.now', { name: this.#view.nameOf(this.#chosen) }),
    )
  }

  /** Follows the next seat; after the last one, none. */
  next(): void {
    const seat = this.seat === null ? 0 : this.seat + 1
    this.toggle(seat < this.#view.seats.length ? seat : null)
  }

  /** Whether a line of the log is about the seat. */
  concerns([, , args]: AudienceLine): boolean {
    const { seat } = this
    if (seat === null) return false
    return Object.entries(args).some(
      ([name, value]) =>
        (SEATS.has(name) && value === seat) ||
        (name === 'seats' && Array.isArray(value) && value.some((each) => each === seat)),
    )
  }
}

export const followingAt = perTable((view) => new Following(view))
