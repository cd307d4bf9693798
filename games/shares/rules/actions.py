"""The actions of a turn: play a card, discard, draw up, open a market; and the effects of three of the suits.

A free action (Chance 4) is one of these actions at no cost.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from msgspec.structs import replace

from games.api import Dice, LogLine, Millis, Refusal, Seat, Step, WindowId
from games.kit import offers as offering
from games.kit import peeks as peeks
from games.kit import time_control as time_control
from games.kit.timed_game import OTHER_PROMPT
from games.kit.tuples import replace_at
from games.shares.rules import chance, drawing, scoring
from games.shares.rules.moves import (
    Add,
    Adjust,
    Discard,
    Done,
    DrawUp,
    EndTurn,
    OpenMarket,
    Play,
    Remove,
    SharesMove,
    Spy,
)
from games.shares.rules.pieces import (
    ACTIONS,
    COMPANIES,
    HAND,
    MARKET_TIME,
    SPY_TIME,
    Card,
    Company,
    Kind,
    Size,
    Tower,
    royal,
    suit_of,
    uses,
)
from games.shares.rules.turn_flow import (
    Lines,
    active_of,
    decide,
    hold_turn,
    lay,
    remove_cards,
    say,
    settle,
    spend,
    with_hand,
)
from games.shares.rules.values import Preview, Scene, SharesState
from games.shares.texts import (
    FINISH_FIRST,
    FULL_HAND,
    HEART_FIRST,
    NO_CARDS,
    NO_DIAMOND,
    NO_FLOORS,
    NO_FREE_DRAW,
    NO_MARKETS,
    NOT_ON_TURN,
    NOT_ROYAL,
    NOT_YOUR_CARDS,
    NOT_YOURSELF,
    SHARES_FIRST,
    THREE_ACTIONS,
)

Action: TypeAlias = Play | Discard | DrawUp | OpenMarket
Effect: TypeAlias = Add | Remove | Spy | Done

CARDS_LATER: Final = {
    "select": SHARES_FIRST,
    **dict.fromkeys(("hearts", "spades", "clubs", "draw", "adjust"), FINISH_FIRST),
    **dict.fromkeys(("chance1", "chance2", "chance3", "chance6"), FINISH_FIRST),
}
"""By the kind of the prompt, why no card is played now."""
EFFECTS: dict[str, Kind] = {"H": "hearts", "S": "spades", "C": "clubs"}


# --- legal actions ---


def refuse(state: SharesState, seat: Seat, kind: str, move: Action | EndTurn) -> Refusal | None:
    """Why this paid or free action is refused, if it is, given the seat's hand and what everyone sees."""
    if kind not in ("turn", "chance4"):
        return CARDS_LATER.get(kind, OTHER_PROMPT) if isinstance(move, Play) else OTHER_PROMPT
    free = kind == "chance4"
    hand = state.hands[seat]
    match move:
        case EndTurn():
            return OTHER_PROMPT if free else None
        case Play(card=card):
            if card not in hand:
                return NOT_YOUR_CARDS
            return NO_DIAMOND if free and suit_of(card) == "D" else None
        case Discard(cards=cards):
            if not cards:
                return NO_CARDS
            return None if len(set(cards)) == len(cards) and set(cards) <= set(hand) else NOT_YOUR_CARDS
        case DrawUp():
            return _refuse_draw(state, seat, free)
        case OpenMarket(card=card):
            if not state.options.open_market:
                return NO_MARKETS
            if seat != active_of(state):
                return NOT_ON_TURN
            if card not in hand:
                return NOT_YOUR_CARDS
            return None if royal(card) else NOT_ROYAL


def _refuse_draw(state: SharesState, seat: Seat, free: bool) -> Refusal | None:
    if free and not state.options.chance4_draw:
        return NO_FREE_DRAW
    if not free and state.turns.actions[seat] < ACTIONS:
        return THREE_ACTIONS
    return None if len(state.hands[seat]) < HAND else FULL_HAND


def refuse_effect(state: SharesState, seat: Seat, kind: str, move: Add | Remove | Spy) -> Refusal | None:
    match move:
        case Add():
            return None if kind == "hearts" else _refuse_building(kind)
        case Remove(tower=tower):
            if kind != "spades":
                return _refuse_building(kind)
            return None if state.towers[COMPANIES.index(tower)] else NO_FLOORS
        case Spy(seat=other):
            if kind != "clubs":
                return OTHER_PROMPT
            return NOT_YOURSELF if other == seat or other >= len(state.hands) else None


def _refuse_building(kind: str) -> Refusal:
    return HEART_FIRST if kind in ("turn", "chance4") else OTHER_PROMPT


def is_wasted(state: SharesState, suit: str) -> bool:
    """Whether this suit has no effect now: the card may be played, but its uses lapse (SSA-13)."""
    if suit == "H":
        return scoring.next_floor(state.towers) is None
    return suit == "S" and not any(state.towers)


def preview(state: SharesState, seat: Seat, move: SharesMove) -> Preview | None:
    """The effect this move would have, judging by what the seat may see."""
    match move:
        case Add(tower=tower) if scoring.next_floor(state.towers) is not None:
            return Preview(towers=scoring.standings(add_floor(state, tower)[0], state.options))
        case Remove(tower=tower) if state.towers[COMPANIES.index(tower)]:
            return Preview(towers=scoring.standings(remove_floor(state, tower), state.options))
        case Play(card=card):
            return Preview(uses=uses(card), wasted=is_wasted(state, suit_of(card)))
        case Adjust(by=by) if state.scene.roll is not None:
            number = state.scene.roll.rolled + by
            return Preview(chance=number, wasted=not chance.possible(state, seat, number))
        case _:
            return None


# --- actions ---


def act(
    state: SharesState, seat: Seat, move: Action, free: bool, at: Millis, dice: Dice
) -> Step[SharesState]:
    """Take an action and spend it, unless it is free; drawing up spends all three (SSA-9)."""
    if not free:
        state = spend(state, ACTIONS if isinstance(move, DrawUp) else 1)
    match move:
        case Play(card=card):
            return _play(state, seat, card, free, at, dice)
        case Discard(cards=cards):
            hands = with_hand(state.hands, seat, remove_cards(state.hands[seat], cards))
            line = LogLine("shares.discarded", {"seat": seat, "cards": list(cards)}, None)
            after = replace(state, hands=hands, discard=(*state.discard, *cards))
            return settle(after, at, (line,))
        case DrawUp():
            return drawing.draw_up(state, seat, at, (say("shares.drawUp", seat),))
        case OpenMarket(card=card):
            return _open_market(state, seat, card, free, at)


def _play(
    state: SharesState, seat: Seat, card: Card, free: bool, at: Millis, dice: Dice
) -> Step[SharesState]:
    laid = lay(state, seat, card, free)
    lines = (say("shares.free" if free else "shares.played", seat, card=card),)
    suit = suit_of(card)
    if suit == "D":
        return chance.roll(laid, seat, card, at, dice, lines)
    return _use(laid, seat, EFFECTS[suit], uses(card), at, lines)


def _use(
    state: SharesState, seat: Seat, kind: Kind, left: int, at: Millis, lines: Lines = ()
) -> Step[SharesState]:
    """Let the seat use the effect `left` more times (SSA-12); uses that can have no effect lapse."""
    suit = next(suit for suit, each in EFFECTS.items() if each == kind)
    if left and is_wasted(state, suit):
        return settle(state, at, (*lines, say("shares.lapsed", seat, uses=left)))
    if not left:
        return settle(state, at, lines)
    return Step(decide(state, kind, seat, at, left), lines)


def use(state: SharesState, seat: Seat, move: Effect, at: Millis) -> Step[SharesState]:
    left, kind = state.scene.uses, state.scene.kind
    match move:
        case Done():
            return settle(state, at, (say("shares.lapsed", seat, uses=left),))
        case Add(tower=tower):
            towers, size = add_floor(state, tower)
            lines = (say("shares.added", seat, company=tower, size=size),)
            return _use(replace(state, towers=towers), seat, kind, left - 1, at, lines)
        case Remove(tower=tower):
            size = state.towers[COMPANIES.index(tower)][-1]
            lines = (say("shares.removed", seat, company=tower, size=size),)
            return _use(replace(state, towers=remove_floor(state, tower)), seat, kind, left - 1, at, lines)
        case Spy(seat=other, what=what):
            serial = state.serial + 1
            window = WindowId(f"peek:{serial}")
            peek, timer, line = peeks.begin(window, peeks.KIND, seat, Seat(other), what, SPY_TIME, at)
            scene = replace(state.scene, kind="peek", uses=left - 1)
            after = replace(
                state, scene=scene, serial=serial, peek=peek, timer=timer, held=hold_turn(state, at)
            )
            return Step(after, (line,))


def stop_peeking(state: SharesState, at: Millis) -> Step[SharesState]:
    """End the peek, on timeout or when the peeking seat stops; only then may the next one start (SSA-28)."""
    peek = state.peek
    if peek is None:
        raise ValueError("nobody is peeking")
    return _use(
        replace(state, peek=None), peek.seat, "clubs", state.scene.uses, at, (peeks.report_end(peek),)
    )


def add_floor(state: SharesState, tower: Company) -> tuple[tuple[Tower, ...], Size]:
    """The towers with one more floor of the largest size left, and that size. At least one must be left."""
    size = scoring.next_floor(state.towers)
    if size is None:
        raise ValueError("no floor is left")
    place = COMPANIES.index(tower)
    return replace_at(state.towers, place, (*state.towers[place], size)), size


def remove_floor(state: SharesState, tower: Company) -> tuple[Tower, ...]:
    """The towers without the top floor of this one, which returns to the supply (SSA-14)."""
    place = COMPANIES.index(tower)
    return replace_at(state.towers, place, state.towers[place][:-1])


# --- a market opens and closes ---


def _open_market(state: SharesState, seat: Seat, card: Card, free: bool, at: Millis) -> Step[SharesState]:
    """Open a market for thirty seconds, whatever `timers` says; the card's suit has no effect (SSA-35)."""
    laid = lay(state, seat, card, free)
    serial = laid.serial + 1
    everybody = tuple(Seat(each) for each in range(len(state.hands)))
    after = replace(
        laid,
        scene=Scene("market", seat, 0, laid.scene.played, laid.scene.roll),
        serial=serial,
        timer=time_control.make_fixed_timer(
            WindowId(f"market:{serial}"), "market", everybody, MARKET_TIME, at
        ),
        held=hold_turn(laid, at),
    )
    return Step(after, (say("shares.market", seat, card=card),))


def close_market(state: SharesState, at: Millis) -> Step[SharesState]:
    """Close the market; offers that are still open lapse (1b)."""
    _, gone = offering.sweep(state.offers, lambda offer: False)
    return settle(state, at, (*gone, say("shares.marketClosed", active_of(state))))


# --- when time is up ---


def lapse(state: SharesState, seat: Seat, at: Millis, lines: Lines) -> Step[SharesState]:
    """Forfeit the remaining uses (1b)."""
    return settle(state, at, (*lines, say("shares.lapsed", seat, uses=state.scene.uses)))
