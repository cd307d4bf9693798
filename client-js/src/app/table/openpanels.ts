/** Which panels were open at a table: kept in this tab, so that a reload shows them again. */

export type Panel = 'hand' | 'table' | 'deals' | 'talk' | 'log' | 'notes' | 'aid' | 'rules'
/** A panel beside the board. */
export type SidePanel = Exclude<Panel, 'hand' | 'table'>

export interface OpenPanels {
  /** What a phone shows. */
  readonly front: Panel
  /** What was chosen for the column beside the board; null if nothing was. */
  readonly chosen: SidePanel | null
}

const PLACE = 'parley.panels'
const SIDES: readonly unknown[] = ['deals', 'talk', 'log', 'notes', 'aid', 'rules'] satisfies SidePanel[]
const isSide = (value: unknown): value is SidePanel => SIDES.includes(value)

export function keepOpen(code: string, { front, chosen }: OpenPanels): void {
  sessionStorage.setItem(PLACE, JSON.stringify({ code, front, chosen }))
}

/** What a reload of this table has kept, once; otherwise the board. */
export function takeOpen(code: string): OpenPanels {
  const kept = sessionStorage.getItem(PLACE)
  sessionStorage.removeItem(PLACE)
  let open: Readonly<Record<string, unknown>> | null
  try {
    open = JSON.parse(kept ?? 'null') as Readonly<Record<string, unknown>> | null
  } catch {
    open = null // something else wrote it
  }
  if (open?.['code'] !== code) return { front: 'table', chosen: null }
  const { front, chosen } = open
  return { front: isSide(front) ? front : 'table', chosen: isSide(chosen) ? chosen : null }
}
