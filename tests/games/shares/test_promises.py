"""Promises in Share and Share Alike (R30): random ones against a second judge, and each kind by hand."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise, product
from typing import Any

import pytest
from msgspec.structs import replace

from games.api import (
    Dice,
    Judgement,
    LogLine,
    Millis,
    OneOf,
    Promise,
    PromiseEvent,
    PromptId,
    PublicView,
    Range,
    Seat,
    Step,
)
from games.kit.offers import Decline
from games.kit.promises import TO, judge, refuse, section, view_public
from games.shares.rules.game import SHARES, ShareAlike
from games.shares.rules.moves import (
    Add,
    Bidding,
    CloseMarket,
    Counter,
    Discard,
    Done,
    DrawUp,
    EndTurn,
    OpenMarket,
    Play,
    Propose,
    Select,
    SharesMove,
    Unlock,
)
from games.shares.rules.pieces import COMPANIES
from games.shares.rules.values import Players, Scene, SharesState, Stage, Towers
from games.testing.promises import Moment, check_promises
from hub.table.room import list_broken
from tests.games.shares.table import Table, position

GAMES = int(os.environ.get("PARLEY_PROMISE_GAMES", "40"))
RULES: Any = SHARES.promises
IDLE = (Discard, EndTurn, Done, Decline, Select, Bidding, Unlock, Propose, Counter, CloseMarket)
TRIES = 6


class BusyGame(ShareAlike):
    """The game with random players who mostly play cards, so that promises are kept as well as broken."""

    def sample(self, state: SharesState, seat: Seat, dice: Dice) -> tuple[PromptId, SharesMove] | None:
        sample = None
        for _ in range(TRIES):
            sample = super().sample(state, seat, dice)
            if sample is None or not isinstance(sample[1], IDLE):
                break
        return sample


# --- the second judge: it reads the public history from the promise to the end of the game ---


def list_events(moments: Sequence[Moment]) -> Iterator[tuple[int, LogLine, PublicView, PublicView]]:
    """The round of each line, as the lines tell it, with what was seen before and after its event."""
    number = section(moments[0].view, "stage", Stage).round
    for before, moment in pairwise(moments):
        for line in moment.lines:
            if line.key == "shares.round":
                yield number, LogLine("over", {}, None), before.view, moment.view
                number, before = int(str(line.args["round"])), moment
            elif line.key == "shares.won":
                yield number, LogLine("over", {}, None), before.view, moment.view
            else:
                yield number, line, before.view, moment.view


def judge_slowly(promise: Promise, moments: Sequence[Moment]) -> Judgement:
    wanted = promise.terms["round"]
    needs_card = promise.kind in ("raise", "lower", "market")
    is_free = could_lower = False
    for number, line, before, after in list_events(moments):
        if needs_card and is_robbed(promise.by, line, before, after):
            is_free = True
        if number == wanted:
            if needs_card and is_done(promise.by, before, after) and not is_possible(promise, before):
                is_free = True
            could_lower = could_lower or (promise.kind == "leave" and has_floors(promise, before))
            judgement = judge_line(promise, line, before, after)
            if (promise.kind, judgement) == ("leave", "kept") and not could_lower:
                return "lapsed"
            if judgement is not None:
                return "lapsed" if judgement == "broken" and is_free else judgement
    return "lapsed"


def is_robbed(by: int, line: LogLine, before: PublicView, after: PublicView) -> bool:
    """Whether a seat's hand has changed by somebody else's Chance: one card fewer, or another hand."""
    if line.args.get("seat") == by:
        return False
    if line.key == "shares.swapped":
        seats = line.args["seats"]
        assert isinstance(seats, Sequence)
        return by in seats
    then, now = (section(view, "players", Players).cards for view in (before, after))
    taker = line.args["seat"] if line.key == "shares.took" else None
    return isinstance(taker, int) and line.args["other"] == by and (not any(now) or then[by] == now[by] + 1)


def is_done(by: int, before: PublicView, after: PublicView) -> bool:
    """Whether a seat whose decision on its own turn this was can decide nothing more in this round."""
    stage, scene = section(before, "stage", Stage), section(before, "scene", Scene)
    if (stage.active, scene.kind) != (by, "turn"):
        return False
    now = section(after, "players", Players)
    has_nothing = not now.actions[by] or not now.cards[by] or now.out[by]
    return has_nothing or is_later(before, after) or section(after, "stage", Stage).phase == "end"


def is_possible(promise: Promise, view: PublicView) -> bool:
    towers = section(view, "towers", Towers)
    if promise.kind == "lower":
        return has_floors(promise, view)
    return promise.kind == "market" or sum(towers.supply) > 0


def has_floors(promise: Promise, view: PublicView) -> bool:
    towers = section(view, "towers", Towers)
    return len(towers.companies["ABCDE".index(str(promise.terms["company"]))].floors) > 0


def judge_line(promise: Promise, line: LogLine, before: PublicView, after: PublicView) -> Judgement | None:
    by, kind, args = promise.by, promise.kind, line.args
    tower = promise.terms.get("company")
    is_own = args.get("seat") == by
    if line.key == "over":
        if kind == "raise" and sum(section(before, "towers", Towers).supply) == 0:
            return "lapsed"
        if kind == "lower":
            floors = dict(zip(COMPANIES, section(after, "towers", Towers).companies, strict=True))
            return "broken" if len(floors[tower].floors) > 0 else "lapsed"  # type: ignore[index]
        ends: dict[str, Judgement] = {"raise": "broken", "market": "broken", "help": "lapsed"}
        return ends.get(kind, "kept")
    if is_own and line.key in ("shares.out", "shares.drawUp"):
        then, now = section(before, "players", Players), section(after, "players", Players)
        has_paid = line.key == "shares.out" or now.actions[by] != 3 or is_later(before, after)
        return "lapsed" if (then.cards[by], then.actions[by]) == (0, 3) and has_paid else None
    if not is_own:
        return None
    if line.key == "shares.added" and kind in ("raise", "help"):
        if args["company"] == tower:
            return "kept"
        return "broken" if kind == "help" else None
    if line.key == "shares.removed" and kind in ("lower", "leave") and args["company"] == tower:
        return "kept" if kind == "lower" else "broken"
    if line.key in ("peek.began", "shares.took") and kind == "spare":
        if (args["other"],) != promise.to:
            return None
        cards = section(before, "players", Players).cards
        others = sum(count for seat, count in enumerate(cards) if seat not in (by, *promise.to))
        is_forced = section(before, "scene", Scene).kind == "chance1" and others == 0
        return "lapsed" if is_forced else "broken"
    return "kept" if line.key == "shares.market" and kind == "market" else None


def is_later(before: PublicView, after: PublicView) -> bool:
    return section(after, "stage", Stage).round > section(before, "stage", Stage).round


def exclude(one: Promise, other: Promise, moment: Moment) -> bool:
    """Whether the second judge finds no deeds, in any order, with which both promises are kept."""
    now = section(moment.view, "stage", Stage).round
    shapes = [
        (promise.kind, promise.to, str(promise.terms.get("company", "A")), int(promise.terms["round"]) - now)
        for promise in (one, other)
    ]
    return not _list_ways(*shapes)


@cache
def _list_ways(*shapes: tuple[str, tuple[Seat, ...], str, int]) -> list[tuple[LogLine, ...]]:
    """What seat 0 may do in this round and the next to keep promises of these kinds, with the company and in
    how many rounds: two deeds at most."""
    view = view_public(SHARES, position("2H", "3H", "4H", built=("L",) * 5, round=2, openMarket=True))
    promises = [
        Promise("", Seat(0), to, kind, {"company": company, "round": 2 + ahead}, Millis(0), 0)
        for kind, to, company, ahead in shapes
    ]
    deeds = [LogLine("shares.market", {"seat": 0}, None)] + [
        LogLine(key, {"seat": 0, "company": company}, None)
        for key in ("shares.added", "shares.removed")
        for company in sorted({company for _, _, company, _ in shapes})
    ]
    ways = [(), *((deed,) for deed in deeds), *product(deeds, repeat=2)]
    ends = [LogLine("shares.round", {"round": number}, None) for number in (3, 4)]
    return [
        lines
        for way in ways
        for turn in range(len(way) + 1)
        for lines in [(*way[:turn], ends[0], *way[turn:], ends[1])]
        if all(
            judge_slowly(promise, [Moment(view, ()), Moment(view, lines)]) == "kept" for promise in promises
        )
    ]


@pytest.mark.parametrize("games", [18, pytest.param(GAMES, marks=pytest.mark.at_length)])
def test_random_promises_are_judged_as_by_a_second_judge(games: int) -> None:
    counts = check_promises(BusyGame(), judge_slowly, games, exclusion=exclude)
    for kind in RULES.kinds:
        assert {f"{kind} kept", f"{kind} broken", f"{kind} lapsed"} <= counts.keys(), counts
    assert {f"{kind} contradiction" for kind in ("help", "lower", "leave")} <= counts.keys(), counts


# --- by hand ---


class Vows:
    """A table at which promises are judged after each event."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.promises: tuple[Promise, ...] = ()

    def promise(self, by: int, kind: str, to: Sequence[int] = (), /, **terms: int | str) -> None:
        assert self.refused(by, kind, to, **terms) is None
        self.promises = (*self.promises, self._new(by, kind, to, terms))

    def refused(self, by: int, kind: str, to: Sequence[int] = (), /, **terms: int | str) -> str | None:
        view = view_public(SHARES, self.table.state)
        refusal = refuse(RULES, self.promises, view, self._new(by, kind, to, terms), self.table.seats)
        return None if refusal is None else refusal.code

    def _new(self, by: int, kind: str, to: Sequence[int], terms: Mapping[str, int | str]) -> Promise:
        number = len(self.promises)
        return Promise(f"{number}", Seat(by), tuple(map(Seat, to)), kind, terms, Millis(0), number)

    def do(self, seat: int, kind: str, tag: str, /, **fields: Any) -> None:
        self.after(lambda: self.table.do(seat, kind, tag, **fields))

    def expire(self) -> None:
        self.after(self.table.expire)

    def after(self, event: Any) -> None:
        before, count = self.table.state, len(self.table.lines)
        event()
        step = Step(self.table.state, tuple(self.table.lines[count:]))
        over = not self.table.prompts
        self.promises, _ = judge(SHARES, self.promises, before, step, over=over)

    def told(self, seat: int, move: SharesMove) -> list[str | None]:
        """The kinds of the promises that a move breaks, as its seat is told before it makes it."""
        state, kind = self.table.state, self.table.state.scene.kind
        prompt = next(prompt.id for prompt in self.table.prompts if prompt.kind == kind)
        broken = list_broken(SHARES, self.promises, state, Seat(seat), prompt, move, Millis(0))
        return [promise.kind for promise in self.promises if promise.id in broken]

    @property
    def judgements(self) -> list[str | None]:
        return [promise.judgement for promise in self.promises]


def vows(*hands: str, **given: Any) -> Vows:
    return Vows(Table(state=position(*hands, **given)))


def test_every_promise_names_a_round_in_which_its_seat_can_still_act() -> None:
    state = position("2H", "3H", "4H", actions=(3, 0, 1), round=4, openMarket=True)
    view = view_public(SHARES, state)
    assert [choice.move for choice in RULES.choices(view, 0)] == [*RULES.kinds]
    for choice in RULES.choices(view, 0):
        assert choice.fields["round"] == Range(4, 5)
    assert RULES.choices(view, 1)[0].fields["round"] == Range(5, 5)
    assert {choice.move: choice.fields for choice in RULES.choices(view, 2)}["spare"][TO] == OneOf((0, 1))


def test_a_seat_that_is_out_of_the_last_round_promises_nothing() -> None:
    state = position("2H", "3H", "4H", actions=(3, 0, 1), round=15)
    view = view_public(SHARES, state)
    assert not RULES.choices(view, 1)
    assert RULES.choices(view, 2)[0].fields["round"] == Range(15, 15)


def test_a_market_is_promised_only_where_there_are_markets() -> None:
    view = view_public(SHARES, position("2H", "3H", "4H"))
    assert "market" not in [choice.move for choice in RULES.choices(view, 0)]


def test_a_tower_is_raised_by_the_first_floor_on_it() -> None:
    table = vows("10H", "3H", "4H", round=2)
    table.promise(0, "raise", company="A", round=2)
    table.promise(0, "help", company="A", round=2)
    table.promise(1, "raise", company="A", round=2)
    table.do(0, "turn", "play", card="10H")
    assert table.judgements == [None, None, None]
    table.do(0, "hearts", "add", tower="B")
    assert table.judgements == [None, "broken", None]
    table.do(0, "hearts", "add", tower="A")
    assert table.judgements == ["kept", "broken", None]


def test_a_floor_that_somebody_else_adds_keeps_no_promise() -> None:
    table = vows("2H 3H", "4S", "5H", actions=(1, 1, 1), round=2)
    table.promise(1, "raise", company="A", round=2)
    table.promise(1, "help", company="A", round=2)
    table.do(0, "turn", "play", card="2H")
    table.do(0, "hearts", "add", tower="A")
    table.do(1, "turn", "discard", cards=["4S"])
    assert table.judgements == [None, None]
    table.do(2, "turn", "play", card="5H")
    table.do(2, "hearts", "add", tower="A")  # the round ends
    assert table.table.state.stage.round == 3
    assert table.judgements == ["broken", "lapsed"]


def test_a_promise_for_the_next_round_waits_for_it() -> None:
    table = vows("2H 3H", "4H", "5H", actions=(1, 0, 0), round=2)
    table.promise(0, "raise", company="A", round=3)
    table.do(0, "turn", "play", card="2H")
    table.do(0, "hearts", "add", tower="A")
    assert table.table.state.stage.round == 3
    assert table.judgements == [None]


def test_nobody_can_raise_a_tower_once_no_floor_is_left() -> None:
    full = ("L" * 20, "M" * 20, "S" * 20)
    table = vows("2H", "3H", "4H", built=full, actions=(1, 0, 0), round=2)
    table.promise(0, "raise", company="A", round=2)
    table.do(0, "turn", "play", card="2H")
    assert table.judgements == ["lapsed"]


def test_a_tower_is_lowered_or_left_alone() -> None:
    table = vows("10S", "3S", "4H", built=("LL", "L"), actions=(1, 1, 0), round=2)
    table.promise(0, "lower", company="A", round=2)
    table.promise(0, "leave", company="B", round=2)
    table.promise(0, "lower", company="A", round=3)
    table.promise(1, "leave", company="A", round=2)
    table.do(0, "turn", "play", card="10S")
    table.do(0, "spades", "remove", tower="A")
    assert table.judgements == ["kept", None, None, None]
    table.do(0, "spades", "remove", tower="B")
    assert table.judgements == ["kept", "broken", None, None]


def test_a_tower_cannot_be_both_lowered_and_left_alone() -> None:
    """Nor can two towers get the next floor; one can, and the other may be raised afterwards."""
    table = vows("10S", "3S", "4H", built=("LL", "L"), actions=(1, 1, 0), round=2)
    table.promise(0, "lower", company="A", round=2)
    assert table.refused(0, "leave", company="A", round=2) == "CONTRADICTION"
    table.promise(0, "help", company="A", round=2)
    assert table.refused(0, "help", company="B", round=2) == "CONTRADICTION"
    for kind, company, number in (
        ("leave", "B", 2),
        ("leave", "A", 3),
        ("lower", "B", 2),
        ("help", "B", 3),
        ("raise", "B", 2),
    ):
        assert table.refused(0, kind, company=company, round=number) is None
    table.promise(1, "leave", company="A", round=2)
    assert table.refused(1, "lower", company="A", round=2) == "CONTRADICTION"


def test_whoever_leaves_a_tower_alone_that_never_has_a_floor_has_kept_nothing() -> None:
    """One that somebody else takes the last floor off, or that gets one in time, could have been lowered."""
    table = vows("2S", "2H 3C", "4C", built=("L",), actions=(1, 2, 0), round=2)
    for company in "ABC":
        table.promise(1, "leave", company=company, round=3 if company == "C" else 2)
    table.promise(0, "leave", company="B", round=2)
    table.promise(0, "leave", company="C", round=2)
    table.do(0, "turn", "play", card="2S")
    table.do(0, "spades", "remove", tower="A")
    table.do(1, "turn", "play", card="2H")
    table.do(1, "hearts", "add", tower="B")
    assert table.judgements == [None] * 5
    table.do(1, "turn", "discard", cards=["3C"])
    assert table.table.state.stage.round == 3
    assert table.judgements == ["kept", "kept", None, "kept", "lapsed"]


def test_what_is_not_done_is_judged_when_the_round_ends() -> None:
    table = vows("9D", "3S", "4H", built=("L", "L"), actions=(1, 0, 0), round=2)
    table.promise(0, "lower", company="A", round=2)
    table.promise(0, "lower", company="C", round=2)
    table.promise(0, "leave", company="B", round=2)
    table.do(0, "turn", "discard", cards=["9D"])
    assert table.judgements == ["broken", "lapsed", "kept"]


def test_the_clock_excuses_nobody() -> None:
    table = vows("10H", "3S", "4H", built=("L",), actions=(1, 0, 0), round=2)
    table.promise(0, "raise", company="A", round=2)
    table.promise(0, "leave", company="A", round=2)
    table.do(0, "turn", "play", card="10H")
    table.expire()  # the uses lapse, and with them the round
    assert table.judgements == ["broken", "kept"]


def test_a_turn_that_runs_out_drops_the_seat_out_with_its_promises_open() -> None:
    table = vows("10H", "3S", "4H", actions=(3, 1, 0), round=2)
    table.promise(0, "raise", company="A", round=2)
    table.expire()
    assert table.table.state.turns.out[0]
    assert table.judgements == [None]  # Chance may still give it a free action
    table.do(1, "turn", "discard", cards=["3S"])
    assert table.judgements == ["broken"]


NEED_A_CARD: Sequence[tuple[str, Sequence[int], Mapping[str, str]]] = (
    ("raise", [], {"company": "A"}),
    ("lower", [], {"company": "B"}),
    ("market", [], {}),
)
NEED_NONE: Sequence[tuple[str, Sequence[int], Mapping[str, str]]] = (
    ("help", [], {"company": "A"}),
    ("leave", [], {"company": "C"}),
    ("spare", [1], {}),
)
GIVING_UP = pytest.mark.parametrize("move", [EndTurn(), DrawUp()])


def vow(kinds: Sequence[tuple[str, Sequence[int], Mapping[str, str]]], number: int, **given: Any) -> Vows:
    """Seat 0, on turn with two cards in round 2, promises this for a round; Beacon and Comet have a floor."""
    table = vows("2H KS", "3S", "4H", built=("", "L", "L"), round=2, openMarket=True, **given)
    for kind, to, terms in kinds:
        table.promise(0, kind, to, round=number, **terms)
    return table


@pytest.mark.parametrize("actions", [(3, 3, 3), (3, 0, 0)])
@GIVING_UP
def test_whoever_gives_all_actions_away_is_told_what_that_breaks(
    move: SharesMove, actions: tuple[int, ...]
) -> None:
    """Whether others still act or the round ends with it, it tells what the end of the round decides."""
    for kinds, told, judgements in (
        (NEED_A_CARD, ["raise", "lower", "market"], ["broken"] * 3),
        (NEED_NONE, [], ["lapsed", "kept", "kept"]),
    ):
        table = vow(kinds, 2, actions=actions)
        assert table.told(0, move) == told
        if isinstance(move, DrawUp):
            table.do(0, "turn", "drawUp")
            table.do(0, "draw", "done")
        while table.table.state.stage.round == 2:
            table.do(table.table.state.stage.active or 0, "turn", "endTurn")
        assert table.judgements == judgements


@pytest.mark.parametrize("actions", [(1, 3, 3), (3, 3, 3)])
@pytest.mark.parametrize(
    ("hand", "last", "told"),
    [
        ("2H", Play("2H"), ["lower", "market"]),
        ("KS", Play("KS"), ["raise", "market"]),
        ("KS", OpenMarket("KS"), ["raise", "lower"]),
        ("2C", Play("2C"), ["raise", "lower", "market"]),
        ("2H KS", Discard(("2H", "KS")), ["raise", "lower", "market"]),
    ],
)
def test_whoever_spends_the_last_action_or_card_is_told_what_that_breaks(
    actions: tuple[int, ...], hand: str, last: SharesMove, told: list[str]
) -> None:
    table = vows(hand, "3S", "4H", built=("", "L", "L"), round=2, openMarket=True, actions=actions)
    for kind, to, terms in NEED_A_CARD:
        table.promise(0, kind, to, round=2, **terms)
    assert table.told(0, last) == told


def test_whoever_has_an_action_and_a_card_left_is_told_nothing() -> None:
    table = vow(NEED_A_CARD, 2, actions=(2, 3, 3))
    for move in (Play("2H"), Play("KS"), Discard(("2H",)), OpenMarket("KS")):
        assert table.told(0, move) == []


@pytest.mark.parametrize(("hand", "told"), [("7D 2H", []), ("7D", ["raise", "lower", "market"])])
def test_a_diamond_may_still_lead_to_a_free_action_with_another_card(hand: str, told: list[str]) -> None:
    table = vows(hand, "3S", "4H", built=("", "L", "L"), round=2, openMarket=True, actions=(1, 3, 3))
    for kind, to, terms in NEED_A_CARD:
        table.promise(0, kind, to, round=2, **terms)
    assert table.told(0, Play("7D")) == told


def test_the_last_floor_of_the_last_card_is_told_to_break_what_it_leaves_undone() -> None:
    table = vows("10H", "3S", "4H", built=("", "L", "L"), actions=(1, 3, 3), round=2)
    table.promise(0, "raise", company="A", round=2)
    table.promise(0, "lower", company="B", round=2)
    assert table.told(0, Play("10H")) == ["lower"]
    table.do(0, "turn", "play", card="10H")
    assert table.told(0, Done()) == ["raise"]
    assert table.told(0, Add("B")) == []
    table.do(0, "hearts", "add", tower="B")
    assert table.told(0, Add("B")) == ["raise"]
    assert table.told(0, Add("A")) == []
    table.do(0, "hearts", "add", tower="C")
    while table.table.state.stage.round == 2:
        table.do(table.table.state.stage.active or 0, "turn", "endTurn")
    assert table.judgements == ["broken", "broken"]


def test_a_free_action_that_is_the_last_one_is_told_to_break_what_it_leaves_undone() -> None:
    table = vows("7D 2H 3C", "3S", "4H", round=2, actions=(1, 3, 3))
    table.promise(0, "raise", company="A", round=2)
    table.table.dice.roll(4)
    table.do(0, "turn", "play", card="7D")
    for move, told in ((Decline(), ["raise"]), (Discard(("3C",)), ["raise"]), (Play("2H"), [])):
        assert table.told(0, move) == told


def test_the_end_of_a_turn_that_keeps_actions_breaks_nothing() -> None:
    table = vow(NEED_A_CARD, 2)
    table.do(0, "turn", "discard", cards=["2H"])
    assert table.told(0, EndTurn()) == []
    table.do(0, "turn", "endTurn")
    assert table.judgements == [None] * 3
    assert not table.table.state.turns.out[0]


@GIVING_UP
def test_what_is_promised_for_the_next_round_is_not_broken_by_the_end_of_this_one(move: SharesMove) -> None:
    assert vow(NEED_A_CARD, 3).told(0, move) == []


@GIVING_UP
def test_whoever_cannot_keep_its_word_is_told_nothing(move: SharesMove) -> None:
    """It has no card, no floor to take off that tower or none to add to any."""
    for hand, built, kind in (
        ("", ("L",), "raise"),
        ("2S", (), "lower"),
        ("2H", ("L" * 20, "M" * 20, "S" * 20), "raise"),
    ):
        table = vows(hand, "3S", "4H", built=built, round=2)
        table.promise(0, kind, company="A", round=2)
        assert table.told(0, move) == []


def test_whoever_has_been_robbed_is_told_nothing() -> None:
    table = vows("2H 3C 4C", "7D", "4H", actions=(3, 1, 0), round=2)
    table.promise(0, "raise", company="A", round=2)
    table.do(0, "turn", "discard", cards=["3C"])
    table.do(0, "turn", "endTurn")
    table.table.dice.roll(1)
    table.do(1, "turn", "play", card="7D")
    table.do(1, "chance1", "target", seat=0)
    table.do(1, "take", "take", place=0)
    assert table.told(0, EndTurn()) == []


def test_a_free_draw_gives_no_action_away() -> None:
    table = vows("7D 2H", "3S", "4H", round=2, chance4Draw=True)
    table.promise(0, "raise", company="A", round=2)
    table.table.dice.roll(4)
    table.do(0, "turn", "play", card="7D")
    assert table.told(0, DrawUp()) == []


@pytest.mark.parametrize("move", ["drawUp", "endTurn"])
def test_a_seat_without_a_card_had_no_occasion(move: str) -> None:
    table = vows("", "3S", "4H", built=("L",), round=2, openMarket=True)
    table.promise(0, "raise", company="A", round=2)
    table.promise(0, "leave", company="A", round=2)
    table.promise(0, "market", round=2)
    table.do(0, "turn", move)
    assert table.judgements == ["lapsed"] * 3


def test_a_seat_with_a_card_that_draws_up_has_broken_its_word() -> None:
    table = vows("2H", "3S", "4H", actions=(3, 0, 0), round=2)
    table.promise(0, "raise", company="A", round=2)
    table.do(0, "turn", "drawUp")
    table.do(0, "draw", "done")
    assert table.judgements == ["broken"]


def test_a_free_draw_is_no_end_of_the_round_for_a_seat() -> None:
    """Chance 6 and 4: a seat with three actions and no card draws up for free, and can still play."""
    table = vows("7D", "", "4H", round=2, chance4Draw=True)
    table.promise(1, "raise", company="A", round=2)
    table.table.dice.roll(6, 4)
    table.do(0, "turn", "play", card="7D")
    table.do(0, "chance6", "target", seat=1)
    table.do(1, "chance4", "drawUp")
    assert table.judgements == [None]


def test_a_seat_is_spared_unless_it_is_looked_at_or_robbed() -> None:
    table = vows("10C", "3S", "4H", round=2)
    table.promise(0, "spare", [1], round=2)
    table.promise(0, "spare", [2], round=2)
    table.do(0, "turn", "play", card="10C")
    table.do(0, "clubs", "spy", seat=1, what="hand")
    assert table.judgements == ["broken", None]


def test_the_clock_may_take_a_card_for_a_seat() -> None:
    """Chance 1, by default: a random card of a random seat, without a look."""
    table = vows("7D", "3S", "4H", round=2)
    table.promise(0, "spare", [1], round=2)
    table.promise(0, "spare", [2], round=2)
    table.table.dice.roll(1)
    table.do(0, "turn", "play", card="7D")
    table.expire()
    assert sorted(map(str, table.judgements)) == ["None", "broken"]


@pytest.mark.parametrize("hand", ["", "4H"])
def test_whom_chance_leaves_nobody_else_to_rob_has_broken_no_promise(hand: str) -> None:
    """Chance 6 and 1: seat 0 rolls for seat 1, and everybody else has no card."""
    table = vows("7D", "3S", hand, round=2)
    table.promise(1, "spare", [0], round=2)
    table.table.dice.roll(6, 1)
    table.do(0, "turn", "play", card="7D")
    table.table.state = replace(table.table.state, hands=(("2C",), ("3S",), table.table.state.hands[2]))
    table.do(0, "chance6", "target", seat=1)
    table.do(1, "chance1", "target", seat=0)
    assert table.judgements == ["broken" if hand else "lapsed"]


@pytest.mark.parametrize("number", [1, 2])
def test_whoever_loses_cards_to_somebody_else_can_no_longer_break_what_takes_a_card(number: int) -> None:
    table = vows("2H 3C", "7D", "4H", actions=(2, 1, 0), round=2, openMarket=True)
    for kind, terms in (("raise", {"company": "A"}), ("market", {}), ("help", {"company": "A"})):
        table.promise(0, kind, round=2, **terms)
    table.do(0, "turn", "discard", cards=["3C"])
    table.do(0, "turn", "endTurn")
    table.table.dice.roll(number)
    table.do(1, "turn", "play", card="7D")
    if number == 1:
        table.do(1, "chance1", "target", seat=0)
        table.do(1, "take", "take", place=0)
    else:
        table.do(1, "chance2", "swap", seats=[0, 2])
        table.do(0, "turn", "discard", cards=["4H"])
    assert table.table.state.stage.round == 3
    assert table.judgements == ["lapsed"] * 3


def test_a_tower_that_was_gone_at_the_last_action_is_not_left_standing() -> None:
    table = vows("2S", "3C", "2H", built=("L",), actions=(1, 1, 1), round=2)
    table.promise(1, "lower", company="A", round=2)
    table.promise(2, "lower", company="A", round=2)
    table.do(0, "turn", "play", card="2S")
    table.do(0, "spades", "remove", tower="A")
    table.do(1, "turn", "discard", cards=["3C"])
    table.do(2, "turn", "play", card="2H")
    table.do(2, "hearts", "add", tower="A")
    assert table.table.state.stage.round == 3
    assert table.judgements == ["lapsed", "lapsed"]


def test_a_deed_is_what_a_seat_does_with_its_actions() -> None:
    """A trade is no deed, and a look at cards is one for `spare` only."""
    view = view_public(SHARES, position("2H", "3S", "4H", round=2))
    raising = Promise("a", Seat(0), (), "raise", {"company": "A", "round": 2}, Millis(0), 0)
    sparing = Promise("b", Seat(0), (Seat(1),), "spare", {"round": 2}, Millis(0), 0)
    later = replace(raising, terms={"company": "A", "round": 3})
    for key, expected in (
        ("shares.discarded", [True, False, False]),
        ("shares.traded", [False, False, False]),
        ("peek.began", [False, True, False]),
    ):
        line = LogLine(key, {"seat": 0, "other": 1}, None)
        event = PromiseEvent(view, view, (line,), over=False)
        assert [RULES.acts(promise, event) for promise in (raising, sparing, later)] == expected


def test_a_market_keeps_its_promise_even_if_nobody_trades() -> None:
    table = vows("KD", "3S", "4H", round=2, openMarket=True)
    table.promise(0, "market", round=2)
    table.promise(1, "market", round=2)
    table.do(0, "turn", "openMarket", card="KD")
    assert table.judgements == ["kept", None]


def test_towers_that_tie_are_judged_by_their_floors_alone() -> None:
    table = vows("2H", "3S", "4H", built=("L", "L"), actions=(1, 0, 0), round=15)
    table.promise(0, "raise", company="A", round=15)
    table.promise(0, "lower", company="B", round=15)
    table.do(0, "turn", "play", card="2H")
    table.do(0, "hearts", "add", tower="B")  # the game is over
    assert not table.table.prompts
    assert table.judgements == ["broken", "broken"]


def test_the_standing_counts_the_cards_in_hand() -> None:
    assert RULES.standing(view_public(SHARES, position("2H 3H", "4H", ""))) == (2, 1, 0)
