"""Drawing cards: up to five for three actions, or two with Chance 3."""

from __future__ import annotations

from msgspec.structs import replace

from games.api import LogLine, Millis, Refusal, Seat, Step
from games.shares.rules.moves import FromDeck, FromDiscard
from games.shares.rules.pieces import DRAW_TIME, HAND, Card
from games.shares.rules.turn_flow import Lines, decide, say, settle, with_hand
from games.shares.rules.values import SharesState
from games.shares.texts import DECK_EMPTY, NO_SUCH_CARD

CHANCE_DRAW = 2


def refuse(state: SharesState, move: FromDeck | FromDiscard) -> Refusal | None:
    """Why this draw is refused, if it is (SSA-22)."""
    match move:
        case FromDeck():
            return None if state.deck else DECK_EMPTY
        case FromDiscard(card=card):
            return None if card in state.discard else NO_SUCH_CARD


def draw_from_deck(state: SharesState, seat: Seat) -> tuple[SharesState, Lines]:
    """Draw the top card; only the seat that draws it learns which card it is."""
    card = state.deck[0]
    hands = with_hand(state.hands, seat, (*state.hands[seat], card))
    lines = (say("shares.drew", seat), LogLine("shares.drewCard", {"card": card}, frozenset({seat})))
    return replace(state, hands=hands, deck=state.deck[1:]), lines


def _take_from_discard(state: SharesState, seat: Seat, card: Card) -> tuple[SharesState, Lines]:
    hands = with_hand(state.hands, seat, (*state.hands[seat], card))
    discard = tuple(other for other in state.discard if other != card)
    return replace(state, hands=hands, discard=discard), (say("shares.drewOpen", seat, card=card),)


def draw_up(state: SharesState, seat: Seat, at: Millis, lines: Lines) -> Step[SharesState]:
    """Draw card by card, from either pile, up to five cards (SSA-22, SSA-23)."""
    left = HAND - len(state.hands[seat])
    if not left or not (state.deck or state.discard):
        return settle(state, at, lines)
    return Step(decide(state, "draw", seat, at, left, DRAW_TIME), lines)


def draw_by_chance(
    state: SharesState, seat: Seat, left: int, at: Millis, lines: Lines = ()
) -> Step[SharesState]:
    """Chance 3: draw from the deck, or from the Discard Pile if the deck is empty or the option allows it."""
    while left:
        choose = state.discard and (state.options.chance3_source == "either" or not state.deck)
        if choose:
            return Step(decide(state, "chance3", seat, at, left), lines)
        if not state.deck:
            break
        state, news = draw_from_deck(state, seat)
        lines, left = (*lines, *news), left - 1
    return settle(state, at, lines)


def draw(state: SharesState, seat: Seat, move: FromDeck | FromDiscard, at: Millis) -> Step[SharesState]:
    """Draw one card."""
    if isinstance(move, FromDeck):
        after, lines = draw_from_deck(state, seat)
    else:
        after, lines = _take_from_discard(state, seat, move.card)
    left = state.scene.uses - 1
    if state.scene.kind == "chance3":
        return draw_by_chance(after, seat, left, at, lines)
    if not left or not (after.deck or after.discard):
        return settle(after, at, lines)
    scene = replace(after.scene, uses=left)
    return Step(replace(after, scene=scene, serial=after.serial + 1), lines)


def fill(state: SharesState, seat: Seat, at: Millis, lines: Lines) -> Step[SharesState]:
    """When time is up, draw the rest from the Draw Deck, as long as it lasts (1b)."""
    left = state.scene.uses
    while left and state.deck:
        state, news = draw_from_deck(state, seat)
        lines, left = (*lines, *news), left - 1
    return settle(state, at, lines)
