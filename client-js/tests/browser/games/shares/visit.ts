/** The visit to Share and Share Alike. */
import { present, type Visit } from '../../visit.ts'
import { SharesTable } from './page.ts'

export const visit: Visit<'shares'> = {
  phases: {
    select: ['a note'],
    lowball: ['a card'],
    action: [
      'a tower',
      'a look',
      'a market',
      'drawing',
      'the die',
      'a hand',
      'two hands',
      'a free action',
      'another rolls',
    ],
    end: [''],
  },
  watch: (person, seats) => {
    const table = new SharesTable(person)
    return {
      board: table.towers,
      first: (sections) => [table.towers.getByRole('button'), present(sections.towers).companies.length],
      over: table.over,
      // an item for each seat, and a row for each company on its tracker
      last: (sections) => [
        table.trackers.getByRole('listitem'),
        seats * (1 + present(sections.reckoning).companies.length),
      ],
    }
  },
  // more rounds show nothing new and take several times as long
  shorter: (options) => ({ ...options, rounds: '5' }),
}
