/**
 * People whom this person has muted at a table, in this browser only, and the dialog to mute or report
 * somebody. The hub never learns who is muted.
 */
import { perTable } from '../pertable.ts'

const MUTED = 'parley.muted'
const KEPT_TABLES = 30

/** Somebody in a seat, or (seat null) watching. */
export interface Somebody {
  readonly name: string
  readonly seat: number | null
}

type Stored = readonly (readonly [table: string, people: readonly string[]])[]

function readStored(): Stored {
  try {
    return JSON.parse(localStorage.getItem(MUTED) ?? '[]') as Stored
  } catch {
    return []
  }
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
    this.#muted = readStored().find(([name]) => name === table)?.[1] ?? []
  }

  mutes(somebody: Somebody): boolean {
    return this.#muted.includes(keyOf(somebody))
  }

  mute(somebody: Somebody, on: boolean): void {
    const key = keyOf(somebody)
    const others = this.#muted.filter((other) => other !== key)
    this.#muted = on ? [...others, key] : others
    const tables = readStored().filter(([name]) => name !== this.#table)
    localStorage.setItem(MUTED, JSON.stringify([[this.#table, this.#muted], ...tables].slice(0, KEPT_TABLES)))
  }
}

export const conductAt = perTable((view) => new Conduct(view.code))
