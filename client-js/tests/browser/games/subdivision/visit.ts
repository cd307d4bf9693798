/** The visit to Subdivision. */
import { present, type Visit } from '../../visit.ts'
import { SubdivisionTable } from './page.ts'

export const visit: Visit<'subdivision'> = {
  phases: { parks: [''], place: ['a choice', 'many pieces'], end: [''] },
  watch: (person, seats) => {
    const table = new SubdivisionTable(person)
    return {
      board: table.board,
      first: (sections) => [table.board.getByRole('gridcell'), present(sections.board).squares.length],
      over: person.page.getByRole('figure', { name: 'The board at the end' }),
      last: () => [table.totals.getByRole('rowheader'), seats],
    }
  },
}
