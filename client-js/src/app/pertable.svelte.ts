import type { TableView } from './tableview.svelte.ts'

/** A function that returns the same value for the same table, created when it is first needed. */
export function perTable<Value>(create: (view: TableView) => Value): (view: TableView) => Value {
  const values = new WeakMap<TableView, Value>()
  return (view) => {
    const value = values.get(view) ?? create(view)
    values.set(view, value)
    return value
  }
}
