/** The prize calculator: what shares may be worth, given guesses. */
import type { SharesTracker } from '../../sdk/wire.gen.ts'
import { COMPANIES, type Company } from './cards.ts'
import type { Sections } from './selectors.ts'

export interface Estimate {
  readonly company: Company
  readonly prize: number
  readonly held: number
  /** The shares the others have: the guess, or an equal share of whatever the guesses leave. */
  readonly others: number
  readonly guessed: boolean
  /** The value of each share held; null if none is. */
  readonly value: number | null
}

/** The total number of shares that the others have, in all companies. */
export function othersHave({ players }: Pick<Sections, 'players'>, tracker: SharesTracker): number {
  return Math.max(0, players.shares - tracker.holdings.reduce((sum, count) => sum + count, 0))
}

/** How many of the others' shares the guesses leave; negative if more were guessed than there are. */
export function unplaced(all: number, guesses: readonly (number | null)[]): number {
  return all - guesses.reduce<number>((sum, guess) => sum + (guess ?? 0), 0)
}

/**
 * What the shares held would be worth if the game ended now: takes the others' shares as guessed, and spreads the
 * remaining ones evenly over the companies without a guess.
 */
export function estimates(
  sections: Pick<Sections, 'towers' | 'players'>,
  tracker: SharesTracker,
  guesses: readonly (number | null)[],
): readonly Estimate[] {
  const open = guesses.filter((guess) => guess === null).length
  const each = open === 0 ? 0 : Math.max(0, unplaced(othersHave(sections, tracker), guesses)) / open
  return COMPANIES.map((company, index) => {
    const [prize, held] = [sections.towers.companies[index]?.prize ?? 0, tracker.holdings[index] ?? 0]
    const guess = guesses[index] ?? null
    const others = guess ?? each
    return {
      company,
      prize,
      held,
      others,
      guessed: guess !== null,
      value: held > 0 ? prize / (held + others) : null,
    }
  })
}
