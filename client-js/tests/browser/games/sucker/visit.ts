/** The visit to So Long Sucker. */
import { present, type Visit } from '../../visit.ts'
import { SuckerTable } from './page.ts'

export const visit: Visit<'sucker'> = {
  phases: {
    turn: ['a choice', 'prisoners'],
    choose: [''],
    kill: [''],
    rescue: [''],
    review: [''],
    end: [''],
  },
  watch: (person, seats) => {
    const table = new SuckerTable(person)
    return {
      board: table.piles,
      first: () => [table.hands.getByRole('listitem'), seats],
      over: table.over,
      // the title, the secret rows and the blackmail cards of the last round
      last: (sections) => {
        const result = present(present(sections.match).results.at(-1))
        return [
          table.winners.getByRole('heading', { level: 2 }).or(table.winners.getByRole('listitem')),
          1 + result.rows.filter((row) => row.length > 0).length + result.deck.length,
        ]
      },
    }
  },
  // more rounds show nothing new and take several times as long
  shorter: (options) => (options.rounds === 10 ? { ...options, rounds: 2 } : options),
}
