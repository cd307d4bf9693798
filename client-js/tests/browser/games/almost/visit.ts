/** The visit to Almost. */
import type { Visit } from '../../visit.ts'

export const visit: Visit<'almost'> = {
  phases: {
    discuss: ['a plan'],
    bid: ['a draft', 'locked', 'many numbers'],
    reveal: ['', 'many numbers'],
    end: ['', 'many numbers'],
  },
  // not watched: fifty rounds with ten seats take longer than all the other games combined
}
