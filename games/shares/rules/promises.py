"""What may be promised in Share and Share Alike: what a seat does in a round (R30).

Every promise names a round and ends with it. It is judged by the log lines and sections that everybody sees:
who raised and lowered which tower, who looked at whom, and who opened a market.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from games.api import (
    Choice,
    Domain,
    Judgement,
    LogLine,
    OneOf,
    Promise,
    PromiseEvent,
    PromiseRules,
    PublicView,
    Range,
    Seat,
)
from games.kit.offers import Decline
from games.kit.promises import TO, section
from games.shares.rules.moves import Add, Discard, Done, DrawUp, EndTurn, OpenMarket, Play, Remove
from games.shares.rules.pieces import ACTIONS, COMPANIES, suit_of
from games.shares.rules.values import Players, Scene, Stage, Towers

AHEAD: Final = 1
"""The number of rounds ahead that may be promised."""
INTRUSIONS: Final = ("peek.began", "shares.took")
"""Log lines about somebody who looks at another seat's secrets or takes its cards."""
PASSES: Final = ("shares.drawUp", "shares.out")
"""Log lines about somebody who gives all three actions away, for cards or for nothing."""

SPENDING: Final = ("shares.played", "shares.discarded", "shares.market")
"""Log lines about somebody who spends one action."""
ACTS: Final = (*PASSES, *SPENDING, "shares.free", "shares.added", "shares.removed", "shares.lapsed")
"""Log lines about what somebody does with actions, or leaves undone."""
NEEDING: Final = ("raise", "lower", "market")
"""What takes a card."""
SUITS: Final = {"raise": "H", "lower": "S"}
EFFECTS: Final = {"raise": "hearts", "lower": "spades"}
"""The prompts at which they are kept."""


class SharesPromises(PromiseRules):
    """What a seat does in a round.

    `raise` and `lower`: it adds a floor to this tower, or takes one off it. `help`: the next floor that it
    adds, if it adds one, is on this tower. `leave`: it takes no floor off this tower. `spare`: it does not
    look at the other seat's hand or tracker, nor take a card by Chance. `market`: it opens a market.

    Each of them lapses if the seat has no card when it draws up or drops out of the round with three actions.
    What needs a card can no longer be broken once somebody else has taken or swapped the seat's cards. Nor
    can what the towers do not allow when it spends its last action or card, nor `spare` by a seat that Chance
    leaves nobody else to take a card from. `leave` lapses if that tower has no floor all through the round.
    """

    kinds = ("raise", "help", "lower", "leave", "spare", "market")

    def choices(self, view: PublicView, seat: Seat) -> tuple[Choice, ...]:
        rounds = _list_rounds(view, seat)
        if rounds is None:
            return ()
        tower: dict[str, Domain] = {"company": OneOf(COMPANIES), "round": rounds}
        others = OneOf(tuple(each for each in range(_count_seats(view)) if each != seat))
        towers = tuple(Choice(kind, tower) for kind in ("raise", "help", "lower", "leave"))
        spare = Choice("spare", {TO: others, "round": rounds})
        market = (Choice("market", {"round": rounds}),) if "trades" in view else ()
        return (*towers, spare, *market)

    def judge(self, promise: Promise, event: PromiseEvent) -> Judgement | None:
        """Decided by what the seat did, whoever or whatever chose it: the clock does not excuse."""
        stage, this_round = section(event.before, "stage", Stage), _round_of(promise)
        if stage.round < this_round:
            return None
        decided = _judge_deeds(promise, event)
        if decided is not None:
            return decided
        if _had_no_card(promise.by, event):
            return "lapsed"
        is_past = event.over or section(event.after, "stage", Stage).round > this_round
        return _judge_inaction(promise, event) if is_past else None

    def breaks(self, promise: Promise, move: Any, view: PublicView) -> bool:
        """Whether it leaves no action, or no card, with which to do what takes a card, and does not do it.

        It is judged when the round ends; only a free action by Chance, or a tower that others remove, may
        still save it.
        """
        is_due = _round_of(promise) == section(view, "stage", Stage).round and not promise.hindered
        if not is_due or promise.kind not in NEEDING:
            return False
        return _leaves_nothing(promise.by, move, view) and not _may_keep(promise, move, view)

    def acts(self, promise: Promise, event: PromiseEvent) -> bool:
        """What the seat does with its actions in that round or, for `spare`, whom it looks at."""
        if section(event.before, "stage", Stage).round < _round_of(promise):
            return False
        keys = INTRUSIONS if promise.kind == "spare" else ACTS
        return any(line.key in keys for line in _list_own(promise.by, event))

    def hinders(self, promise: Promise, event: PromiseEvent) -> bool:
        if promise.kind not in NEEDING:
            return False
        if any(_robs(line, promise.by) for line in event.lines):
            return True
        if section(event.before, "stage", Stage).round < _round_of(promise):
            return False
        return _spends_last(promise.by, event) and not _could_keep(promise, event.before)

    def tempts(self, promise: Promise, event: PromiseEvent) -> bool:
        """Whether the tower that it leaves alone has a floor in that round."""
        if promise.kind != "leave" or section(event.before, "stage", Stage).round != _round_of(promise):
            return False
        return _has_floors(promise, event.before)

    def contradicts(self, promise: Promise, other: Promise, view: PublicView) -> bool:
        """A floor off a tower that is left alone, or the next floor on two towers."""
        kinds = {promise.kind, other.kind}
        if kinds not in ({"lower", "leave"}, {"help"}) or _round_of(promise) != _round_of(other):
            return False
        return (promise.terms["company"] == other.terms["company"]) == ("leave" in kinds)

    def standing(self, view: PublicView) -> tuple[int, ...]:
        """The cards in hand: shares are secret, so nothing else is counted for each seat."""
        return section(view, "players", Players).cards


def _count_seats(view: PublicView) -> int:
    return len(section(view, "players", Players).out)


def _list_rounds(view: PublicView, seat: Seat) -> Range | None:
    """The rounds that this seat may promise something for: it can still act in each of them."""
    stage, players = section(view, "stage", Stage), section(view, "players", Players)
    if stage.phase == "end":
        return None
    first = stage.round + (players.out[seat] or not players.actions[seat])
    last = min(stage.round + AHEAD, stage.rounds)
    return Range(first, last) if first <= last else None


def _judge_deeds(promise: Promise, event: PromiseEvent) -> Judgement | None:
    """What follows from what the seat did in this event; None if it did nothing that matters."""
    company = promise.terms.get("company")
    for line in _list_own(promise.by, event):
        args = line.args
        match promise.kind, line.key:
            case ("raise", "shares.added") | ("lower", "shares.removed") if args["company"] == company:
                return "kept"
            case "help", "shares.added":
                return "kept" if args["company"] == company else "broken"
            case "leave", "shares.removed" if args["company"] == company:
                return "broken"
            case "spare", key if key in INTRUSIONS and args["other"] in promise.to:
                return "lapsed" if _has_no_other_victim(promise, event.before) else "broken"
            case "market", "shares.market":
                return "kept"
            case _:
                continue
    return None


def _judge_inaction(promise: Promise, event: PromiseEvent) -> Judgement:
    """What follows from a round that ends without any of these deeds."""
    towers = section(event.before, "towers", Towers)
    match promise.kind:
        case "raise":
            return "lapsed" if towers.next is None else "broken"
        case "lower":
            return "broken" if _has_floors(promise, event.after) else "lapsed"
        case "leave":
            return "kept" if promise.tempted else "lapsed"
        case "help":
            return "lapsed"
        case "market":
            return "broken"
        case _:
            return "kept"


def _round_of(promise: Promise) -> int:
    this_round = promise.terms["round"]
    assert isinstance(this_round, int)
    return this_round


def _has_no_other_victim(promise: Promise, view: PublicView) -> bool:
    """Whether the seat must take a card by Chance, and only those it has promised to spare have one."""
    if section(view, "scene", Scene).kind != "chance1":
        return False
    cards = section(view, "players", Players).cards
    return not any(count for seat, count in enumerate(cards) if seat not in (promise.by, *promise.to))


def _robs(line: LogLine, seat: Seat) -> bool:
    """Whether somebody else takes one of this seat's cards, or its hand: it may be the one it needs."""
    args = line.args
    if line.key == "shares.took":
        return args["other"] == seat
    seats = args.get("seats")
    return (
        line.key == "shares.swapped"
        and args["seat"] != seat
        and not isinstance(seats, int | str | None)
        and seat in seats
    )


def _spends_last(seat: Seat, event: PromiseEvent) -> bool:
    """Whether the seat spends its last action or card on its turn, or gives the rest of its actions away."""
    if section(event.before, "scene", Scene).kind != "turn":
        return False
    before, after = section(event.before, "players", Players), section(event.after, "players", Players)
    is_last = before.actions[seat] == 1 or not after.cards[seat]
    keys = (*PASSES, *(SPENDING if is_last else ()))
    return any(line.key in keys for line in _list_own(seat, event))


def _leaves_nothing(seat: Seat, move: Any, view: PublicView) -> bool:
    """Whether the seat can play no more cards in this round, except by Chance, once it has made this move."""
    scene, players = section(view, "scene", Scene), section(view, "players", Players)
    cards = players.cards[seat]
    actions = 0 if players.out[seat] else players.actions[seat]
    is_paid = scene.kind == "turn"
    match move:
        case EndTurn():
            return not players.spent
        case DrawUp() if is_paid:
            return True
        case Discard(cards=given):
            return actions - is_paid <= 0 or cards <= len(given)
        case Play() | OpenMarket():
            return actions - is_paid <= 0 or cards <= 1
        case Add() | Remove() if scene.uses > 1:
            return False
        case Add() | Remove() | Done() | DrawUp() | Decline():
            return not (actions and cards)
        case _:
            return False


def _may_keep(promise: Promise, move: Any, view: PublicView) -> bool:
    """Whether this move, or what it leads to, may be what was promised.

    A diamond may lead to a free action if another card is left, or to cards if another action is. Whoever
    carries out a card of another suit has been told so when it was played.
    """
    match promise.kind, move:
        case _, Play(card=card) if suit_of(card) == "D":
            players = section(view, "players", Players)
            return max(players.cards[promise.by], players.actions[promise.by]) > 1
        case ("raise", Play(card=card)) | ("lower", Play(card=card)):
            return suit_of(card) == SUITS[promise.kind]
        case ("raise", Add(tower=tower)) | ("lower", Remove(tower=tower)):
            return tower == promise.terms["company"]
        case "market", OpenMarket():
            return True
        case _, Add() | Remove() | Done():
            return section(view, "scene", Scene).kind != EFFECTS.get(promise.kind)
        case _:
            return False


def _could_keep(promise: Promise, view: PublicView) -> bool:
    """Whether the towers allow what was promised."""
    towers = section(view, "towers", Towers)
    match promise.kind:
        case "raise":
            return towers.next is not None
        case "lower":
            return _has_floors(promise, view)
        case _:
            return True


def _has_floors(promise: Promise, view: PublicView) -> bool:
    """Whether the tower that it is about has any."""
    towers = section(view, "towers", Towers)
    return bool(towers.companies[_find_index(promise.terms["company"])].floors)


def _find_index(company: int | str) -> int:
    return next(index for index, name in enumerate(COMPANIES) if name == company)


def _had_no_card(seat: Seat, event: PromiseEvent) -> bool:
    """Whether the seat gives away all three actions in this event because it has no card to play."""
    players = section(event.before, "players", Players)
    is_empty = players.cards[seat] == 0 and players.actions[seat] == ACTIONS
    is_paid = section(event.before, "scene", Scene).kind == "turn"
    return is_empty and is_paid and any(line.key in PASSES for line in _list_own(seat, event))


def _list_own(seat: Seat, event: PromiseEvent) -> Iterator[LogLine]:
    """The log lines about what this seat did."""
    return (line for line in event.lines if line.args.get("seat") == seat)
