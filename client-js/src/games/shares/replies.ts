/** How this person answers what a bot proposes to them (`PROPOSALS` in games/shares/bot/sayings.py). */
import { intentOf } from '../../app/promises.ts'
import type { TableView } from '../../app/tableview.svelte.ts'
import type { TalkMessage } from '../../sdk/wire.gen.ts'
import { sectionsOf } from './selectors.ts'

const PROPOSALS = new Set(['askRaise', 'askFloor', 'askStart', 'askLower', 'askLeave', 'deal', 'counter'])
const ANSWERS: readonly string[] = ['shares.say.agreed', 'shares.say.no']

/**
 * A yes and a no to the last proposal that a bot made to this seat, until it is answered. None once the round for which
 * it was made is over, or this seat can do nothing more in that round.
 */
export function repliesIn(view: TableView, message: TalkMessage): readonly string[] {
  const { seat, state } = view
  const sections = sectionsOf(view)
  if (seat === null || sections === null) return []
  const { players, stage } = sections
  const isOut = players.out[seat] === true || players.actions[seat] === 0
  if (stage.phase === 'end' || (stage.phase === 'action' && isOut)) return []
  const { lines, talk } = state
  const last = talk.findLastIndex(
    (said) => said.bot === true && said.args?.to === seat && PROPOSALS.has(intentOf(said)),
  )
  const began = lines.findLast(([, key]) => key === 'shares.round')?.[3] ?? 0
  if (talk[last] !== message || message.at < began) return []
  const isAnswered = talk
    .slice(last)
    .some((said) => said.seat === seat && said.bot !== true && ANSWERS.includes(said.phrase ?? ''))
  return isAnswered ? [] : ANSWERS
}
