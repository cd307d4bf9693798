/** Who else has just had to pass, and for want of room for what. */
import type { TableView } from '../../app/tableview.svelte.ts'
import { leftOf, SIZES, sectionsOf } from './selectors.ts'
import { say } from './words.ts'

export function passNews(view: TableView): string | null {
  const sections = sectionsOf(view)
  const passed = sections?.stage.passed.filter((seat) => seat !== view.seat) ?? []
  if (sections === null || passed.length === 0) return null
  return passed
    .map((seat) => {
      const sizes = SIZES.filter((pips) => leftOf(sections, seat, pips) > 0)
      return say('passes', { name: view.nameOf(seat), size: sizes.length === 1 ? String(sizes[0]) : 'all' })
    })
    .join(' ')
}
