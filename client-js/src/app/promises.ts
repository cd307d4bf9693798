/** The promises of a table, without their words (table/promises.ts). */
import type { PromiseInfo } from '../sdk/wire.gen.ts'
import type { TableView } from './tableview.svelte.ts'

/** The promises that this person may know of, the oldest first. */
export function promisesOf(view: TableView): readonly PromiseInfo[] {
  return view.section('promises')?.promises ?? []
}
