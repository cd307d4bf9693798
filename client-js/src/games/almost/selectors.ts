/**
 * The data that the board needs from the hub's sections. The client only displays it: the rules determine who
 * wins and who still can.
 */
import type { TableView } from '../../app/tableview.svelte.ts'
import type {
  AlmostMine,
  AlmostPlan,
  AlmostPlans,
  AlmostRow,
  AlmostScore,
  AlmostStage,
  PromiseInfo,
} from '../../sdk/wire.gen.ts'

export interface Sections {
  readonly stage: AlmostStage
  readonly score: AlmostScore
  readonly plans: AlmostPlans
  readonly done: readonly boolean[]
  readonly mine: AlmostMine | undefined
}

/** The board's sections together, or null before the game has begun. */
export function sectionsOf(view: TableView): Sections | null {
  const stage = view.gameSection('almost', 'stage')
  const score = view.gameSection('almost', 'score')
  const plans = view.gameSection('almost', 'plans')
  const readiness = view.gameSection('almost', 'readiness')
  if (!stage || !score || !plans || !readiness) return null
  return { stage, score, plans, done: readiness.done, mine: view.gameSection('almost', 'mine') }
}

/** Returns whether no other seat made the same bid as this seat in this round. */
export function alone(row: AlmostRow, seat: number): boolean {
  const number = row.bids[seat]
  return row.bids.filter((bid) => bid === number).length === 1
}

/** The seat that would score if everybody followed this plan: the one with the lowest unique number. */
export function wouldScore(plan: Pick<AlmostPlan, 'bids'>): number | null {
  const single = plan.bids.filter((bid, _, bids) => bids.filter((other) => other === bid).length === 1)
  return single.length === 0 ? null : plan.bids.indexOf(Math.min(...single))
}

/** The scores that decide this game: points, or rounds won. */
export function counts(sections: Pick<Sections, 'stage' | 'score'>): readonly number[] {
  return sections.stage.mode === 'banbury' && sections.stage.scoring === 'roundsWon'
    ? sections.score.wins
    : sections.score.points
}

/**
 * The open promises about this round, to this seat or to everybody, that their makers break by a plan, and that
 * this seat would help to release by backing it: who backs it already has done so after the promise.
 */
export function releasablePromises(
  { bids, behind }: Pick<AlmostPlan, 'bids' | 'behind'>,
  backings: readonly number[],
  seat: number,
  round: number,
  promises: readonly PromiseInfo[],
): readonly PromiseInfo[] {
  return promises.filter(({ by, to = [], kind, terms, judgement }) => {
    const isTo = (other: number): boolean => other !== by && (to.length === 0 || to.includes(other))
    return (
      isTo(seat) &&
      judgement == null &&
      Number(terms.round) === round &&
      (bids[by] === Number(terms.number)) === (kind === 'avoid') &&
      behind.every((other) => !isTo(other) || (backings[other] ?? 0) > Number(terms.backed ?? 0))
    )
  })
}

/** The promises about this round that whoever made them has broken. */
export function brokenIn(round: number, promises: readonly PromiseInfo[]): readonly PromiseInfo[] {
  return promises.filter(
    ({ judgement, excused, terms }) =>
      judgement === 'broken' && excused !== true && Number(terms.round) === round,
  )
}
