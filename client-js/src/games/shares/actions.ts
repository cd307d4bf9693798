/** What others have done to this person's hand, and which lines of the log are actions. */
import type { TableView } from '../../app/tableview.svelte.ts'
import type { AudienceLine } from '../../sdk/wire.gen.ts'
import type { Card } from './cards.ts'
import { formatCard } from './format.ts'
import { say } from './words.ts'

/** Lines with which a seat spends an action, or a free one. */
export const ACTIONS = new Set(
  ['played', 'free', 'discarded', 'drawUp', 'market'].map((key) => `shares.${key}`),
)
/** Lines by which a seat itself acts. */
export const OWN = new Set([...ACTIONS, 'shares.ended', 'shares.out', 'shares.stuck'])

/** Lines with which a turn or a round ends. */
const TURNS = new Set(['shares.round', 'shares.ended', 'shares.out', 'shares.stuck'])

/**
 * What others have done to this person's hand since this person last acted, or only on the present turn; null if
 * nothing.
 */
export function lossNews(view: TableView, isRecent = false): string | null {
  const { seat: viewer } = view
  const { lines } = view.state
  const since = lines.findLastIndex(([, key, { seat }]) => OWN.has(key) && seat === viewer)
  const rest = lines.slice(since + 1)
  const isPast = (index: number, by: unknown): boolean =>
    rest.slice(index).some(([, key, { seat }]) => TURNS.has(key) || (ACTIONS.has(key) && seat !== by))
  const isHands = (key: string, { seats }: AudienceLine[2]): boolean =>
    key === 'shares.swapped' && (seats as readonly number[]).includes(viewer ?? -1)
  /** Whose cards these are now is told of the last swap alone. */
  const swap = rest.findLastIndex(([, key, args]) => isHands(key, args))
  const losses = rest.flatMap(([, key, args], index) => {
    if (isRecent && isPast(index, args.seat)) return []
    const name = view.nameOf(Number(args.seat))
    if (key === 'shares.tookCard' && args.other === viewer)
      return [say('lostCard', { name, card: formatCard(args.card as Card) })]
    if (index !== swap || args.seat === viewer) return []
    const other = (args.seats as readonly number[]).find((seat) => seat !== viewer)
    const count = view.gameSection('shares', 'hand')?.cards.length ?? 0
    return [
      say(other === args.seat ? 'lostHand' : 'lostHandTo', {
        name,
        other: view.nameOf(Number(other)),
        count,
      }),
    ]
  })
  return viewer === null || losses.length === 0 || view.status !== 'running' ? null : losses.join(' ')
}
