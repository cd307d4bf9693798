/** Which cards travel when the board changes: to the middle, to the Discard Pile, and to a player. */
import type { Flight } from '../../app/movement.svelte.ts'
import type { SharesPlayed } from '../../sdk/wire.gen.ts'
import type { Sections } from './selectors.ts'

type Board = Pick<Sections, 'stage' | 'scene' | 'recent' | 'players' | 'piles'>

/** The cards in the middle of the table: those being played, or else the last one. */
function laid({ scene, recent }: Pick<Board, 'scene' | 'recent'>): readonly SharesPlayed[] {
  return scene.played.length > 0 ? scene.played : recent.played === null ? [] : [recent.played]
}

export function flightsOf(before: Board, after: Board): readonly Flight[] {
  const old = new Set(laid(before).map(({ card }) => card))
  const played = laid(after)
    .filter(({ card }) => !old.has(card))
    .map(({ card, seat }) => ({
      from: [`card:${card}`, `seat:${seat}`],
      to: [`played:${card}`],
      shows: `played:${card}`,
      arrives: true,
    }))
  return [...played, ...discarded(before, after), ...drawn(before, after)]
}

/** Cards that a player has put on the Discard Pile without playing them. */
function discarded(before: Board, after: Board): readonly Flight[] {
  const { active } = before.stage
  const top = after.piles.discard.at(-1)
  const known = new Set([...laid(before), ...laid(after)].map(({ card }) => card))
  return active === null ||
    top === undefined ||
    after.piles.discard.length <= before.piles.discard.length ||
    known.has(top)
    ? []
    : [{ from: [`card:${top}`, `seat:${active}`], to: ['discard'], shows: 'discard', arrives: true }]
}

/** Cards that have come to a player from the Draw Deck, or else from another player. */
function drawn(before: Board, after: Board): readonly Flight[] {
  const change = after.players.cards.map((count, seat) => count - (before.players.cards[seat] ?? 0))
  const giver = change.findIndex((by) => by < 0)
  const from =
    after.piles.deck < before.piles.deck
      ? 'deck'
      : giver < 0 || after.piles.discard.length > before.piles.discard.length
        ? null
        : `seat:${giver}`
  return from === null
    ? []
    : change.flatMap((by, seat) => (by > 0 ? [{ from: [from], to: [`seat:${seat}`], shows: 'deck' }] : []))
}
