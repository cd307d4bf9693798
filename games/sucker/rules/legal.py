"""Why a move is refused, judged by what everybody sees and the moving seat's cards (GEN-3)."""

from __future__ import annotations

from typing import Final

from games.api import Refusal, Seat
from games.kit.time_control import Extend, LastCall
from games.kit.timed_game import OTHER_PROMPT
from games.sucker.rules import blackmail, piles
from games.sucker.rules import hands as hand_rules
from games.sucker.rules.values import (
    Continue,
    GiveMove,
    Kill,
    KillPrisoners,
    Place,
    PlayCard,
    Refuse,
    Relent,
    RescueWith,
    SuckerMove,
    SuckerState,
    Transfer,
)
from games.sucker.texts import (
    ALREADY_READY,
    ALREADY_REFUSED,
    ANSWER_FIRST,
    DEFEATED,
    GIVE_FIRST,
    KILL_FIRST,
    MUST_PLACE,
    NO_CAPTURE,
    NO_CHIP,
    NO_PILE,
    NOT_IN_PILE,
    NOT_NEXT,
    NOT_REFUSED,
    NOT_YOUR_CARD,
    OTHER_CARD,
    OUT_ALREADY,
    OWN_COLOUR,
    TO_YOURSELF,
)

PLACE_LATER: Final = {"choose": GIVE_FIRST, "kill": KILL_FIRST, "rescue": ANSWER_FIRST}
"""By the kind of the prompt, why no chip is placed now."""


def kind_for(move: SuckerMove) -> str:
    """The kind of prompt that a move answers; playCard also answers a rescue."""
    match move:
        case Place() | PlayCard():
            return "turn"
        case GiveMove():
            return "choose"
        case Kill():
            return "kill"
        case RescueWith() | Refuse() | Relent():
            return "rescue"
        case Transfer() | KillPrisoners():
            return "prisoners"
        case Continue():
            return "continue"
        case Extend():
            return "extend"
        case LastCall():
            return "lastCall"


def refuse(state: SuckerState, seat: Seat, kind: str, move: SuckerMove) -> Refusal | None:
    """The reason the seat may not answer an open prompt of this kind with the move; None if it may."""
    if kind != kind_for(move) and not (kind == "rescue" and isinstance(move, PlayCard)):
        return PLACE_LATER.get(kind, OTHER_PROMPT) if isinstance(move, Place) else OTHER_PROMPT
    match move:
        case Place():
            return _refuse_place(state, seat, move)
        case PlayCard():
            return _refuse_card(state, seat, kind, move)
        case GiveMove(to=to):
            return None if to in state.stage.next else _refuse_next(state, to)
        case Kill(colour=colour):
            pile = piles.find(state.piles, state.stage.pile)
            return None if pile is not None and colour in pile.chips else NOT_IN_PILE
        case RescueWith(colour=colour, count=count):
            return TO_YOURSELF if seat == state.stage.mover else _refuse_prisoners(state, seat, colour, count)
        case Refuse():
            return ALREADY_REFUSED if _has_refused(state, seat) else None
        case Relent():
            return None if _has_refused(state, seat) else NOT_REFUSED
        case Transfer(colour=colour, count=count, to=to):
            return _refuse_receiver(state, seat, to) or _refuse_prisoners(state, seat, colour, count)
        case KillPrisoners(colour=colour, count=count):
            return _refuse_prisoners(state, seat, colour, count)
        case Continue():
            return ALREADY_READY if state.ready.done[seat] else None
        case Extend() | LastCall():
            return None


def _refuse_next(state: SuckerState, to: int) -> Refusal:
    alive = state.stage.alive
    return NOT_NEXT if to >= len(alive) or alive[to] else OUT_ALREADY


def _has_refused(state: SuckerState, seat: Seat) -> bool:
    return state.need is not None and state.need.refused[seat]


def _refuse_place(state: SuckerState, seat: Seat, move: Place) -> Refusal | None:
    colour, hand = move.colour, state.hands.chips[seat]
    if colour >= len(hand) or not hand[colour]:
        return NO_CHIP
    pile = piles.find(state.piles, move.pile)
    if move.pile is not None and pile is None:
        return NO_PILE
    if move.card is None:
        return None
    card = next((card for card in blackmail.list_own_cards(state, seat) if card.id == move.card), None)
    if card is None:
        return NOT_YOUR_CARD
    if card.kind != "capture":
        return OTHER_CARD
    if card.token == seat:
        return OWN_COLOUR
    captures = pile is not None and pile.chips[-1] == colour == card.token
    return None if captures else NO_CAPTURE


def _refuse_card(state: SuckerState, seat: Seat, kind: str, move: PlayCard) -> Refusal | None:
    """In a rescue, only the seat in need may play a card, and only a tribute (SLS-23)."""
    if kind == "rescue" and seat != state.stage.mover:
        return OTHER_PROMPT
    cards = blackmail.list_own_cards(state, seat)
    if kind == "rescue" and any(card.id == move.card and card.kind == "return" for card in cards):
        return OTHER_CARD
    return blackmail.refuse_play(state.hands, state.stage, cards, seat, move.card, move.colour)


def _refuse_receiver(state: SuckerState, seat: Seat, to: int) -> Refusal | None:
    if to == seat:
        return TO_YOURSELF
    alive = state.stage.alive
    return None if to < len(alive) and alive[to] else DEFEATED


def _refuse_prisoners(state: SuckerState, seat: Seat, colour: int, count: int) -> Refusal | None:
    """A seat may part only with prisoners it has; a rescued mover must keep a chip (SLS-36)."""
    hand, stage = state.hands.chips[seat], state.stage
    if colour == seat:
        return OWN_COLOUR
    if colour >= len(hand) or hand[colour] < count:
        return NO_CHIP
    bound = stage.bound and stage.mover == seat
    return MUST_PLACE if bound and hand_rules.chip_counts(state.hands)[seat] == count else None
