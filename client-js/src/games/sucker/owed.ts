/** What a person's half of a deal is, which a bot has named after their *Deal.* (games/sucker/bot/settling.py). */
import type { TalkMessage } from '../../sdk/wire.gen.ts'
import type { Owed } from '../../app/game.ts'
import type { TableView } from '../../app/tableview.svelte.ts'

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

/** The same until the round ends, which ends the deal. */
export function owedIn(view: TableView, message: TalkMessage): Owed | null {
  if (view.seat === null) return null
  const hasEnded = view.state.lines.some(([, key, , at]) => key === 'sucker.began' && at > message.at)
  return hasEnded ? null : owedBy(view.seat, message)
}
