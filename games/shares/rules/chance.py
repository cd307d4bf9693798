"""The Chance chart: a roll, its adjustment and its effect, which may pass to another seat."""

from __future__ import annotations

from typing import TypeAlias

from msgspec.structs import replace

from games.api import Dice, LogLine, Millis, Refusal, Seat, Step, WindowId
from games.kit import peeks as peeks
from games.kit.timed_game import OTHER_PROMPT
from games.kit.tuples import replace_at
from games.shares.rules import drawing
from games.shares.rules.moves import Adjust, Swap, Take, Target
from games.shares.rules.pieces import TAKE_TIME, Card, adjustment, royal, suit_of
from games.shares.rules.turn_flow import (
    Lines,
    active_of,
    decide,
    hold_turn,
    remove_cards,
    say,
    settle,
    sort_cards,
)
from games.shares.rules.values import Roll, SharesState
from games.shares.texts import EMPTY_HAND, NO_SUCH_CARD, NOT_YOURSELF, TOO_FAR, TWO_SEATS

SIDES = 6

ChanceMove: TypeAlias = Adjust | Target | Take | Swap


# --- legal choices ---


def adjustments(roll: Roll) -> tuple[int, ...]:
    """The adjustments the roll allows: the result stays within 1 to 6 and does not wrap (SSA-18)."""
    return tuple(by for by in range(-roll.adjust, roll.adjust + 1) if 1 <= roll.rolled + by <= SIDES)


def targets(state: SharesState, seat: Seat) -> tuple[int, ...]:
    """Other seats with cards (SSA-21)."""
    return tuple(other for other, hand in enumerate(state.hands) if hand and other != seat)


def can_be_free(state: SharesState, seat: Seat) -> bool:
    """Whether Chance 4 lets this seat do anything (SSA-16)."""
    return bool(state.hands[seat]) or state.options.chance4_draw


def refuse(state: SharesState, seat: Seat, kind: str, move: ChanceMove) -> Refusal | None:
    """Why this move is refused, if it is, given what everyone sees; `take` names a card by its position."""
    match move:
        case Adjust(by=by):
            roll = state.scene.roll
            if kind != "adjust" or roll is None:
                return OTHER_PROMPT
            return None if by in adjustments(roll) else TOO_FAR
        case Target(seat=other):
            if kind not in ("chance1", "chance6"):
                return OTHER_PROMPT
            if other == seat or other >= len(state.hands):
                return NOT_YOURSELF
            return EMPTY_HAND if kind == "chance1" and not state.hands[other] else None
        case Take(place=place):
            peek = state.peek
            if kind != "take" or peek is None:
                return OTHER_PROMPT
            return None if place < len(state.hands[peek.other]) else NO_SUCH_CARD
        case Swap(seats=seats):
            if kind != "chance2":
                return OTHER_PROMPT
            good = len(set(seats)) == len(seats) == 2 and max(seats) < len(state.hands)
            return None if good else TWO_SEATS


# --- effects ---


def roll(
    state: SharesState, seat: Seat, card: Card, at: Millis, dice: Dice, lines: Lines
) -> Step[SharesState]:
    """Roll publicly; with a high card, the seat may adjust the roll (SSA-18)."""
    rolled = 1 + dice.below("die", SIDES)
    news = (*lines, say("shares.rolled", seat, number=rolled))
    reach = adjustment(card)
    if not reach:
        return _effect(state, Roll(seat, rolled, 0, rolled), at, news)
    return Step(decide(state, "adjust", seat, at, roll=Roll(seat, rolled, reach, None)), news)


def adjust(state: SharesState, by: int, at: Millis, lines: Lines = ()) -> Step[SharesState]:
    before = state.scene.roll
    if before is None:
        raise ValueError("nothing was rolled")
    result = before.rolled + by
    news = (*lines, say("shares.adjusted", before.seat, number=result)) if by else lines
    return _effect(state, replace(before, result=result), at, news)


def possible(state: SharesState, seat: Seat, number: int) -> bool:
    """Whether this number on the chart has any effect for the seat now (SSA-12)."""
    match number:
        case 1:
            return bool(targets(state, seat))
        case 3:
            return bool(state.deck or state.discard)
        case 4:
            return can_be_free(state, seat)
        case _:
            return number != 5


def _effect(state: SharesState, roll: Roll, at: Millis, lines: Lines) -> Step[SharesState]:
    """Apply the result of the roll."""
    seat, number = roll.seat, roll.result or roll.rolled
    scene, recent = replace(state.scene, roll=roll), replace(state.recent, roll=roll)
    after = replace(state, scene=scene, recent=recent)
    if not possible(after, seat, number):
        return settle(after, at, (*lines, say("shares.inVain", seat, number=number)))
    news = (*lines, say("shares.chance", seat, number=number))
    match number:
        case 1:
            return Step(decide(after, "chance1", seat, at), news)
        case 2:
            return Step(decide(after, "chance2", seat, at), news)
        case 3:
            return drawing.draw_by_chance(after, seat, drawing.CHANCE_DRAW, at, news)
        case 4:
            return Step(decide(after, "chance4", seat, at), news)
        case _:
            return Step(decide(after, "chance6", seat, at), news)


def pass_on(state: SharesState, seat: Seat, other: Seat, at: Millis, dice: Dice) -> Step[SharesState]:
    """Chance 6: another seat rolls unadjusted, rerolls 6s, and is subject to the effect (SSA-19, SSA-20)."""
    lines = [say("shares.passed", seat, other=other)]
    rolled = 1 + dice.below("die", SIDES)
    while rolled == SIDES:
        lines.append(say("shares.again", other, number=rolled))
        rolled = 1 + dice.below("die", SIDES)
    lines.append(say("shares.rolled", other, number=rolled))
    return _effect(state, Roll(other, rolled, 0, rolled), at, tuple(lines))


def peek_to_take(state: SharesState, seat: Seat, other: Seat, at: Millis) -> Step[SharesState]:
    """Chance 1: the seat sees the whole hand until it takes a card (1c)."""
    serial = state.serial + 1
    window = WindowId(f"take:{serial}")
    peek, timer, line = peeks.begin(window, "take", seat, other, "hand", TAKE_TIME, at)
    scene = replace(state.scene, kind="take", seat=seat, uses=0)
    after = replace(state, scene=scene, serial=serial, peek=peek, timer=timer, held=hold_turn(state, at))
    return Step(after, (line,))


def take(state: SharesState, seat: Seat, place: int, at: Millis) -> Step[SharesState]:
    """Chance 1: take a card from the hand being peeked at."""
    peek = state.peek
    if peek is None:
        raise ValueError("nobody is peeking")
    return _take(state, seat, peek.other, place, at)


def _take(state: SharesState, seat: Seat, other: Seat, place: int, at: Millis) -> Step[SharesState]:
    """Move a card to another hand; the two seats see which card, and the others only that one was taken."""
    card = state.hands[other][place]
    hands = replace_at(state.hands, other, remove_cards(state.hands[other], (card,)))
    hands = replace_at(hands, seat, sort_cards((*hands[seat], card)))
    ended = () if state.peek is None else (peeks.report_end(state.peek),)
    lines = (
        *ended,
        say("shares.took", seat, other=other),
        say("shares.tookCard", seat, frozenset({seat, other}), other=other, card=card),
    )
    return settle(replace(state, hands=hands), at, lines)


def swap(state: SharesState, seat: Seat, seats: tuple[int, ...], at: Millis) -> Step[SharesState]:
    """Chance 2: two hands change places."""
    first, second = seats
    hands = replace_at(state.hands, first, state.hands[second])
    hands = replace_at(hands, second, state.hands[first])
    line = LogLine("shares.swapped", {"seat": seat, "seats": [int(each) for each in seats]}, None)
    recent = replace(state.recent, swapped=tuple(map(Seat, seats)))
    return settle(replace(state, hands=hands, recent=recent), at, (line,))


# --- when time is up ---


def choose_default(state: SharesState, seat: Seat, at: Millis, dice: Dice) -> Step[SharesState]:
    """Choose a random card, two random hands or a random seat, or leave the roll as it is (1b)."""
    others = [Seat(other) for other in range(len(state.hands)) if other != seat]
    match state.scene.kind:
        case "adjust":
            return adjust(state, 0, at)
        case "chance1":
            some = targets(state, seat)
            return _take_any(state, seat, Seat(some[dice.below("target", len(some))]), at, dice)
        case "take" if state.peek is not None:
            return _take_any(state, seat, state.peek.other, at, dice)
        case "chance2":
            pair = dice.shuffle("pair", range(len(state.hands)))[:2]
            return swap(state, seat, pair, at)
        case "chance6":
            return pass_on(state, seat, others[dice.below("target", len(others))], at, dice)
        case kind:
            raise ValueError(f"{kind} is not a Chance decision")


def _take_any(state: SharesState, seat: Seat, other: Seat, at: Millis, dice: Dice) -> Step[SharesState]:
    return _take(state, seat, other, dice.below("take", len(state.hands[other])), at)


# --- the free action (SSA-16, SSA-17) ---


def free_cards(state: SharesState, seat: Seat) -> tuple[Card, ...]:
    """The cards a free action may play for their effect: no diamonds, so free actions never chain."""
    return tuple(card for card in state.hands[seat] if suit_of(card) != "D")


def free_royals(state: SharesState, seat: Seat) -> tuple[Card, ...]:
    """The cards that may open a market for free, which is possible only on the seat's own turn."""
    if not state.options.open_market or seat != active_of(state):
        return ()
    return tuple(card for card in state.hands[seat] if royal(card))
