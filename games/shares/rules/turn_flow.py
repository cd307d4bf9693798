"""The flow from decision to decision: whose turn it is, the decisions within it, and when it is over.

A turn has a clock. While any seat makes a decision within the turn, that clock is paused and the decision
has its own (SSA-39).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from games.api import LogLine, Millis, Seat, Step, WindowId
from games.kit import offers as offering
from games.kit import sealed as sealing
from games.kit import time_control as time_control
from games.kit.time_control import Timer
from games.kit.timed_game import timer_of
from games.kit.tuples import replace_at
from games.shares.rules import scoring
from games.shares.rules.pieces import (
    ACTIONS,
    CARDS,
    CHOICE_TIME,
    COMPANIES,
    FIRST_SELECT_TIME,
    SELECT_TIME,
    TURN_TIME,
    Card,
    Cards,
    Hands,
    Kind,
)
from games.shares.rules.values import Bargains, Played, Roll, Scene, SharesState, Stage, Tracker, Turns

Lines = tuple[LogLine, ...]

NO_OFFERS: Final[Bargains] = offering.Offers()
NO_SHARES: Final = (0,) * len(COMPANIES)
ALL_CHOOSE: Final = Scene("select", None, 0, (), None)


def say(key: str, seat: Seat, to: frozenset[Seat] | None = None, **args: int | str) -> LogLine:
    return LogLine(key, {"seat": seat, **args}, to)


def sort_cards(cards: Iterable[Card]) -> Cards:
    """A hand in the order of `CARDS`, which does not reveal the order in which the cards arrived."""
    return tuple(sorted(cards, key=CARDS.index))


def remove_cards(hand: Cards, cards: Iterable[Card]) -> Cards:
    gone = set(cards)
    return tuple(card for card in hand if card not in gone)


def with_hand(hands: Hands, seat: Seat, cards: Iterable[Card]) -> Hands:
    return replace_at(hands, seat, sort_cards(cards))


def tracker_of(state: SharesState, seat: int) -> Tracker:
    """The whole tracker of a seat: what it has shown to everyone, and everything since."""
    return scoring.tracker_after(state.shows.shown[seat], state.marks[seat], state.traded[seat])


# --- rounds ---


def open_select(state: SharesState, number: int, at: Millis, lines: Lines = ()) -> Step[SharesState]:
    """Begin a round: everybody marks a share (SSA-6)."""
    seats = len(state.hands)
    stage = Stage("select", number, state.stage.rounds, None, None, state.stage.official)
    span = FIRST_SELECT_TIME if number == 1 else SELECT_TIME
    everybody = tuple(Seat(seat) for seat in range(seats))
    after = replace(
        state,
        stage=stage,
        scene=ALL_CHOOSE,
        turns=Turns((ACTIONS,) * seats, (False,) * seats, 0),
        selected=sealing.make_sealed(seats),
        bids=None,
        timer=time_control.timer(
            state.time_control, WindowId(f"select:{number}"), "select", everybody, span, at
        ),
        held=None,
    )
    line = LogLine("shares.round", {"round": number, "rounds": stage.rounds}, None)
    return Step(after, (*lines, line))


def open_turns(state: SharesState, start: Seat, at: Millis, lines: Lines) -> Step[SharesState]:
    """Begin the action phase."""
    stage = Stage("action", state.stage.round, state.stage.rounds, start, None, state.stage.official)
    return next_turn(replace(state, stage=stage), start, at, lines)


def _can_act(state: SharesState, seat: Seat) -> bool:
    """Whether the seat has cards, or all the actions needed to draw some (SSA-36)."""
    return bool(state.hands[seat]) or state.turns.actions[seat] == ACTIONS


def _mark_out(turns: Turns, seat: Seat) -> Turns:
    return Turns(turns.actions, replace_at(turns.out, seat, True), turns.spent)


def next_turn(state: SharesState, first: Seat, at: Millis, lines: Lines = ()) -> Step[SharesState]:
    """Start the turn of the first seat, clockwise from `first`, that is not out and has actions left.

    If there is none, end the round. A seat that can spend nothing when its turn comes is out (SSA-36).
    """
    turns = Turns(state.turns.actions, state.turns.out, 0)
    news = [*lines]
    seats = len(state.hands)
    for seat in (Seat((first + place) % seats) for place in range(seats)):
        if turns.out[seat] or not turns.actions[seat]:
            continue
        if not _can_act(state, seat):
            turns = _mark_out(turns, seat)
            news.append(say("shares.stuck", seat))
            continue
        serial = state.serial + 1
        timer = time_control.timer(
            state.time_control, WindowId(f"turn:{serial}"), "turn", (seat,), TURN_TIME, at
        )
        stage = replace(state.stage, active=seat)
        scene = Scene("turn", seat, 0, (), None)
        after = replace(state, stage=stage, scene=scene, serial=serial, turns=turns, timer=timer, held=None)
        return Step(after, tuple(news))
    return _end_round(replace(state, turns=turns), at, tuple(news))


def _end_round(state: SharesState, at: Millis, lines: Lines) -> Step[SharesState]:
    """Open the next round, or end the game. Hands are not refilled."""
    if state.stage.round < state.stage.rounds:
        return open_select(state, state.stage.round + 1, at, lines)
    seats = len(state.hands)
    trackers = tuple(tracker_of(state, seat) for seat in range(seats))
    result = scoring.reckoning(state.towers, trackers, state.hands, state.options)
    stage = Stage("end", state.stage.round, state.stage.rounds, None, None, state.stage.official)
    over = replace(
        state,
        stage=stage,
        scene=Scene("over", None, 0, (), None),
        deck=(),
        hands=((),) * seats,
        marks=((),) * seats,
        traded=(NO_SHARES,) * seats,
        seen=((None,) * seats,) * seats,
        timer=None,
        held=None,
        reckoning=result,
    )
    winners = [int(seat) for seat in scoring.outcome(result).winners]
    return Step(over, (*lines, LogLine("shares.won", {"seats": winners}, None)))


# --- a turn and the decisions within it ---


def active_of(state: SharesState) -> Seat:
    """The seat whose turn it is. Raises ValueError outside the action phase."""
    if state.stage.active is None:
        raise ValueError("it is nobody's turn")
    return state.stage.active


def end_turn(state: SharesState, at: Millis, lines: Lines = ()) -> Step[SharesState]:
    """End the turn; a seat that has spent nothing is out of the round (SSA-9)."""
    seat = active_of(state)
    if state.turns.spent:
        news = (*lines, say("shares.ended", seat))
    else:
        state = replace(state, turns=_mark_out(state.turns, seat))
        news = (*lines, say("shares.out", seat))
    return next_turn(state, next_seat(state, seat), at, news)


def next_seat(state: SharesState, seat: Seat) -> Seat:
    """The seat to the left (GEN-1)."""
    return Seat((seat + 1) % len(state.hands))


def spend(state: SharesState, actions: int) -> SharesState:
    """Spend some of the active seat's actions in this round."""
    seat, turns = active_of(state), state.turns
    left = replace_at(turns.actions, seat, turns.actions[seat] - actions)
    return replace(state, turns=Turns(left, turns.out, turns.spent + actions))


def hold_turn(state: SharesState, at: Millis) -> Timer | None:
    """The turn's timer, paused."""
    return time_control.hold(timer_of(state), at) if state.scene.kind == "turn" else state.held


def decide(
    state: SharesState,
    kind: Kind,
    seat: Seat,
    at: Millis,
    uses: int = 0,
    span: Millis = CHOICE_TIME,
    roll: Roll | None = None,
) -> SharesState:
    """Let this seat decide next; the cards in the middle stay, as does the roll unless a new one is given."""
    serial = state.serial + 1
    before = state.scene
    return replace(
        state,
        scene=Scene(kind, seat, uses, before.played, roll or before.roll),
        serial=serial,
        timer=time_control.timer(state.time_control, WindowId(f"{kind}:{serial}"), kind, (seat,), span, at),
        held=hold_turn(state, at),
    )


def lay(state: SharesState, seat: Seat, card: Card, free: bool) -> SharesState:
    """Lay the card face up in the middle until its effect is resolved (SSA-11)."""
    hands = replace_at(state.hands, seat, remove_cards(state.hands[seat], (card,)))
    played = Played(card, seat, free)
    scene = replace(state.scene, played=(*state.scene.played, played))
    return replace(state, hands=hands, scene=scene, recent=replace(state.recent, played=played))


def _clear_turn(state: SharesState) -> SharesState:
    """Put the cards played face down under the Draw Deck, latest first."""
    under = tuple(played.card for played in reversed(state.scene.played))
    return replace(state, deck=(*state.deck, *under), peek=None, offers=NO_OFFERS)


def settle(state: SharesState, at: Millis, lines: Lines = ()) -> Step[SharesState]:
    """Finish an action and its effects; the turn continues if the seat can spend more (SSA-36)."""
    after = _clear_turn(state)
    seat = active_of(after)
    if not after.turns.actions[seat]:
        return next_turn(after, next_seat(after, seat), at, lines)
    if not _can_act(after, seat):
        return end_turn(after, at, lines)
    turn = timer_of(after) if after.scene.kind == "turn" else after.held
    if turn is None:
        raise ValueError("a decision outside a turn")
    scene = Scene("turn", seat, 0, (), None)
    return Step(
        replace(
            after,
            scene=scene,
            serial=after.serial + 1,
            timer=time_control.release(turn, at),
            held=None,
        ),
        lines,
    )


def abandon(state: SharesState, at: Millis, lines: Lines) -> Step[SharesState]:
    """End the turn in the middle of a decision."""
    return end_turn(_clear_turn(state), at, lines)
