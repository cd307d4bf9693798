"""Promises in Takeover (R30): random ones against a second judge, and each kind by hand."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise, permutations, product
from typing import Any, NamedTuple, TypeAlias

import pytest

from games.api import Choice, Judgement, NewPromise, OneOf, Outcome, Promise, PromiseEvent, Range, Seat, Step
from games.kit.promises import judge, refuse, section, view_private, view_public
from games.kit.texts import format_message
from games.takeover.rules.game import TAKEOVER
from games.takeover.rules.values import NAMES, Board, Draft, Holdings, Reckoning, Stage
from games.takeover.texts import TEXTS
from games.testing.promises import Moment, check_promises
from tests.games.takeover.table import PLAIN, Table, position

GAMES = int(os.environ.get("PARLEY_PROMISE_GAMES", "40"))

# --- a second judge ---


def judge_slowly(promise: Promise, moments: Sequence[Moment]) -> Judgement:
    """Compares the boards, coins and turns of all moments; it reads a line only to see who traded."""
    if promise.kind == "pick":
        return judge_pick_slowly(promise, moments)
    if promise.kind == "hold":
        hands = section(moments[-1].view, "reckoning", Reckoning).hands
        owners = [
            seat for seat, hand in enumerate(hands) for coin in hand if coin.name == promise.terms["coin"]
        ]
        return "kept" if owners == [promise.by] else "broken"
    due = int(promise.terms["turn"]) - 1
    for one, next_one in pairwise(moments):
        outcome = OUTCOMES[promise.kind](promise, one, next_one)
        if outcome is not None:
            return outcome
        stage = section(one.view, "stage", Stage)
        if stage.phase == "play" and stage.number == due and has_played(one, next_one):
            if promise.kind in ("spare", "pass", "embargo"):
                return "kept"
            return "broken" if promise.kind != "give" and has_way(promise, one) else "lapsed"
    return "lapsed"


def has_way(promise: Promise, moment: Moment) -> bool:
    """Whether the company has a neighbour for what was promised, of its industry or at a price."""
    stacks = section(moment.view, "board", Board).stacks
    names = {square: stack.tiles[-1] for square, stack in enumerate(stacks) if stack is not None}
    (home,) = [square for square, name in names.items() if name == promise.terms["coin"]]
    coins = section(moment.view, "holdings", Holdings).counts[promise.by]
    for square, name in names.items():
        rows, columns = abs(square // 6 - home // 6), abs(square % 6 - home % 6)
        under = names[home] if promise.kind == "cover" else name
        is_free = names[home][0] == name[0] or under[1] == "0"
        if rows + columns == 1 and (is_free or coins):
            return True
    return False


def has_played(one: Moment, next_one: Moment) -> bool:
    after = section(next_one.view, "stage", Stage)
    return after.phase == "end" or after.number > section(one.view, "stage", Stage).number


def judge_pick_slowly(promise: Promise, moments: Sequence[Moment]) -> Judgement:
    number, value = int(promise.terms["number"]), int(promise.terms["value"])
    for moment in moments:
        draft = section(moment.view, "draft", Draft)
        if len(draft.picks) < number:
            if draft.left[value] == 0:
                return "lapsed"
        else:
            return "kept" if draft.picks[number - 1].value == value else "broken"
    return "lapsed"


def find_merger(one: Moment, next_one: Moment) -> tuple[str, str] | None:
    """The company on top and the one swallowed, by the stack that has grown."""
    before, after = (section(moment.view, "board", Board).stacks for moment in (one, next_one))
    for old, new in zip(before, after, strict=True):
        if new is not None and old is not None and len(new.tiles) > len(old.tiles):
            return new.tiles[-1], old.tiles[-1]
    return None


def mover(one: Moment) -> int | None:
    return section(one.view, "stage", Stage).turn


def judge_spare(promise: Promise, one: Moment, next_one: Moment) -> Judgement | None:
    merger = find_merger(one, next_one)
    if merger is None or merger[1] != promise.terms["coin"]:
        return None
    return "broken" if mover(one) == promise.by else "lapsed"


def judge_cover(promise: Promise, one: Moment, next_one: Moment) -> Judgement | None:
    outcome = judge_spare(promise, one, next_one)
    return "kept" if outcome == "broken" else outcome


def judge_grow(promise: Promise, one: Moment, next_one: Moment) -> Judgement | None:
    merger = find_merger(one, next_one)
    if merger is not None and mover(one) == promise.by and merger[0] == promise.terms["coin"]:
        return "kept"
    return judge_spare(promise, one, next_one)


def judge_pass(promise: Promise, one: Moment, next_one: Moment) -> Judgement | None:
    is_due = section(one.view, "stage", Stage).number + 1 == promise.terms["turn"]
    return "broken" if is_due and find_merger(one, next_one) is not None else None


def judge_give(promise: Promise, one: Moment, next_one: Moment) -> Judgement | None:
    if find_merger(one, next_one) is not None or "holdings" not in next_one.view:
        return None
    before, after = (section(moment.view, "holdings", Holdings).counts for moment in (one, next_one))
    (other,) = promise.to
    lost, won = before[promise.by] - after[promise.by], after[other] - before[other]
    return "kept" if lost == won and lost >= int(promise.terms["count"]) else None


def judge_embargo(promise: Promise, one: Moment, next_one: Moment) -> Judgement | None:
    pair = {promise.by, *promise.to}
    traded = any(
        {line.args["seat"], line.args["other"]} == pair for line in next_one.lines if "other" in line.args
    )
    return "broken" if traded else None


OUTCOMES: Mapping[str, Callable[[Promise, Moment, Moment], Judgement | None]] = {
    "spare": judge_spare,
    "cover": judge_cover,
    "grow": judge_grow,
    "pass": judge_pass,
    "give": judge_give,
    "embargo": judge_embargo,
}
JUDGEMENTS = ("kept", "broken", "lapsed")
POSSIBLE = {f"{kind} {judgement}" for kind in ("pick", *OUTCOMES) for judgement in JUDGEMENTS}
POSSIBLE |= {"hold kept", "hold broken"}
POSSIBLE -= {"give broken"}
RARE = {"spare broken", "cover kept", "grow kept", "give kept", "embargo broken"}
"""What a few random games may not contain."""
MANY = 1_000


# --- which promises cannot both be kept ---

MAX_COMPANIES = 4
"""With two companies beside those of two promises, each can be covered or grow without them."""


def exclude(one: Promise, other: Promise, moment: Moment) -> bool:
    """Whether nothing that the seat may do keeps both promises, even if the others let it."""
    if one.kind == other.kind == "pick":
        return one.terms != other.terms
    if "pick" in (one.kind, other.kind) or "hold" in (one.kind, other.kind):
        return False
    stage = section(moment.view, "stage", Stage)
    seats = len(section(moment.view, "holdings", Holdings).counts)
    coming = range(stage.number, stage.number + 3 * seats)
    own = [turn for turn in coming if (stage.first + turn) % seats == one.by]
    coins = sorted({str(promise.terms["coin"]) for promise in (one, other) if "coin" in promise.terms})
    stacks = [stack for stack in section(moment.view, "board", Board).stacks if stack is not None]
    first, second = (
        Vow(
            promise.kind,
            coins.index(str(promise.terms["coin"])) if "coin" in promise.terms else -1,
            promise.to,
            own.index(int(promise.terms["turn"]) - 1),
        )
        for promise in (one, other)
    )
    return not can_keep_both((first, second), min(len(stacks), MAX_COMPANIES))


class Vow(NamedTuple):
    """A promise, with the number of its company and of its last turn among those of its seat."""

    kind: str
    company: int
    to: tuple[Seat, ...]
    turn: int


Merger: TypeAlias = tuple[int, int] | None
"""The company that grows and the one it covers; None for a pass."""


@cache
def can_keep_both(vows: tuple[Vow, Vow], companies: int) -> bool:
    """Whether some mergers and trades in the seat's next turns keep both."""
    turns = range(max(vow.turn for vow in vows) + 1)
    plans: list[Merger] = [None, *permutations(range(companies), 2)]
    partners = {vow.to for vow in vows}
    return any(
        is_possible(mergers)
        and all(is_kept(vow, mergers, dict(zip(partners, times, strict=True))) for vow in vows)
        for mergers in product(plans, repeat=len(turns))
        for times in product([None, *turns], repeat=len(partners))
    )


def is_possible(mergers: Sequence[Merger]) -> bool:
    """A company that was covered neither grows nor is covered again."""
    covered: set[int] = set()
    for merger in mergers:
        if merger is not None:
            if covered & set(merger):
                return False
            covered.add(merger[1])
    return True


def is_kept(vow: Vow, mergers: Sequence[Merger], trades: Mapping[tuple[Seat, ...], int | None]) -> bool:
    """`trades`: in which turn the seat trades with others."""
    done = [merger for merger in mergers[: vow.turn + 1] if merger is not None]
    traded = trades[vow.to]
    in_time = traded is not None and traded <= vow.turn
    return {
        "pass": mergers[vow.turn] is None,
        "spare": vow.company not in [covered for _, covered in done],
        "cover": vow.company in [covered for _, covered in done],
        "grow": vow.company in [grown for grown, _ in done],
        "give": in_time,
        "embargo": not in_time,
    }[vow.kind]


@pytest.mark.parametrize("games", [12, pytest.param(GAMES, marks=pytest.mark.at_length)])
def test_random_promises_are_judged_as_by_a_second_judge(games: int) -> None:
    counts = check_promises(TAKEOVER, judge_slowly, games, exclusion=exclude)
    assert POSSIBLE - (RARE if games < MANY else set()) <= counts.keys()
    assert "pick contradiction" in counts, "of the others there are few"


# --- each kind by hand ---


class Promises:
    """The promises at a table that a test plays by hand, as the hub keeps them."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._promises: tuple[Promise, ...] = ()

    def make(self, by: int, kind: str, *, to: Sequence[int] = (), **terms: int | str) -> None:
        assert self.refused(by, kind, to=to, **terms) is None
        self._promises = (*self._promises, self._new(by, kind, to, terms))

    def refused(self, by: int, kind: str, *, to: Sequence[int] = (), **terms: int | str) -> str | None:
        state, rules = self.table.state, TAKEOVER.promises
        promise, view = self._new(by, kind, to, terms), view_public(TAKEOVER, state)
        private = view_private(TAKEOVER, state, Seat(by))
        refusal = refuse(rules, self._promises, view, promise, self.table.seats, private=private)
        return None if refusal is None else refusal.code

    def _new(self, by: int, kind: str, to: Sequence[int], terms: Mapping[str, int | str]) -> Promise:
        new = NewPromise(kind, terms, tuple(map(Seat, to)))
        return new.promise(f"{len(self._promises)}", Seat(by), self.table.at, 0)

    def acts(self, play: Callable[..., Any], *args: Any) -> list[bool]:
        """Whether each promise's seat did something about it in this event."""
        before, known = view_public(TAKEOVER, self.table.state), len(self.table.lines)
        play(*args)
        lines = tuple(line for line in self.table.lines[known:] if line.to is None)
        event = PromiseEvent(before, view_public(TAKEOVER, self.table.state), lines, over=False)
        return [TAKEOVER.promises.acts(promise, event) for promise in self._promises]

    def after(self, play: Callable[..., Any], *args: Any) -> list[Judgement | None]:
        """What has become of all promises once this has happened, which must be one event."""
        before, known = self.table.state, len(self.table.lines)
        play(*args)
        state = self.table.state
        over = isinstance(TAKEOVER.prompts(state), Outcome)
        step = Step(state, tuple(self.table.lines[known:]))
        self._promises, _ = judge(TAKEOVER, self._promises, before, step, over=over)
        return [promise.judgement for promise in self._promises]

    @property
    def costs(self) -> list[tuple[int, ...] | None]:
        return [promise.cost for promise in self._promises]


def row_of_four(**options: Any) -> tuple[Table, Promises]:
    """The turn of seat 0, which has 5 to pay with."""
    table = Table(state=position(PLAIN, "S5 c5 a1", "S3 a5", "M4 m5", **options))
    return table, Promises(table)


def offered(table: Table, seat: int) -> dict[str, Choice]:
    choices = TAKEOVER.promises.choices(view_public(TAKEOVER, table.state), Seat(seat))
    return {choice.move: choice for choice in choices}


def test_the_turns_in_a_promise_are_the_seats_own_as_players_count_them() -> None:
    table, _ = row_of_four()
    for seat, turns in ((0, (1, 4, 7)), (1, (2, 5, 8)), (2, (3, 6, 9))):
        assert offered(table, seat)["pass"].fields["turn"] == OneOf(turns)
    assert offered(table, 0)["spare"].fields["turn"] == OneOf((4, 7))  # its current turn would cost nothing
    table.pass_by(0)
    assert offered(table, 0)["spare"].fields == {
        "coin": OneOf(("S3", "S5", "M4", "C3")),
        "turn": OneOf((4, 7, 10)),
    }
    assert offered(table, 1)["give"].fields == {
        "to": OneOf((0, 2)),
        "count": Range(1, 2),
        "turn": OneOf((2, 5, 8)),
    }


def test_trades_can_be_promised_only_by_who_may_trade_and_has_coins() -> None:
    off, _ = row_of_four(trading="off")
    assert not {"give", "embargo"} & offered(off, 0).keys()
    table = Table(state=position(PLAIN, "", "S3 a5"))
    assert "give" not in offered(table, 0)
    assert "embargo" in offered(table, 0)


def test_spare_is_kept_when_the_turn_has_passed_however_that_happens() -> None:
    for play in (
        lambda table: table.pass_by(1),
        lambda table: table.expire(),
        lambda table: table.merge(1, "S5>S3"),
    ):
        table, promises = row_of_four()
        promises.make(1, "spare", coin="S5", turn=2)
        promises.make(1, "spare", coin="S5", turn=5)
        assert promises.after(table.pass_by, 0) == [None, None]
        assert promises.after(play, table) == ["kept", None]


def test_spare_is_broken_by_covering_and_costs_the_coins_paid() -> None:
    table, promises = row_of_four()
    promises.make(0, "spare", coin="S5", turn=4)
    promises.make(1, "spare", coin="S5", turn=2)
    assert promises.after(lambda: table.merge(0, "M4>S5", "C5")) == ["broken", "lapsed"]
    assert promises.costs == [(-1, 0, 0), None]


def test_cover_is_kept_broken_or_lapses_when_somebody_else_covers() -> None:
    table, promises = row_of_four()
    promises.make(0, "cover", coin="S3", turn=1)
    promises.make(1, "cover", coin="S3", turn=2)
    promises.make(1, "cover", coin="C3", turn=5)
    assert promises.after(lambda: table.merge(0, "S5>S3")) == ["kept", "lapsed", None]
    for _ in range(3):
        assert promises.after(table.expire) == ["kept", "lapsed", None]
    assert promises.after(table.expire) == ["kept", "lapsed", "broken"]


def test_grow_is_broken_by_swallowing_the_company_oneself() -> None:
    table, promises = row_of_four()
    promises.make(0, "grow", coin="S5", turn=4)
    promises.make(0, "grow", coin="S3", turn=1)
    promises.make(1, "grow", coin="S3", turn=2)
    assert promises.after(lambda: table.merge(0, "S5>S3")) == ["kept", "broken", "lapsed"]


def test_pass_is_about_one_turn_and_the_clock_may_keep_it() -> None:
    table, promises = row_of_four()
    promises.make(0, "pass", turn=4)
    promises.make(1, "pass", turn=2)
    promises.make(2, "pass", turn=3)
    assert promises.after(lambda: table.merge(0, "S5>S3")) == [None] * 3
    assert promises.after(table.expire) == [None, "kept", None]
    assert promises.after(lambda: table.merge(2, "M4>C3", "M5")) == [None, "kept", "broken"]


def test_a_promise_for_a_turn_that_never_comes_lapses_but_the_last_turn_counts() -> None:
    table, promises = row_of_four()
    promises.make(0, "spare", coin="S5", turn=4)
    promises.make(2, "pass", turn=3)
    promises.make(1, "cover", coin="S5", turn=2)
    promises.after(table.pass_by, 0)
    promises.after(table.pass_by, 1)
    assert promises.after(table.pass_by, 2) == ["lapsed", "kept", "broken"]


def test_a_company_cannot_be_both_spared_and_covered() -> None:
    _, promises = row_of_four()
    promises.make(1, "spare", coin="S5", turn=5)
    for turn, refused in ((2, "CONTRADICTION"), (5, "CONTRADICTION"), (8, None)):
        assert promises.refused(1, "cover", coin="S5", turn=turn) == refused
    assert promises.refused(1, "cover", coin="S3", turn=2) is None
    assert promises.refused(0, "cover", coin="S5", turn=1) is None
    promises.make(2, "cover", coin="S5", turn=6)
    for turn, refused in ((3, None), (6, "CONTRADICTION"), (9, "CONTRADICTION")):
        assert promises.refused(2, "spare", coin="S5", turn=turn) == refused


def test_a_turn_has_one_merger() -> None:
    """Promises about the same turn contradict one another only if there is no other turn before it."""
    table, promises = row_of_four()
    promises.make(0, "grow", coin="S5", turn=1)
    assert promises.refused(0, "cover", coin="S3", turn=1) is None, "one merger does both"
    for kind, coin in (("pass", {}), ("cover", {"coin": "S5"}), ("grow", {"coin": "S3"})):
        terms: dict[str, Any] = coin
        assert promises.refused(0, kind, **terms, turn=1) == "CONTRADICTION"
        assert promises.refused(0, kind, **terms, turn=4) is None
    promises.make(0, "pass", turn=4)
    assert promises.refused(0, "cover", coin="C3", turn=4) is None, "turn 1 is left"
    table.pass_by(0)
    assert promises.refused(0, "cover", coin="C3", turn=4) == "CONTRADICTION"


def test_a_company_that_is_covered_next_does_not_grow_later() -> None:
    _, promises = row_of_four()
    promises.make(0, "cover", coin="S5", turn=1)
    assert promises.refused(0, "grow", coin="S5", turn=4) == "CONTRADICTION"
    promises.make(0, "cover", coin="S3", turn=4)
    assert promises.refused(0, "grow", coin="S3", turn=7) is None, "it can grow first"


def test_of_the_last_two_companies_one_can_grow() -> None:
    table = Table(state=position({(0, 0): "S5", (0, 1): "S3"}, "c1", "c2"))
    promises = Promises(table)
    promises.make(0, "grow", coin="S5", turn=3)
    for kind, coin in (("grow", "S3"), ("cover", "S5"), ("spare", "S3")):
        assert promises.refused(0, kind, coin=coin, turn=5) == "CONTRADICTION", kind
    for kind, coin in (("cover", "S3"), ("spare", "S5")):
        assert promises.refused(0, kind, coin=coin, turn=5) is None, kind


def test_nobody_promises_a_gift_to_a_seat_with_which_they_will_not_trade() -> None:
    _, promises = row_of_four()
    promises.make(0, "embargo", to=[1], turn=4)
    for to, turn, refused in ((1, 1, "CONTRADICTION"), (1, 4, "CONTRADICTION"), (1, 7, None), (2, 4, None)):
        assert promises.refused(0, "give", to=[to], count=1, turn=turn) == refused
    promises.make(2, "give", to=[1], count=1, turn=6)
    for turn, refused in ((3, None), (6, "CONTRADICTION")):
        assert promises.refused(2, "embargo", to=[1], turn=turn) == refused


def test_a_pick_is_one_coin() -> None:
    table = Table(seats=4)
    promises = Promises(table)
    first = table.state.draft.order[0]
    promises.make(first, "pick", value=5, number=1)
    assert promises.refused(first, "pick", value=4, number=1) == "CONTRADICTION"


@pytest.mark.parametrize("log", ["private", "public"])
def test_give_counts_the_coins_of_one_trade_whoever_offered_it(log: str) -> None:
    table, promises = row_of_four(tradeLog=log)
    promises.make(0, "give", to=[1], count=2, turn=1)
    promises.make(0, "give", to=[1], count=1, turn=1)
    promises.make(0, "give", to=[2], count=1, turn=1)
    offer = table.offer(1, 0, (), ("1+",))
    assert promises.after(lambda: table.do(0, offer, "accept", coins=["A1"])) == [None, "kept", None]
    assert promises.after(table.pass_by, 0) == ["lapsed", "kept", "lapsed"]


def test_a_gift_that_was_declined_breaks_no_promise() -> None:
    table, promises = row_of_four()
    promises.make(0, "give", to=[1], count=1, turn=1)
    offer = table.offer(0, 1, ("A1",), ())
    assert promises.after(lambda: table.do(1, offer, "decline")) == [None]
    assert promises.after(table.pass_by, 0) == ["lapsed"]


def test_what_others_have_made_impossible_breaks_no_promise() -> None:
    """C3 is beside M4 only, which seat 1 moves away."""
    for kind in ("cover", "grow"):
        for play, judgement in (
            (lambda table: table.merge(1, "M4>S5", "A5"), "lapsed"),
            (lambda table: table.merge(1, "S5>S3"), "broken"),
        ):
            table, promises = row_of_four()
            promises.make(0, kind, coin="C3", turn=4)
            promises.after(table.pass_by, 0)
            promises.after(play, table)
            promises.after(table.pass_by, 2)
            assert promises.after(table.pass_by, 0) == [judgement]


def test_no_embargo_is_promised_while_an_own_offer_stands() -> None:
    table, promises = row_of_four()
    offer = table.offer(0, 1, ("A1",), ())
    assert promises.refused(0, "embargo", to=[1], turn=4) == "OFFER_OPEN"
    promises.make(0, "embargo", to=[2], turn=4)
    promises.make(1, "embargo", to=[0], turn=2)  # whoever has received it need not accept
    table.do(0, offer, "cancel")
    promises.make(0, "embargo", to=[1], turn=4)


def test_a_deed_is_a_trade_or_a_turn_and_for_a_coin_to_hold_what_may_have_cost_it() -> None:
    table, promises = row_of_four()
    for kind, terms in (("hold", {"coin": "C5"}), ("cover", {"coin": "C3", "turn": 7})):
        promises.make(0, kind, **terms)
    promises.make(0, "embargo", to=[1], turn=7)
    assert promises.acts(table.pass_by, 0) == [False, True, False]
    assert promises.acts(lambda: table.merge(1, "S5>S3")) == [False, False, False]
    offer = table.offer(0, 1, ("A1",), ())
    assert promises.acts(lambda: table.do(1, offer, "accept", coins=[])) == [True, False, True]
    table.pass_by(2)
    assert promises.acts(lambda: table.merge(0, "M4>C3", "C5")) == [True, True, False]


def test_give_is_kept_by_an_own_offer_and_lapses_at_the_end() -> None:
    table, promises = row_of_four()
    promises.make(0, "give", to=[2], count=1, turn=4)
    promises.make(1, "give", to=[2], count=1, turn=5)
    offer = table.offer(0, 2, ("C5", "A1"), ("5+",))
    assert promises.after(lambda: table.do(2, offer, "accept", coins=["M5"])) == ["kept", None]
    for seat in (0, 1):
        assert promises.after(table.pass_by, seat) == ["kept", None]
    assert promises.after(table.pass_by, 2) == ["kept", "lapsed"]


def test_embargo_is_broken_by_any_trade_of_the_two() -> None:
    table, promises = row_of_four()
    promises.make(0, "embargo", to=[1], turn=4)
    promises.make(1, "embargo", to=[0], turn=2)
    promises.make(0, "embargo", to=[2], turn=1)
    offer = table.offer(1, 0, ("A5",), ())
    assert promises.after(lambda: table.do(0, offer, "accept", coins=[])) == ["broken", "broken", None]
    assert promises.after(table.expire) == ["broken", "broken", "kept"]


def test_hold_is_open_until_the_coins_are_shown() -> None:
    table, promises = row_of_four()
    promises.make(0, "hold", coin="S5")
    promises.make(0, "hold", coin="M4")
    promises.make(1, "hold", coin="S5")
    assert promises.after(lambda: table.merge(0, "M4>S5", "C5")) == [None] * 3
    for seat in (1, 2):
        assert promises.after(table.pass_by, seat) == [None] * 3
    assert promises.after(table.pass_by, 0) == ["kept", "broken", "broken"]


def test_no_coin_can_be_promised_once_all_are_out_of_play() -> None:
    table = Table(state=position(PLAIN, "", "", spent=" ".join(NAMES)))
    assert "hold" not in offered(table, 0)


def test_pick_is_kept_or_broken_by_the_coin_that_the_seat_takes() -> None:
    """The clock takes the highest value, and that counts like the seat's own choice."""
    table = Table(seats=4)
    promises = Promises(table)
    first, second, third, last = table.state.draft.order[:4]
    promises.make(first, "pick", value=5, number=1)
    promises.make(second, "pick", value=1, number=2)
    assert promises.after(table.expire) == ["kept", None]
    assert promises.after(table.expire) == ["kept", "broken"]
    promises.make(third, "pick", value=0, number=3)
    assert promises.after(lambda: table.do(third, "draft", "pick", value=0)) == ["kept", "broken", "kept"]
    table.do(last, "draft", "pick", value=5)
    fields = {"value": OneOf((0, 1, 2, 3, 4, 5)), "number": OneOf((5,))}
    assert offered(table, last)["pick"].fields == fields


def test_a_value_that_others_have_taken_lapses_at_once() -> None:
    table = Table(seats=6)
    promises = Promises(table)
    last = (table.state.stage.first + 5) % 6
    promises.make(last, "pick", value=5, number=6)
    for _ in range(3):
        assert promises.after(table.expire) == [None]
    assert promises.after(table.expire) == ["lapsed"]


@pytest.mark.parametrize("kind", ["spare", "cover", "grow", "pass", "give", "embargo"])
def test_nothing_about_a_turn_is_offered_before_play(kind: str) -> None:
    assert kind not in offered(Table(seats=3), 0)


def test_a_promise_for_some_turns_says_when_it_ends() -> None:
    texts = TEXTS.catalogue["promises"]
    said = {
        kind: format_message(texts[kind]["text"], {"coin": "S5", "turn": 8}) for kind in ("spare", "embargo")
    }
    assert said["spare"].endswith("cover S5 until the end of turn 8.")
    assert said["embargo"].endswith("trade with you until the end of turn 8.")
