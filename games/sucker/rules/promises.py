"""What may be promised in So Long Sucker, until the round ends (R30).

Each promise is decided by its next occasion; one whose occasion can no longer come has lapsed, and so has one
that could not be broken. The clock excuses nobody: its default moves are judged like all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from games.api import (
    Argument,
    Choice,
    Judgement,
    OneOf,
    Promise,
    PromiseEvent,
    PromiseRules,
    PublicView,
    Seat,
)
from games.kit.promises import TO, section
from games.sucker.rules.values import KINDS, Colour, Hands, Stage
from games.sucker.rules.views import Answer, Cards, Piles, Rescue

CAPTURES: Final = KINDS.count("capture")
"""The number of capture cards in the stack."""
PAST: Final = ("review", "end")
"""The phases after the end of a round."""


class SuckerPromises(PromiseRules):
    """`pass_move`: the next time I may choose you to have the move, I will. `save`: the next time you are in
    need and I am asked, I give you a chip. `spare_pile`: the next chip I place does not capture this pile.
    `spare_chips`: the next time I capture a pile with your chips in it, I kill none of them.
    """

    kinds = ("pass_move", "save", "spare_pile", "spare_chips")

    def choices(self, view: PublicView, seat: Seat) -> tuple[Choice, ...]:
        """Only living seats promise anything, and only to living seats."""
        stage = section(view, "stage", Stage)
        if stage.phase in PAST or not stage.alive[seat]:
            return ()
        to = {TO: OneOf(tuple(other for other, alive in enumerate(stage.alive) if alive and other != seat))}
        choices = [Choice("pass_move", to), Choice("save", to), Choice("spare_chips", to)]
        piles = tuple(pile.id for pile in section(view, "piles", Piles).piles)
        if piles:
            choices.insert(2, Choice("spare_pile", {"pile": OneOf(piles)}))
        return tuple(choices)

    def judge(self, promise: Promise, event: PromiseEvent) -> Judgement | None:
        match promise.kind:
            case "pass_move":
                judgement = _judge_pass(promise, event)
            case "save":
                judgement = _judge_rescue(promise, event)
            case "spare_pile":
                judgement = _judge_pile(promise, event)
            case _:
                judgement = _judge_kill(promise, event)
        return judgement or ("lapsed" if _is_past(promise, event.after) else None)

    def acts(self, promise: Promise, event: PromiseEvent) -> bool:
        """Like all games, and the clock refuses for several seats in one line."""
        refused = _list_args(event, "sucker.autoRefused")
        return super().acts(promise, event) or any(promise.by in _read_seats(args) for args in refused)

    def standing(self, view: PublicView) -> tuple[int, ...]:
        """The chips in its hand, as its seat shows them."""
        return tuple(map(sum, section(view, "hands", Hands).chips))


def _is_past(promise: Promise, view: PublicView) -> bool:
    """Whether its occasion can no longer come."""
    stage = section(view, "stage", Stage)
    if stage.phase in PAST or not stage.alive[promise.by]:
        return True
    if promise.kind == "spare_pile":
        return all(pile.id != promise.terms["pile"] for pile in section(view, "piles", Piles).piles)
    return not stage.alive[promise.to[0]]


def _read_seats(args: Mapping[str, Argument]) -> Sequence[object]:
    seats = args["seats"]
    assert isinstance(seats, Sequence)
    return seats


def _list_args(event: PromiseEvent, *keys: str) -> Iterator[Mapping[str, Argument]]:
    """The arguments of the lines with these keys, in order."""
    return (line.args for line in event.lines if line.key in keys)


def _judge_pass(promise: Promise, event: PromiseEvent) -> Judgement | None:
    """A move that a pile leaves to nobody else counts as given, but not as withheld."""
    by, to = promise.by, promise.to[0]
    if any(args["seat"] == by and args["other"] == to for args in _list_args(event, "sucker.only")):
        return "kept"
    stage = section(event.before, "stage", Stage)
    if stage.phase != "choose" or stage.mover != by or to not in stage.next:
        return None
    for args in _list_args(event, "sucker.gave", "sucker.kept"):
        return "kept" if args.get("other") == to else "broken"
    return None


def _judge_rescue(promise: Promise, event: PromiseEvent) -> Judgement | None:
    """Whoever parts with its last prisoners otherwise while it is asked has refused, too.

    The promise lapses if somebody else is faster, unless the seat has refused by then.
    """
    by, to = promise.by, promise.to[0]
    answer = _find_answer(event.before, by, to)
    if answer is None:
        return None
    for args in _list_args(event, "sucker.transferred"):
        if args["seat"] == by and args["other"] == to:
            return "kept"
    if any(args["seat"] == to for args in _list_args(event, "sucker.fell")):
        return "broken"
    if any(args["seat"] == to for args in _list_args(event, "sucker.rescued")):
        return "broken" if answer.refused else "lapsed"
    return None if _find_answer(event.after, by, to) is not None else "broken"


def _find_answer(view: PublicView, seat: Seat, needy: Seat) -> Answer | None:
    """The answer of a seat that is asked to save another; None if it is not asked."""
    if "rescue" not in view:
        return None
    rescue = section(view, "rescue", Rescue)
    if rescue.needy != needy:
        return None
    return next((answer for answer in rescue.answers if answer.seat == seat), None)


def _judge_pile(promise: Promise, event: PromiseEvent) -> Judgement | None:
    """It is not broken by another seat that places a chip of the promising seat's colour (SLS-7).

    It lapses if the seat places a chip while it could not take the pile.
    """
    by, pile = promise.by, promise.terms["pile"]
    if all(args["seat"] != by for args in _list_args(event, "sucker.opened", "sucker.placed")):
        return None
    captures = _list_args(event, "sucker.captured", "sucker.capturedByCard", "sucker.pileDied")
    if any(args["seat"] == by and args["pile"] == pile for args in captures):
        return "broken"
    return "kept" if _could_take(event.before, by, pile) else "lapsed"


def _could_take(view: PublicView, seat: Seat, pile: Argument) -> bool:
    """Whether a seat had, for all everybody knows, a chip that captures or kills this pile."""
    chips = section(view, "hands", Hands).chips[seat]
    shown = next((one for one in section(view, "piles", Piles).piles if one.id == pile), None)
    if shown is None:
        return False
    whats = {colour: outlook.what for colour, outlook in enumerate(shown.outlook) if chips[colour]}
    return any(
        what == "dies" or (what == "capture" and (colour == seat or _may_have_card(view, seat, colour)))
        for colour, what in whats.items()
    )


def _may_have_card(view: PublicView, seat: Seat, token: Colour) -> bool:
    """Whether a seat may hold a capture card that names this one."""
    if "cards" not in view:
        return False
    cards = section(view, "cards", Cards).cards
    is_left = sum((card.status, card.kind) == ("played", "capture") for card in cards) < CAPTURES
    return any(
        (card.owner, card.token, card.status) == (seat, token, "held")
        and (is_left if card.kind is None else card.kind == "capture")
        for card in cards
    )


def _judge_kill(promise: Promise, event: PromiseEvent) -> Judgement | None:
    """A pile that dies takes all its chips with it, so whoever places the chip has killed them."""
    by, to = promise.by, promise.to[0]
    for args in _list_args(event, "sucker.pileDied"):
        if args["seat"] == by and to in _list_chips(event.before, args["pile"]):
            return "broken"
    for args in _list_args(event, "sucker.killed"):
        if args["seat"] != by:
            continue
        if args["colour"] == to:
            return "broken"
        stage = section(event.before, "stage", Stage)
        return "kept" if to in _list_chips(event.before, stage.pile) else None
    return None


def _list_chips(view: PublicView, pile: Argument) -> tuple[Colour, ...]:
    """The chips in a pile; none if it does not exist."""
    piles = section(view, "piles", Piles).piles
    return next((shown.chips for shown in piles if shown.id == pile), ())
