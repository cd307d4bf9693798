/** The visit to Takeover. */
import { present, type Visit } from '../../visit.ts'
import { TakeoverTable } from './page.ts'

export const visit: Visit<'takeover'> = {
  phases: { draft: ['hidden', 'shown'], flip: [''], play: ['a merger', 'cashing out', 'late'], end: [''] },
  watch: (person, seats) => {
    const table = new TakeoverTable(person)
    return {
      board: table.draftTable,
      // a square for each value, or for each coin if suits are shown
      first: (sections) => [
        table.draftTable.getByRole('gridcell'),
        present(sections.draft).coins === null ? 6 : 24,
      ],
      over: table.over,
      last: (sections) => [
        table.hands.getByRole('listitem'),
        seats + present(sections.reckoning).hands.flat().length,
      ],
    }
  },
}
