/** Which chips travel when the board changes: to a pile, to the captor, to the dead, or to another hand. */
import type { Flight } from '../../app/movement.svelte.ts'
import { chipsOf, heldBy, type Sections } from './selectors.ts'

type Board = Pick<Sections, 'stage' | 'hands' | 'piles'>

/** The place of one colour in a hand, or the hand if the colour is not shown. */
const inHand = (seat: number, colour: number): readonly string[] => [`hand:${seat}:${colour}`, `hand:${seat}`]

export function flightsOf(before: Board, after: Board): readonly Flight[] {
  return [...placed(before, after), ...captured(before, after), ...given(before, after)]
}

/** The chip on top of a pile that is new or has grown, from the hand of the seat that had the turn. */
function placed(before: Board, after: Board): readonly Flight[] {
  const { mover } = before.stage
  return after.piles.piles.flatMap(({ id, chips }) => {
    const colour = chips.at(-1)
    const old = before.piles.piles.find((pile) => pile.id === id)?.chips.length ?? 0
    if (mover === null || colour === undefined || chips.length <= old) return []
    return [{ from: inHand(mover, colour), to: [`pile:${id}`], shows: `hand:${mover}:${colour}` }]
  })
}

/** The piles that have left the table, to the hand that has gained most, or else to the dead. */
function captured(before: Board, after: Board): readonly Flight[] {
  const left = new Set(after.piles.piles.map(({ id }) => id))
  const gains = after.hands.chips.map((_, seat) => heldBy(after.hands, seat) - heldBy(before.hands, seat))
  const most = Math.max(...gains)
  const to = most > 0 ? `hand:${gains.indexOf(most)}` : 'dead'
  return before.piles.piles
    .filter(({ id }) => !left.has(id))
    .map(({ id }) => ({ from: [`pile:${id}`], to: [to], shows: `pile:${id}` }))
}

/** Prisoners that go from one hand to another or to the dead, while the piles stay as they are. */
function given(before: Board, after: Board): readonly Flight[] {
  const chips = ({ piles }: Board): number => piles.piles.reduce((sum, pile) => sum + pile.chips.length, 0)
  if (chips(before) !== chips(after)) return []
  const seats = [...after.hands.chips.keys()]
  return seats.flatMap((colour) => {
    const change = seats.map(
      (seat) => chipsOf(after.hands, seat, colour) - chipsOf(before.hands, seat, colour),
    )
    const [giver, taker] = [change.findIndex((by) => by < 0), change.findIndex((by) => by > 0)]
    const died = (after.hands.dead[colour] ?? 0) > (before.hands.dead[colour] ?? 0)
    if (giver < 0 || (taker < 0 && !died)) return []
    return [
      {
        from: inHand(giver, colour),
        to: taker < 0 ? ['dead'] : inHand(taker, colour),
        shows: `hand:${giver}:${colour}`,
      },
    ]
  })
}
