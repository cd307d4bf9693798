/** What a person's half of a deal is, which a bot has named after their *Deal.* (games/sucker/bot/settling.py). */
import type { TalkMessage } from '../../sdk/wire.gen.ts'
import type { Owed } from '../../app/game.ts'
import type { TableView } from '../../app/tableview.svelte.ts'
import { sectionsOf, type Sections } from './selectors.ts'

/** By what the bot expects, the kind of promise that says the same. */
const KINDS: Readonly<Record<string, string>> = {
  expectPile: 'spare_pile',
  expectSave: 'save',
  expectPact: 'save',
  expectTurn: 'pass_move',
  expectTurns: 'pass_move',
  expectSpare: 'spare_chips',
  expectTruce: 'spare_chips',
}

/** The promise with which this seat would give its half of the deal; null if the message names none of its. */
export function owedBy(seat: number, { phrase, args, seat: by }: TalkMessage): Owed | null {
  const [, intent = ''] = /^sucker\.bot\.(\w+)\.\d+$/.exec(phrase ?? '') ?? []
  const kind = KINDS[intent]
  if (kind === undefined || by == null || args?.to !== seat) return null
  if (kind !== 'spare_pile') return { kind, terms: {}, to: [by] }
  return typeof args.pile === 'number' ? { kind, terms: { pile: args.pile }, to: [by] } : null
}

/** Whether the rules let this seat promise it now, to somebody who is still in (games/sucker/rules/promises.py). */
function isOffered({ stage, piles }: Sections, seat: number, { kind, terms, to }: Owed): boolean {
  if (stage.phase === 'review' || stage.phase === 'end') return false
  if (![seat, ...to].every((each) => stage.alive[each] === true)) return false
  return kind !== 'spare_pile' || piles.piles.some(({ id }) => id === terms.pile)
}

/** The same while the viewer's seat may make that promise, until the round ends, which ends the deal. */
export function owedIn(view: TableView, message: TalkMessage): Owed | null {
  const sections = sectionsOf(view)
  const { seat } = view
  if (seat === null || sections === null) return null
  const owed = owedBy(seat, message)
  if (owed === null || !isOffered(sections, seat, owed)) return null
  return view.state.lines.some(([, key, , at]) => key === 'sucker.began' && at > message.at) ? null : owed
}
