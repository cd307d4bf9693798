import { untrack } from 'svelte'
import type { TableView } from './tableview.svelte.ts'

/**
 * A function that returns the same value for the same table, created when it is first needed. What the value derives
 * outlives the component that happened to need it first.
 */
export function perTable<Value>(create: (view: TableView) => Value): (view: TableView) => Value {
  const values = new WeakMap<TableView, Value>()
  return (view) => {
    const known = values.get(view)
    if (known !== undefined) return known
    let value: Value | undefined
    $effect.root(() => {
      value = untrack(() => create(view))
      values.set(view, value)
    })
    return value as Value
  }
}
