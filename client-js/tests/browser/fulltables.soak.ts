/** Full tables of the games that shapes.test.ts leaves out. */
import { testFullTable } from './fulltables.ts'

for (const game of ['shares', 'subdivision', 'sucker', 'takeover'] as const) testFullTable(game)
