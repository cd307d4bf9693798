"""Promises in Almost (R30): random ones against a second judge, and each kind by hand."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest

from games.almost.rules.game import ALMOST
from games.almost.rules.values import AlmostState, Lock, Plans, Stage
from games.api import (
    Choice,
    Domain,
    Judgement,
    LogLine,
    Millis,
    NewPromise,
    Outcome,
    Promise,
    Range,
    Seat,
    Step,
)
from games.dice import Dice
from games.kit.promises import judge, refuse, section, view_public
from games.testing.promises import Moment, check_promises
from tests.games.hand_table import HandTable

GAMES = int(os.environ.get("PARLEY_PROMISE_GAMES", "40"))


def judge_slowly(promise: Promise, moments: Sequence[Moment]) -> Judgement:
    """Reads the line that reveals the promised round, and the plans at that moment."""
    for number, moment in enumerate(moments):
        for line in moment.lines:
            if line.key == "almost.revealed" and line.args["round"] == promise.terms["round"]:
                bids = line.args["bids"]
                assert isinstance(bids, list)
                is_same = bids[promise.by] == promise.terms["number"]
                if is_same == (promise.kind == "bid"):
                    return "kept"
                return "lapsed" if was_asked(promise, bids, moments[: number + 1]) else "broken"
    return "lapsed"


def was_asked(promise: Promise, bids: list[int], moments: Sequence[Moment]) -> bool:
    """Whether all those it was made to have chosen one plan since, which asks for what its maker has bid.

    Reads who has chosen what from the log: what its first moment tells was before the promise.
    """
    others = set(promise.to) if promise.to else set(range(len(bids))) - {promise.by}
    choice: dict[object, object] = {}
    for moment in moments[1:]:
        for line in moment.lines:
            if line.key == "almost.round":
                choice = {}
            elif line.key in ("almost.proposed", "almost.agreed"):
                choice[line.args["seat"]] = line.args["plan"]
            elif line.key == "almost.withdrew":
                choice[line.args["seat"]] = None
    choices = {choice.get(seat) for seat in others}
    plans = section(moments[-1].view, "plans", Plans).plans if choices - {None} else ()
    return any(choices == {plan.number} and plan.bids[promise.by] == bids[promise.by] for plan in plans)


def exclude(one: Promise, other: Promise, moment: Moment) -> bool:
    """Whether the second judge finds no number with which the seat keeps both promises.

    All numbers that neither promise names are alike, so three of them are enough: in Banbury any may be bid.
    """
    if one.terms["round"] != other.terms["round"]:
        return False
    most = section(moment.view, "stage", Stage).most
    named = {int(promise.terms["number"]) for promise in (one, other)}
    return not any(
        all(judge_slowly(promise, [reveal(promise, number)]) == "kept" for promise in (one, other))
        for number in named | set(range(1, min(3, most) + 1))
    )


def reveal(promise: Promise, number: int) -> Moment:
    """The promised round, in which everybody up to the promise's seat has bid this number."""
    bids = [number] * (promise.by + 1)
    return Moment({}, (LogLine("almost.revealed", {"round": promise.terms["round"], "bids": bids}, None),))


@pytest.mark.parametrize("games", [12, pytest.param(GAMES, marks=pytest.mark.at_length)])
def test_random_promises_are_judged_as_by_a_second_judge(games: int) -> None:
    """All rounds are played (ALM-5), so the occasion of every promise comes; few are released by a plan."""
    counts = check_promises(ALMOST, judge_slowly, games, exclusion=exclude)
    assert {name for name in counts if not name.endswith(("None", "lapsed"))} == {
        "bid kept",
        "bid broken",
        "avoid kept",
        "avoid broken",
        "bid contradiction",
        "avoid contradiction",
    }


class PromisingTable(HandTable[AlmostState]):
    """A game in which seats promise; each step judges what they promised."""

    def __init__(self, seats: int = 3, options: Mapping[str, Any] = {}, seed: bytes = b"promises") -> None:
        self.promises: tuple[Promise, ...] = ()
        super().__init__(ALMOST, seats, options, Dice(seed))

    def _follow(self, step: Step[AlmostState]) -> None:
        over = isinstance(ALMOST.prompts(step.state), Outcome)
        if self.promises:
            self.promises, _ = judge(ALMOST, self.promises, self.state, step, over=over)
        super()._follow(step)

    def new(self, seat: int, kind: str, number: int, in_round: int, to: tuple[int, ...] = ()) -> Promise:
        terms = {"number": number, "round": in_round}
        count = len(self.promises)
        return NewPromise(kind, terms, tuple(map(Seat, to))).promise(
            f"promise {count}", Seat(seat), Millis(0), count
        )

    def promise(self, seat: int, kind: str, number: int, in_round: int, to: tuple[int, ...] = ()) -> None:
        made = self.new(seat, kind, number, in_round, to)
        view = view_public(ALMOST, self.state)
        assert refuse(ALMOST.promises, self.promises, view, made, len(self.state.done)) is None
        self.promises = (*self.promises, ALMOST.promises.complete(made, view))

    def refuses(self, seat: int, kind: str, number: int, in_round: int) -> bool:
        view = view_public(ALMOST, self.state)
        made = self.new(seat, kind, number, in_round)
        return refuse(ALMOST.promises, self.promises, view, made, len(self.state.done)) is not None

    def plan(self, *bids: int, behind: Sequence[int]) -> None:
        """A plan that these seats back, the first of which proposes it."""
        first, *others = behind
        self.do(first, "plan", "propose", bids=list(bids))
        number = self.public("plans").plans[-1].number
        for seat in others:
            self.do(seat, "plan", "agree", plan=number)

    def breaks(self, number: int) -> bool:
        """Whether locking this number would break the first promise."""
        promise, view = self.promises[0], view_public(ALMOST, self.state)
        return ALMOST.promises.breaks(promise, Lock(number), view)

    def bid(self, *numbers: int) -> None:
        """Ends the talk, and locks these numbers."""
        if self.state.stage.phase == "reveal":
            self.expire()
        if self.state.stage.phase == "discuss":
            self.expire()
        for seat, number in enumerate(numbers):
            self.do(seat, "bid", "lock", number=number)

    def end_with(self, number: int) -> Judgement | None:
        """What becomes of the first promise if its seat, 0, bids this number: asks before, and judges it."""
        if self.state.stage.phase == "discuss":
            self.expire()
        breaks = self.breaks(number)
        self.bid(number, 1, 1)
        judgement = self.judgements[0]
        assert breaks == (judgement == "broken")
        return judgement

    @property
    def judgements(self) -> list[Judgement | None]:
        return [promise.judgement for promise in self.promises]

    @property
    def offered(self) -> tuple[Choice, ...]:
        return ALMOST.promises.choices(view_public(ALMOST, self.state), Seat(0))


@pytest.mark.parametrize(
    ("kind", "number", "judgement"),
    [("bid", 4, "kept"), ("bid", 5, "broken"), ("avoid", 5, "kept"), ("avoid", 4, "broken")],
)
def test_a_promise_is_judged_when_the_numbers_are_shown(kind: str, number: int, judgement: Judgement) -> None:
    table = PromisingTable()
    table.promise(0, kind, number, 1)
    table.bid(4, 1)
    assert table.judgements == [None]  # two of three have locked: nobody knows any number yet
    table.do(2, "bid", "lock", number=2)
    assert table.judgements == [judgement]


@pytest.mark.parametrize(
    ("kind", "number", "behind", "bid", "judgement"),
    [
        ("avoid", 10, (1, 2), 10, "lapsed"),
        ("bid", 1, (1, 2), 10, "lapsed"),
        ("bid", 1, (1, 2), 1, "kept"),
        ("bid", 1, (1, 2), 9, "broken"),
        ("bid", 1, (0, 2), 10, "broken"),
    ],
)
def test_whoever_backs_a_plan_against_a_promise_to_them_releases_it(
    kind: str, number: int, behind: tuple[int, ...], bid: int, judgement: Judgement
) -> None:
    """Only if they get the number that they have asked for, and if all have asked for it."""
    table = PromisingTable()
    table.promise(0, kind, number, 1, to=(1,))
    table.plan(10, 1, 1, behind=behind)
    assert table.end_with(bid) == judgement


@pytest.mark.parametrize(("behind", "judgement"), [((1, 2), "lapsed"), ((0, 1), "broken")])
def test_only_all_others_release_a_promise_to_everybody(
    behind: tuple[int, ...], judgement: Judgement
) -> None:
    table = PromisingTable()
    table.promise(0, "bid", 1, 1)
    table.plan(10, 1, 1, behind=behind)
    assert table.end_with(10) == judgement


@pytest.mark.parametrize("to", [(), (1,), (1, 2)])
@pytest.mark.parametrize(("kind", "number"), [("avoid", 10), ("bid", 1)])
def test_a_plan_that_was_backed_before_a_promise_does_not_release_it(
    kind: str, number: int, to: tuple[int, ...]
) -> None:
    """Whoever is promised something has asked for something else before: that is over."""
    table = PromisingTable()
    table.plan(10, 1, 1, behind=(1, 2, 0))
    table.promise(0, kind, number, 1, to=to)
    assert table.end_with(10) == "broken"


@pytest.mark.parametrize(("again", "judgement"), [((2,), "broken"), ((1,), "broken"), ((1, 2), "lapsed")])
def test_all_back_a_plan_again_to_release_a_later_promise(
    again: tuple[int, ...], judgement: Judgement
) -> None:
    table = PromisingTable()
    table.plan(10, 1, 1, behind=(0, 1, 2))
    table.promise(0, "avoid", 10, 1)
    for seat in again:
        table.do(seat, "plan", "withdraw")
        table.do(seat, "plan", "agree", plan=1)
    assert table.end_with(10) == judgement


@pytest.mark.parametrize(("later", "judgement"), [(1, "lapsed"), (2, "broken")])
def test_a_backing_counts_for_those_that_it_comes_after_only(later: int, judgement: Judgement) -> None:
    """A plan that was made before a promise releases it if it is backed after it."""
    table = PromisingTable()
    table.plan(10, 1, 1, behind=(0, 3 - later))
    table.promise(0, "bid", 1, 1, to=(1,))
    table.do(later, "plan", "agree", plan=1)
    assert table.end_with(10) == judgement


def test_a_plan_of_the_round_before_counts_for_nothing() -> None:
    table = PromisingTable()
    table.plan(10, 1, 1, behind=(0, 1, 2))
    table.promise(0, "bid", 1, 2)
    table.bid(10, 1, 1)
    table.expire()
    table.plan(10, 1, 1, behind=(1, 2))
    assert table.end_with(10) == "lapsed"


@pytest.mark.parametrize(("is_later", "judgement"), [(False, "lapsed"), (True, "broken")])
def test_a_state_of_version_1_goes_on(is_later: bool, judgement: Judgement) -> None:
    """R34: what it had released stays released; a promise that is made after the upgrade does not."""
    table = PromisingTable()
    if not is_later:
        table.promise(0, "bid", 1, 1)
    table.plan(10, 1, 1, behind=(0, 1, 2))
    packed = msgspec.msgpack.decode(msgspec.msgpack.encode(table.state))
    del packed["plans"]["backings"]
    upgraded = ALMOST.upgrade(1, packed)
    assert upgraded is not None
    assert upgraded.plans.backings == (1, 1, 1)
    table.state = upgraded
    if is_later:
        table.promise(0, "bid", 1, 1)
    assert table.end_with(10) == judgement


def test_r30_a_promise_is_open_once_whatever_plans_go_against_it() -> None:
    """Otherwise one number would keep or break it twice."""
    table = PromisingTable()
    table.promise(0, "bid", 1, 1)
    assert table.refuses(0, "bid", 1, 1)
    table.plan(10, 1, 1, behind=(1,))
    assert table.refuses(0, "bid", 1, 1)
    table.do(2, "plan", "agree", plan=1)
    assert table.refuses(0, "bid", 1, 1)
    table.promise(0, "bid", 1, 2)
    assert table.end_with(10) == "lapsed"


def test_a_promise_for_the_next_round_waits_for_it() -> None:
    table = PromisingTable()
    table.promise(0, "bid", 4, 2)
    table.promise(1, "avoid", 4, 2)
    table.bid(4, 4, 1)
    assert table.judgements == [None, None]
    table.bid(4, 4, 1)
    assert table.judgements == ["kept", "broken"]


@pytest.mark.parametrize("most", [2, 3])
def test_of_two_numbers_one_is_bid(most: int) -> None:
    table = PromisingTable(options={"maxBid": most, "target": 2})
    table.promise(0, "avoid", 1, 1)
    assert table.refuses(0, "avoid", 2, 1) == (most == 2)
    assert not table.refuses(0, "avoid", 2, 2), "another round"


def test_a_number_that_ties_is_the_promised_number_as_well() -> None:
    table = PromisingTable()
    for seat in range(3):
        table.promise(seat, "bid", 1, 1)
    table.bid(1, 1, 1)
    assert table.judgements == ["kept"] * 3
    assert table.told("almost.nobodyScored") == [{"round": 1}]


@pytest.mark.parametrize("is_drafted", [True, False])
def test_the_clock_keeps_and_breaks_promises_as_well(is_drafted: bool) -> None:
    """GEN-7: a drafted number counts when time is up, otherwise a random one does."""
    table = PromisingTable()
    for seat in range(3):
        table.promise(seat, "bid", 2, 1)
    for number in (1, 3):
        table.promise(0, "avoid", number, 1)
    table.expire()
    if is_drafted:
        table.do(0, "bid", "bid", number=2)
    table.expire()
    row = table.public("score").rows[0]
    assert row.missed == (0, 1, 2)
    if is_drafted:
        assert row.bids[0] == 2
    assert table.judgements == [
        "kept" if (promise.terms["number"] == row.bids[promise.by]) == (promise.kind == "bid") else "broken"
        for promise in table.promises
    ]


def test_a_seat_that_cannot_win_any_more_keeps_and_breaks_promises() -> None:
    table = PromisingTable(options={"target": 15})
    table.bid(10, 1, 1)
    assert table.public("score").can == (True, False, False)
    table.promise(1, "bid", 1, 2)
    table.promise(2, "avoid", 1, 2)
    table.bid(10, 1, 1)
    assert table.judgements == ["kept", "broken"]


def test_what_a_broken_promise_cost_is_in_points() -> None:
    table = PromisingTable()
    table.promise(1, "bid", 1, 1)
    table.bid(10, 9, 1)
    (broken,) = table.promises
    assert (broken.judgement, broken.cost) == ("broken", (0, 0, 1))


@pytest.mark.parametrize(("scoring", "cost"), [("roundsWon", (0, 0, 1)), ("sumOfEntries", (0, 0, 7))])
def test_in_banbury_standing_is_what_decides_the_game(scoring: str, cost: tuple[int, ...]) -> None:
    table = PromisingTable(options={"mode": "banbury", "scoring": scoring})
    table.promise(0, "bid", 1_000_000_000, 1)
    table.bid(900, 900, 7)
    (broken,) = table.promises
    assert (broken.judgement, broken.cost) == ("broken", cost)


def test_a_banbury_promise_names_any_number() -> None:
    table = PromisingTable(options={"mode": "banbury", "banburyRounds": 2})
    table.promise(0, "bid", 1_000_000_000, 2)
    assert table.refuses(0, "bid", 1_000_000_001, 2)
    table.bid(1, 2, 3)
    table.bid(1_000_000_000, 2, 2)
    assert table.judgements == ["kept"]


def test_this_round_and_the_next_may_be_promised() -> None:
    table = PromisingTable(seats=4)
    in_talk: dict[str, Domain] = {"number": Range(1, 10), "round": Range(1, 2)}
    assert list(table.offered) == [Choice("bid", in_talk), Choice("avoid", in_talk)]
    assert table.refuses(0, "bid", 1, 3)
    assert table.refuses(0, "bid", 0, 1)
    table.bid(1, 1, 1, 1)
    assert [choice.fields["round"] for choice in table.offered] == [Range(2, 3)] * 2
    table.bid(1, 1, 1, 1)
    assert [choice.fields["round"] for choice in table.offered] == [Range(3, 3)] * 2
    table.bid(1, 1, 1, 1)
    assert not table.offered  # the last numbers are shown
    assert table.refuses(0, "bid", 1, 3)
    table.expire()
    assert not table.offered


def test_nothing_stays_open_at_the_end() -> None:
    table = PromisingTable()
    for in_round in (1, 2):
        table.promise(0, "bid", 3, in_round)
    table.bid(1, 2, 3)
    table.bid(3, 3, 3)
    table.expire()
    assert isinstance(ALMOST.prompts(table.state), Outcome)
    assert table.judgements == ["broken", "kept"]
