/**
 * People whom this person has muted at a table, in this browser only, and the dialog to mute or report
 * somebody. The hub never learns who is muted.
 */
import { perTable } from '../pertable.svelte.ts'
import { StoredTables } from '../storedtables.ts'

const muted = new StoredTables<readonly [table: string, people: readonly string[]]>('parley.muted')

/** Somebody in a seat, or (seat null) watching. */
export interface Somebody {
  readonly name: string
  readonly seat: number | null
}

/** A watcher may take a name that somebody had in a seat. */
const keyOf = ({ name, seat }: Somebody): string => `${seat === null ? 'watcher' : 'seat'}:${name}`

export class Conduct {
  readonly #table: string
  #muted = $state.raw<readonly string[]>([])
  /** Whom the dialog is about; `table` for nobody in particular, null while it is closed. */
  about = $state.raw<Somebody | 'table' | null>(null)

  constructor(table: string) {
    this.#table = table
    this.#muted = muted.find(table)?.[1] ?? []
  }

  mutes(somebody: Somebody): boolean {
    return this.#muted.includes(keyOf(somebody))
  }

  mute(somebody: Somebody, on: boolean): void {
    const key = keyOf(somebody)
    const others = this.#muted.filter((other) => other !== key)
    this.#muted = on ? [...others, key] : others
    muted.put([this.#table, this.#muted])
  }
}

export const conductAt = perTable((view) => new Conduct(view.code))
