"""What may be promised in Takeover: picks, mergers, trades, passes, and coins to keep (R30).

Numbers of picks and turns are those that players see: they begin with 1. The turns in a promise are turns of
the seat that makes it. Only that seat can break it: what others made impossible has lapsed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from games.api import (
    Choice,
    Judgement,
    LogLine,
    OneOf,
    Promise,
    PromiseEvent,
    PromiseRules,
    PublicView,
    Range,
    Refusal,
    Seat,
)
from games.kit.promises import TO, section
from games.takeover.rules.values import (
    NAMES,
    Board,
    Deals,
    Draft,
    Holdings,
    Mergers,
    Name,
    Reckoning,
    Stage,
    value_of,
)
from games.takeover.texts import OFFER_OPEN

TURNS_AHEAD: Final = 3
"""The number of its own turns for which a seat may promise something."""
MAX_GIVEN: Final = 4
"""The most coins that a seat may promise to give."""
MERGED: Final = frozenset({"takeover.merged", "takeover.special"})
IDLE: Final = frozenset({"takeover.passed", "takeover.auto"})
"""The lines about a turn without a merger, by choice or because time ran out."""
TRADED: Final = "takeover.traded"
SWAPPED: Final = "takeover.swapped"


class TakeoverPromises(PromiseRules):
    """`pick`: a coin of this value as this pick.

    Until this turn is over: `spare`, not to cover this company, for longer than the seat's current turn,
    since that alone would cost it nothing; `cover`, to cover it; `grow`, to put it on top of another one;
    `give`, to hand over at least this many coins more than come back in one trade; `embargo`, not to trade
    with one seat. `pass`: no merger on this turn. `hold`: to have this coin at the end.

    `cover` and `grow` lapse if no merger of stacks that touch allows it on the last of these turns; what cash
    the seat has is its own affair. `give` is kept or lapses: only the two know what was offered and declined.

    If the clock passes or picks for a seat, that counts like its own move.
    """

    kinds = ("pick", "spare", "cover", "grow", "pass", "give", "embargo", "hold")

    def choices(self, view: PublicView, seat: Seat) -> tuple[Choice, ...]:
        match section(view, "stage", Stage).phase:
            case "draft":
                return tuple(_offer_picks(section(view, "draft", Draft), seat))
            case "flip":
                return tuple(_offer_holding(view))
            case "play":
                return tuple(_offer_turns(view, seat))
            case "end":
                return ()

    def judge(self, promise: Promise, event: PromiseEvent) -> Judgement | None:
        """Decided as soon as it is certain; lapsed if the company or value is gone before its occasion."""
        match promise.kind:
            case "pick":
                return _judge_pick(promise, event)
            case "hold":
                return _judge_holding(promise, event) if event.over else None
            case "give" | "embargo":
                return _judge_trade(promise, event)
            case _:
                return _judge_turn(promise, event)

    def acts(self, promise: Promise, event: PromiseEvent) -> bool:
        """A turn, a pick, or a trade: for `hold`, only what may have cost the seat the coin."""
        if promise.kind in ("hold", "embargo", "give") and any(
            promise.by in (by, to) and (promise.kind == "hold" or {by, to} == {promise.by, *promise.to})
            for by, to, _, _ in _list_trades(event.lines)
        ):
            return True
        if promise.kind == "pick":
            return super().acts(promise, event)
        line = _find_turn_line(event.lines)
        if line is None or line.args["seat"] != promise.by or promise.kind == "embargo":
            return False
        return promise.kind != "hold" or _has_spent(event, value_of(_name(promise)))

    def refuse(self, promise: Promise, private: PublicView) -> Refusal | None:
        """An embargo is no promise while the seat's own offer stands: the other could accept it."""
        if promise.kind != "embargo" or "deals" not in private:
            return None
        deals = section(private, "deals", Deals).deals
        return OFFER_OPEN if any(deal.by == promise.by and deal.to in promise.to for deal in deals) else None

    def contradicts(self, promise: Promise, other: Promise, view: PublicView) -> bool:
        return _excludes(promise, other, view) or _excludes(other, promise, view)

    def standing(self, view: PublicView) -> tuple[int, ...]:
        """The number of coins: what they are worth is concealed, and so what a broken promise cost."""
        if "reckoning" in view:
            return tuple(map(len, section(view, "reckoning", Reckoning).hands))
        return section(view, "holdings", Holdings).counts


# --- what may be promised ---


def _offer_picks(draft: Draft, seat: Seat) -> Iterator[Choice]:
    """A pick of a value that is still on the table, as the seat's next pick."""
    done = len(draft.picks)
    number = next((at for at, picker in enumerate(draft.order) if at >= done and picker == seat), None)
    if number is not None:
        values = tuple(value for value, count in enumerate(draft.left) if count)
        yield Choice("pick", {"value": OneOf(values), "number": OneOf((number + 1,))})


def _offer_holding(view: PublicView) -> Iterator[Choice]:
    """Any coin that is not known to be out of play; all of them may be."""
    spent = section(view, "holdings", Holdings).spent
    names = tuple(name for name in NAMES if spent.count(value_of(name)) < 4)
    if names:
        yield Choice("hold", {"coin": OneOf(names)})


def _offer_turns(view: PublicView, seat: Seat) -> Iterator[Choice]:
    counts = section(view, "holdings", Holdings).counts
    stage = section(view, "stage", Stage)
    numbers = list_turns(stage, seat, len(counts))
    turns = OneOf(numbers)
    companies = OneOf(tuple(sorted(_list_companies(view), key=NAMES.index)))
    later = numbers[1:] if numbers[0] == stage.number + 1 else numbers
    yield Choice("spare", {"coin": companies, "turn": OneOf(later)})
    for kind in ("cover", "grow"):
        yield Choice(kind, {"coin": companies, "turn": turns})
    yield Choice("pass", {"turn": turns})
    if "trades" in view:
        others = OneOf(tuple(other for other in range(len(counts)) if other != seat))
        if counts[seat]:
            count = Range(1, min(counts[seat], MAX_GIVEN))
            yield Choice("give", {TO: others, "count": count, "turn": turns})
        yield Choice("embargo", {TO: others, "turn": turns})
    yield from _offer_holding(view)


def list_turns(stage: Stage, seat: int, seats: int) -> tuple[int, ...]:
    """The numbers of a seat's next turns, beginning with the current one if it is the seat's."""
    wait = (seat - stage.first - stage.number) % seats
    return tuple(stage.number + wait + ahead * seats + 1 for ahead in range(TURNS_AHEAD))


def _excludes(one: Promise, other: Promise, view: PublicView) -> bool:
    """Whether what keeps the first promise breaks the second. A turn has one merger, and a pick one coin."""
    first, second = one.terms, other.terms
    match one.kind, other.kind:
        case "pick", "pick":
            return first["number"] == second["number"] and first["value"] != second["value"]
        case "cover", "spare":
            return first["coin"] == second["coin"] and int(first["turn"]) <= int(second["turn"])
        case "give", "embargo":
            return one.to == other.to and int(first["turn"]) <= int(second["turn"])
        case "cover" | "grow", "pass":
            return _is_due_next(one, view) and _is_due_next(other, view)
        case "grow", "spare" if first["coin"] != second["coin"]:
            return _are_the_last(view) and int(first["turn"]) <= int(second["turn"])
        case "cover", "grow" if first["coin"] == second["coin"]:
            return _is_due_next(one, view) or _are_the_last(view)
        case "cover" | "grow", "cover" | "grow" if (first["coin"] == second["coin"]) != (
            one.kind == other.kind
        ):
            return (_is_due_next(one, view) and _is_due_next(other, view)) or _are_the_last(view)
        case _:
            return False


def _is_due_next(promise: Promise, view: PublicView) -> bool:
    """Whether a promise ends with the next turn of its seat."""
    seats = len(section(view, "holdings", Holdings).counts)
    return promise.terms["turn"] == list_turns(section(view, "stage", Stage), promise.by, seats)[0]


def _are_the_last(view: PublicView) -> bool:
    """Whether only two companies are left, of which one can grow, and only by covering the other."""
    return len(_list_companies(view)) == 2


# --- what becomes of it ---


def _judge_pick(promise: Promise, event: PromiseEvent) -> Judgement | None:
    before, after = section(event.before, "draft", Draft), section(event.after, "draft", Draft)
    number, value = int(promise.terms["number"]), int(promise.terms["value"])
    if len(after.picks) >= number:
        if after.picks[number - 1].value == value:
            return "kept"
        return "broken" if before.left[value] else "lapsed"
    return None if after.left[value] else "lapsed"


def _judge_holding(promise: Promise, event: PromiseEvent) -> Judgement:
    hand = section(event.after, "reckoning", Reckoning).hands[promise.by]
    return "kept" if any(coin.name == promise.terms["coin"] for coin in hand) else "broken"


def _judge_turn(promise: Promise, event: PromiseEvent) -> Judgement | None:
    """`spare`, `cover`, `grow` and `pass`, by the line about a turn."""
    line = _find_turn_line(event.lines)
    if line is None:
        return None
    is_own = line.args["seat"] == promise.by
    is_last = is_own and section(event.before, "stage", Stage).number + 1 == promise.terms["turn"]
    merges = line.key in MERGED
    if promise.kind == "pass":
        return None if not is_last else "broken" if merges else "kept"
    coin = promise.terms["coin"]
    part = line.args["source" if promise.kind == "grow" else "onto"] if merges else None
    if is_own and part == coin:
        return "broken" if promise.kind == "spare" else "kept"
    if coin not in _list_companies(event.after):
        if promise.kind == "spare" and is_last:
            return "kept"
        return "broken" if is_own else "lapsed"  # who swallows a company cannot let it grow
    if not is_last:
        return None
    if promise.kind == "spare":
        return "kept"
    return "broken" if could_keep(promise, event.before) else "lapsed"


def could_keep(promise: Promise, view: PublicView) -> bool:
    """Whether stacks that touch allow `cover` or `grow` as promised, at a price that the coins may pay."""
    has_coins = section(view, "holdings", Holdings).counts[promise.by] > 0
    place = ("grow", "cover").index(promise.kind)
    return any(
        merger.touch
        and merger.pair.split(">")[place] == promise.terms["coin"]
        and (has_coins or not merger.cost)
        for merger in section(view, "mergers", Mergers).mergers
    )


def _name(promise: Promise) -> Name:
    return next(name for name in NAMES if name == promise.terms["coin"])


def _has_spent(event: PromiseEvent, value: int) -> bool:
    """Whether a coin of this value has gone out of play; at the end of the game, one may have."""
    if "holdings" not in event.after:
        return True
    spent = section(event.after, "holdings", Holdings).spent
    return spent.count(value) > section(event.before, "holdings", Holdings).spent.count(value)


def _judge_trade(promise: Promise, event: PromiseEvent) -> Judgement | None:
    """`give` and `embargo`. Nobody else sees whether the other seat has declined what it was promised."""
    for by, to, gave, got in _list_trades(event.lines):
        if {by, to} == {promise.by, *promise.to}:
            if promise.kind == "embargo":
                return "broken"
            if (gave - got if by == promise.by else got - gave) >= int(promise.terms["count"]):
                return "kept"
    line = _find_turn_line(event.lines)
    if line is None or line.args["seat"] != promise.by:
        return None
    if section(event.before, "stage", Stage).number + 1 != promise.terms["turn"]:
        return None
    return "kept" if promise.kind == "embargo" else "lapsed"


def _find_turn_line(lines: Sequence[LogLine]) -> LogLine | None:
    """The line about the turn that has ended with an event, if one has."""
    return next((line for line in lines if line.key in MERGED | IDLE), None)


def _list_trades(lines: Sequence[LogLine]) -> Iterator[tuple[int, int, int, int]]:
    """Each trade: the two seats, and the number of coins that either gave."""
    for line in lines:
        if line.key == TRADED:
            yield _number(line, "seat"), _number(line, "other"), _number(line, "gave"), _number(line, "got")
        elif line.key == SWAPPED:
            yield _number(line, "seat"), _number(line, "other"), _count(line, "give"), _count(line, "back")


def _number(line: LogLine, name: str) -> int:
    value = line.args[name]
    assert isinstance(value, int)
    return value


def _count(line: LogLine, name: str) -> int:
    value = line.args[name]
    assert not isinstance(value, int | str | None)
    return len(value)


def _list_companies(view: PublicView) -> frozenset[Name]:
    return frozenset(stack.tiles[-1] for stack in section(view, "board", Board).stacks if stack is not None)
