/** How many tables this browser remembers something about. */
export const KEPT_TABLES = 30

/** What this browser remembers about tables, the latest first: rows that begin with a table's name. */
export class StoredTables<Row extends readonly [table: string, ...unknown[]]> {
  readonly #key: string

  constructor(key: string) {
    this.#key = key
  }

  list(): readonly Row[] {
    try {
      return JSON.parse(localStorage.getItem(this.#key) ?? '[]') as readonly Row[]
    } catch {
      return []
    }
  }

  find(table: string): Row | undefined {
    return this.list().find(([name]) => name === table)
  }

  /** Remembers this row in place of an earlier one of its table. */
  put(row: Row): void {
    this.#write([row, ...this.list().filter(([name]) => name !== row[0])].slice(0, KEPT_TABLES))
  }

  keepOnly(wanted: (row: Row) => boolean): void {
    this.#write(this.list().filter(wanted))
  }

  replace(change: (row: Row) => Row): void {
    this.#write(this.list().map(change))
  }

  #write(rows: readonly Row[]): void {
    localStorage.setItem(this.#key, JSON.stringify(rows))
  }
}
