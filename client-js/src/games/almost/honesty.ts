/** The plans that seats have backed together with others, and who kept to them. */
import type { Word } from '../../app/table/promises.ts'
import type { AlmostRow } from '../../sdk/wire.gen.ts'
import { pieces } from './words.ts'

/** By round; a number that the clock chose is nobody's, and neither kept nor broken. */
export function wordsOf(rows: readonly AlmostRow[]): readonly Word[] {
  return rows.flatMap(({ bids, missed, promised }, index) =>
    promised.flatMap((number, by) => {
      const bid = bids[by] ?? 0
      if (number === null || missed.includes(by)) return []
      const kept = number === bid
      const round = index + 1
      return [
        {
          by,
          kept,
          pieces: kept ? pieces('wordKept', { round, number }) : pieces('wordBroken', { round, number, bid }),
        },
      ]
    }),
  )
}
