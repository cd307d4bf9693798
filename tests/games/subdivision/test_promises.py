"""Promises in Subdivision (R30): random ones against a second judge, and each kind by hand."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

import pytest
from msgspec.structs import replace

from games.api import Judgement, LogLine, Millis, OneOf, Promise, PromiseEvent, Range, Refusal, Seat
from games.kit.promises import list_makeable, refuse, section, view_public
from games.subdivision.rules.game import SUBDIVISION
from games.subdivision.rules.promises import SubdivisionPromises
from games.subdivision.rules.values import Board, Stage, Stash
from games.testing.promises import Moment, check_promises
from tests.games.subdivision.positions import TableOf, at, place, set_up, turn
from tests.games.subdivision.reference import (
    Pieces,
    reference_legal,
    reference_near,
    reference_neighbours,
)

GAMES = int(os.environ.get("PARLEY_PROMISE_GAMES", "40"))
RARE: Final = {"reply kept", "avoid_block lapsed", "avoid_crowding lapsed"}
"""Seen in about one random game out of fifty, and each by hand below."""
RULES = SubdivisionPromises()
MANY: Final = ((3, 3, 3), (3, 3, 3))


# --- a second judge ---


class Play:
    """A pyramid as the log tells it, with what was on the board before; and the parks laid with it."""

    def __init__(self, moment: Moment, line: LogLine, pieces: Pieces, stash: list[list[int]], free: bool):
        size = section(moment.view, "board", Board).size
        self.size, self.parks = size, set(section(moment.view, "board", Board).parks)
        self.seat, self.pips = int(str(line.args["seat"])), int(str(line.args["pips"]))
        self.square = number(str(line.args["square"]), size)
        self.pieces, self.free = dict(pieces), free
        ones, twos, threes = stash[self.seat]
        self.stash = (ones, twos, threes)

    def could_build(self, square: int) -> bool:
        return any(other == square for _, other in self.alternatives())

    def alternatives(self) -> set[tuple[int, int]]:
        """Everything that the seat could have placed, as (pips, square)."""
        if not self.free:
            return reference_legal(self.size, self.parks, self.pieces, self.seat, self.stash)
        open_squares = set(range(self.size**2)) - self.parks - self.pieces.keys()
        sizes = [pips for pips in (1, 2, 3) if self.stash[pips - 1]]
        return {(pips, square) for pips in sizes for square in open_squares}


def number(name: str, size: int) -> int:
    return "abcdefgh".index(name[0]) + size * (int(name[1:]) - 1)


def list_plays(moments: Sequence[Moment]) -> Iterator[Play]:
    """Every pyramid placed after the first moment, from the log alone."""
    board = section(moments[0].view, "board", Board)
    pieces = {square: (int(p.seat), int(p.pips)) for square, p in enumerate(board.squares) if p is not None}
    stash = [list(left) for left in section(moments[0].view, "stash", Stash).left]
    free = section(moments[0].view, "stage", Stage).free  # the line may be older, with a last call since
    for moment in moments[1:]:
        placed = [line for line in moment.lines if line.key == "subdivision.placed"]
        for line in placed:
            play = Play(moment, line, pieces, stash, free)
            yield play
            pieces[play.square] = (play.seat, play.pips)
            stash[play.seat][play.pips - 1] -= 1
        if placed:
            free = any(line.key == "subdivision.free" for line in moment.lines)


def judge_slowly(promise: Promise, moments: Sequence[Moment]) -> Judgement:
    """Replays the log from the promise to the end of the game, and decides at the first play that decides."""
    size = section(moments[0].view, "board", Board).size
    parks = set(section(moments[-1].view, "board", Board).parks)
    named = {
        key: number(str(promise.terms[key]), size) for key in ("square", "reply") if key in promise.terms
    }
    if parks & set(named.values()):
        return "lapsed"
    plays = list(list_plays(moments))
    own = [play for play in plays if play.seat == promise.by]
    if promise.kind in ("leave_square", "avoid_crowding", "avoid_block"):
        return judge_lasting(promise, plays, named)
    if promise.kind == "build_at":
        return judge_next(plays, own, named["square"])
    stage = section(moments[0].view, "stage", Stage)
    if (stage.phase, stage.turn) == ("place", promise.by):
        own = own[1:]  # the first one ends the turn in which it was promised
    before_own = plays[: plays.index(own[0])] if own else plays
    triggers = [play for play in before_own if play.square == named["square"]]
    if not triggers or triggers[0].seat not in promise.to:
        return "lapsed"
    return judge_next(plays, own, named["reply"])


def judge_next(plays: Sequence[Play], own: Sequence[Play], square: int) -> Judgement:
    """Whether the seat's first play is on a square, if it had one and could."""
    if own and own[0].square == square:
        return "kept"
    return "broken" if own and own[0].could_build(square) else "lapsed"


def judge_lasting(promise: Promise, plays: Sequence[Play], named: dict[str, int]) -> Judgement:
    turns = int(promise.terms["turns"])
    for play in plays:
        if play.seat != promise.by:
            if play.square == named.get("square"):
                return "kept" if play.seat in promise.to or promise.to == () else "lapsed"
            continue
        wrong = {one for one in play.alternatives() if is_wrong(promise, play, *one, named)}
        if (play.pips, play.square) in wrong:
            return "broken" if play.alternatives() - wrong else "lapsed"
        turns -= 1
        if not turns:
            return "kept"
    return "lapsed"


def is_wrong(promise: Promise, play: Play, pips: int, square: int, named: dict[str, int]) -> bool:
    """Whether this placement is one that the promise rules out."""
    theirs = {at: size for at, (seat, size) in play.pieces.items() if seat in promise.to}
    if promise.kind == "leave_square":
        return square == named["square"]
    if promise.kind == "avoid_block":
        return not reference_neighbours(play.size, square).isdisjoint(theirs)
    return pips == 1 and any(theirs.get(near) == 3 for near in reference_near(play.size, square))


def exclude(one: Promise, other: Promise, moment: Moment) -> bool:
    """Whether the next pyramid of their maker cannot keep both: any that keeps the first breaks the other.

    Of two replies to the same seat on the same square, it keeps one.
    """
    if {one.kind, other.kind} == {"reply"}:
        case, other_case = ((promise.to, promise.terms["square"]) for promise in (one, other))
        return case == other_case and one.terms["reply"] != other.terms["reply"]
    if "build_at" not in (one.kind, other.kind):
        return False
    building, beside = (one, other) if one.kind == "build_at" else (other, one)
    if beside.kind == "build_at":
        return building.terms["square"] != beside.terms["square"]
    if beside.kind == "reply":
        return False  # it lapses unless the other builds first
    stash = [list(left) for left in section(moment.view, "stash", Stash).left]
    sizes = [pips for pips in (1, 2, 3) if stash[building.by][pips - 1]]
    return all(breaks_next(beside, moment, building, pips, stash) for pips in sizes)


def breaks_next(
    promise: Promise, moment: Moment, building: Promise, pips: int, stash: list[list[int]]
) -> bool:
    """Whether a lasting promise rules out a pyramid of this size as the next one on the square promised."""
    board = section(moment.view, "board", Board)
    pieces = {square: (int(p.seat), int(p.pips)) for square, p in enumerate(board.squares) if p is not None}
    square = str(building.terms["square"])
    line = LogLine("subdivision.placed", {"seat": building.by, "pips": pips, "square": square}, None)
    play = Play(moment, line, pieces, stash, free=True)
    named = {"square": number(str(promise.terms["square"]), board.size)} if "square" in promise.terms else {}
    return is_wrong(promise, play, pips, play.square, named)


@pytest.mark.parametrize("games", [16, pytest.param(GAMES, marks=pytest.mark.at_length)])
def test_random_promises_are_judged_as_by_a_second_judge(games: int) -> None:
    counts = check_promises(SUBDIVISION, judge_slowly, games, exclusion=exclude)
    judgements = ("kept", "broken", "lapsed")
    expected = {f"{kind} {judgement}" for kind in RULES.kinds for judgement in judgements}
    assert expected - counts.keys() <= (RARE if games < 1_000 else set())
    assert {"build_at contradiction", "leave_square contradiction"} <= counts.keys()


# --- by hand ---


class Watched:
    """A table of R and B, or of R, B and G, in the middle of a game, and the promise of one seat.

    Corners are parks; with two seats, c3 and d4 are too. R is to move.
    """

    def __init__(
        self, table: TableOf, pieces: str, left: Sequence[tuple[int, int, int]] = MANY, **options: Any
    ) -> None:
        self.table = table(SUBDIVISION, len(left), **options)
        set_up(self.table, pieces, list(left))

    def promise(self, kind: str, to: Sequence[int] = (), by: int = 0, **terms: int | str) -> Watched:
        seats = tuple(Seat(seat) for seat in to)
        self.made = Promise("p", Seat(by), seats, kind, terms, Millis(0), 0)
        view = view_public(SUBDIVISION, self.table.state)
        assert refuse(RULES, (), view, self.made, len(self.table.public("stash").left)) is None
        self.made = RULES.complete(self.made, view)
        return self

    def judge(self, act: Callable[[], object]) -> Judgement | None:
        before = view_public(SUBDIVISION, self.table.state)
        act()
        after = view_public(SUBDIVISION, self.table.state)
        over = section(after, "stage", Stage).phase == "end"
        return RULES.judge(self.made, PromiseEvent(before, after, (), over))

    def place(self, *moves: str) -> list[Judgement | None]:
        """The judgement after each placement, such as R3c5: colour, pips, square."""
        return [
            self.judge(partial(place, self.table, "RBG".index(move[0]), int(move[1]), move[2:]))
            for move in moves
        ]


@pytest.fixture
def watch(table: TableOf) -> Callable[..., Watched]:
    return partial(Watched, table)


Watch: TypeAlias = Callable[..., Watched]


def test_a_square_is_left_for_so_many_turns(watch: Watch) -> None:
    leaving = partial(watch("").promise, "leave_square", to=[1], square="b2", turns=2)
    assert leaving().place("R2d2", "B2e2", "R2d1") == [None, None, "kept"]
    assert watch("").promise("leave_square", square="b2", turns=2).place("R2b2") == ["broken"]


def test_a_square_is_left_if_whoever_may_have_it_takes_it(watch: Watch) -> None:
    three = watch("", [(3, 3, 3)] * 3).promise("leave_square", to=[1], square="b2", turns=3)
    assert three.place("R2d2", "B2b2") == [None, "kept"]
    third = watch("", [(3, 3, 3)] * 3).promise("leave_square", to=[1], square="b2", turns=3)
    assert third.place("R2d2", "B2e2", "G2b2") == [None, None, "lapsed"]
    anybody = watch("", [(3, 3, 3)] * 3).promise("leave_square", square="b2", turns=3)
    assert anybody.place("R2d2", "B2e2", "G2b2") == [None, None, "kept"]


def test_a_square_that_becomes_a_park_is_no_longer_an_occasion(table: TableOf) -> None:
    watched = Watched.__new__(Watched)
    watched.table = table(SUBDIVISION, 2, parks="parkPlacement")
    seat = turn(watched.table)
    for kind, to, terms in (
        ("leave_square", (), {"square": "b2", "turns": 2}),
        ("build_at", (), {"square": "b2"}),
        ("reply", (1 - seat,), {"square": "d2", "reply": "b2"}),
    ):
        watched.promise(kind, to, by=seat, **terms)
        before = watched.table.state
        act = partial(watched.table.do, seat, "park", "park", square=at("b2"))
        assert watched.judge(act) == "lapsed"
        watched.table.state = before
        act = partial(watched.table.do, seat, "park", "park", square=at("c2"))
        assert watched.judge(act) is None
        watched.table.state = before


def test_sub_6_crowding_is_a_1_near_a_3_of_the_other(watch: Watch) -> None:
    pieces = "B3b2 R3e5"
    spare = partial(Watched.promise, kind="avoid_crowding", to=[1], turns=2)
    assert spare(watch(pieces)).place("R1c1") == ["broken"]
    assert spare(watch(pieces)).place("R2c2") == [None]
    assert spare(watch(pieces)).place("R2c2", "B1e4", "R2d2") == [None, None, "kept"]
    assert spare(watch("B1b2 B3e2")).place("R1c1") == [None], "near a 1 only"


def test_sub_5_to_block_is_to_build_beside_the_other(watch: Watch) -> None:
    keep = partial(Watched.promise, kind="avoid_block", to=[1], turns=2)
    assert keep(watch("B2b2")).place("R2b3") == ["broken"]
    assert keep(watch("B2b2")).place("R2a3", "B2e2", "R2d5") == [None, None, "kept"]
    assert keep(watch("R2b2")).place("R2b3") == [None], "beside its own"


def test_sub_1_a_promise_that_every_placement_would_break_has_lapsed(watch: Watch) -> None:
    """Red's last pyramid is a 1, which fits only near Blue's 3: nobody may pass at will."""
    last = [(1, 0, 0), (3, 3, 3)]
    for kind in ("avoid_block", "avoid_crowding"):
        forced = watch("B3b2 R2a3 R2c1", last).promise(kind, to=[1], turns=1)
        assert forced.place("R1b1") == ["lapsed"]
    free = watch("B3b2 R2a3", last).promise("avoid_block", to=[1], turns=1)
    assert free.place("R1b1") == ["broken"], "c1 was free"
    only = "B3b2 R2a3 R2c1 R2a2 R2c2 R2b3"
    assert watch(only, last).promise("leave_square", square="b1", turns=1).place("R1b1") == ["lapsed"]


def test_a_pyramid_goes_where_it_was_announced(watch: Watch) -> None:
    assert watch("").promise("build_at", square="b2").place("R2b2") == ["kept"]
    assert watch("").promise("build_at", square="b2").place("R2e2") == ["broken"]
    assert watch("").promise("build_at", by=1, square="b2").place("R2b2") == ["lapsed"]
    only_threes = [(0, 0, 3), (3, 3, 3)]
    unfit = watch("R3c2", only_threes).promise("build_at", square="b2")
    assert unfit.place("R3e2") == ["lapsed"], "no pyramid fitted there"


def test_sub_1_who_may_place_anywhere_may_keep_to_any_square(watch: Watch) -> None:
    free = watch("R3b2 R3e2 R3b5 R3e5", [(0, 0, 2), (3, 3, 3)], stuck="anywhere")
    free.table.state = replace(free.table.state, stage=replace(free.table.state.stage, free=True))
    assert free.promise("build_at", square="c2").place("R3c4") == ["broken"]


def test_a_reply_waits_for_what_it_replies_to(watch: Watch) -> None:
    def warn() -> Watched:
        return watch("", [(3, 3, 3)] * 3).promise("reply", by=2, to=[0], square="b2", reply="e5")

    assert warn().place("R2b2", "B2c2", "G2e5") == [None, None, "kept"]
    assert warn().place("R2b2", "B2c2", "G2d5") == [None, None, "broken"]
    assert warn().place("R2c2", "B2d2", "G2e5") == [None, None, "lapsed"]
    assert warn().place("R2c2", "B2b2") == [None, "lapsed"], "another seat built there"
    assert warn().place("R2b2", "B2e5") == [None, "lapsed"], "the reply is taken"
    assert warn().place("R2e5") == ["lapsed"]
    unfit = watch("G3d4", [(3, 3, 3), (3, 3, 3), (0, 0, 3)])
    unfit.promise("reply", by=2, to=[0], square="b2", reply="e5")
    assert unfit.place("R2b2", "B2c2", "G3f2") == [None, None, "lapsed"], "no pyramid fitted there"


def test_a_reply_promised_on_ones_own_turn_waits_for_the_next(watch: Watch) -> None:
    def warn() -> Watched:
        return watch("", [(3, 3, 3)] * 3).promise("reply", to=[1], square="b2", reply="e5")

    assert warn().place("R2c4", "B2b2", "G2c2", "R2e5") == [None, None, None, "kept"]
    assert warn().place("R2c4", "B2b2", "G2c2", "R2d5") == [None, None, None, "broken"]
    assert warn().place("R2c4", "B2d2", "G2c2", "R2e5") == [None, None, None, "lapsed"]
    assert warn().place("R2e5") == ["lapsed"], "it has taken the reply itself"
    assert warn().place("R2b2") == ["lapsed"]


def test_a_reply_that_version_1_has_stored_ends_with_the_next_pyramid(watch: Watch) -> None:
    """R34: as it did by the rules that it was made by; it has no term `left`."""

    def warn(by: int, to: int) -> Watched:
        watched = watch("", [(3, 3, 3)] * 3).promise("reply", by=by, to=[to], square="b2", reply="e5")
        terms = {name: value for name, value in watched.made.terms.items() if name != "left"}
        watched.made = replace(watched.made, terms=terms)
        return watched

    assert warn(by=0, to=1).place("R2c4") == ["lapsed"]
    assert warn(by=2, to=0).place("R2b2", "B2c4", "G2e5") == [None, None, "kept"]
    assert warn(by=2, to=0).place("R2b2", "B2c4", "G2d4") == [None, None, "broken"]
    assert warn(by=2, to=0).place("R2d2", "B2c4", "G2e5") == [None, None, "lapsed"]


def test_gen_7_the_move_of_the_clock_counts(watch: Watch) -> None:
    """The clock places Red's 2 on e2, the only square beside two of Red's pyramids."""
    pieces = "R2e1 R2d2 R2d1"
    left = watch(pieces).promise("leave_square", square="e2", turns=2)
    assert left.judge(left.table.expire) == "broken"
    announced = watch(pieces).promise("build_at", square="e2")
    assert announced.judge(announced.table.expire) == "kept"


def test_sub_1_a_pass_uses_up_no_turn_and_what_is_open_at_the_end_has_lapsed(watch: Watch) -> None:
    """Blue's last 3 fits nowhere from the start, so Blue has no turn in which to keep or break its word."""
    stuck = watch("B3b2 B3e2 B3b5 B3e5", [(0, 2, 0), (0, 0, 1)])
    stuck.promise("leave_square", by=1, square="c2", turns=1)
    assert stuck.place("R2a2", "R2a4") == [None, None], "the kit calls it lapsed when the game is over"
    assert stuck.table.public("stage").phase == "end"
    taken = watch("B3b2 B3e2 B3b5 B3e5", [(0, 2, 0), (0, 0, 1)])
    taken.promise("leave_square", by=1, square="c2", turns=1)
    assert taken.place("R2c2") == ["kept"]


@pytest.mark.parametrize("kind", ["avoid_crowding", "avoid_block"])
def test_sparing_somebody_has_lapsed_if_the_game_ends_first(watch: Watch, kind: str) -> None:
    stuck = watch("B3b2 B3e2 B3b5 B3e5", [(0, 1, 0), (1, 0, 2)])
    stuck.promise(kind, by=1, to=[0], turns=3)
    assert stuck.place("R2a2") == [None]
    assert stuck.table.public("stage").phase == "end"


def test_r30_a_promise_for_as_many_turns_is_open_once(watch: Watch) -> None:
    """Also once one of its turns is over, when it would end later."""
    watched = watch("").promise("leave_square", square="b2", turns=2)
    for moves in ((), ("R2d2",)):
        watched.place(*moves)
        view = view_public(SUBDIVISION, watched.table.state)
        again = {turns: replace(watched.made, terms={"square": "b2", "turns": turns}) for turns in (2, 3)}
        refusals = {turns: refuse(RULES, [watched.made], view, new, 2) for turns, new in again.items()}
        assert refusals == {2: Refusal("PROMISED_ALREADY", "R30"), 3: None}


def test_promises_about_one_pyramid_may_contradict_one_another(watch: Watch) -> None:
    view = view_public(SUBDIVISION, watch("B2b2", [(3, 3, 3)] * 3).table.state)

    def refused(open_promise: Promise, kind: str, *to: int, **terms: int | str) -> str | None:
        refusal = refuse(RULES, [RULES.complete(open_promise, view)], view, said(kind, *to, **terms), 3)
        return None if refusal is None else refusal.code

    def said(kind: str, *to: int, **terms: int | str) -> Promise:
        return Promise("p", Seat(0), tuple(map(Seat, to)), kind, terms, Millis(0), 0)

    building = said("build_at", square="b3")
    for kind, to, terms, code in (
        ("build_at", (), {"square": "c3"}, "CONTRADICTION"),
        ("leave_square", (2,), {"square": "b3", "turns": 1}, "CONTRADICTION"),
        ("leave_square", (), {"square": "c3", "turns": 1}, None),
        ("avoid_block", (1,), {"turns": 2}, "CONTRADICTION"),
        ("avoid_block", (2,), {"turns": 2}, None),
        ("avoid_crowding", (1,), {"turns": 2}, None),
        ("reply", (1,), {"square": "d3", "reply": "c3"}, None),
    ):
        assert refused(building, kind, *to, **terms) == code
    assert refused(said("leave_square", square="b3", turns=2), "build_at", square="b3") == "CONTRADICTION"
    warning = said("reply", 1, square="d3", reply="c3")
    assert refused(warning, "reply", 1, square="d3", reply="b3") == "CONTRADICTION"
    assert refused(warning, "reply", 2, square="d3", reply="b3") is None
    assert refused(warning, "reply", 1, square="e3", reply="b3") is None


def test_a_reply_on_the_square_it_replies_to_cannot_be_promised(watch: Watch) -> None:
    """Nobody can build where the other has: it could only lapse."""
    view = view_public(SUBDIVISION, watch("B2b2", [(3, 3, 3)] * 3).table.state)
    for reply, code in (("d3", "NO_SUCH_PROMISE"), ("c3", None)):
        promise = Promise("p", Seat(0), (Seat(1),), "reply", {"square": "d3", "reply": reply}, Millis(0), 0)
        refusal = refuse(RULES, [], view, promise, 3)
        assert (refusal and refusal.code) == code


def test_a_seat_with_1s_alone_cannot_both_build_near_a_3_and_spare_it(watch: Watch) -> None:
    for stash, code in (((2, 0, 0), "CONTRADICTION"), ((2, 1, 0), None)):
        view = view_public(SUBDIVISION, watch("B3b2", [stash, (3, 3, 2)]).table.state)
        building = Promise("p", Seat(0), (), "build_at", {"square": "b3"}, Millis(0), 0)
        sparing = Promise("p", Seat(0), (Seat(1),), "avoid_crowding", {"turns": 1}, Millis(0), 0)
        refusal = refuse(RULES, [building], view, sparing, 2)
        assert (refusal and refusal.code) == code


def test_a_seat_that_has_promised_where_to_build_is_offered_what_it_can_keep_as_well(watch: Watch) -> None:
    """`reply` has too many terms to be compared."""
    view = view_public(SUBDIVISION, watch("B2b2", [(3, 3, 3)] * 3).table.state)
    building = Promise("p", Seat(0), (), "build_at", {"square": "b3"}, Millis(0), 0)
    before = {choice.move: choice.fields for choice in RULES.choices(view, Seat(0))}
    offered = {choice.move: choice.fields for choice in list_makeable(RULES, [building], view, Seat(0))}
    assert offered["build_at"] == {"square": OneOf(("b3",))}
    squares = before["leave_square"]["square"]
    assert isinstance(squares, OneOf)
    others = OneOf(tuple(str(square) for square in squares.of if square != "b3"))
    assert offered["leave_square"] == {**before["leave_square"], "square": others}
    assert offered["avoid_block"] == {**before["avoid_block"], "to": OneOf((2,))}
    for kind in ("avoid_crowding", "reply"):
        assert offered[kind] == before[kind]


def test_nothing_is_offered_that_has_no_occasion(watch: Watch) -> None:
    view = view_public(SUBDIVISION, watch("B2b2", [(0, 0, 1), (1, 0, 0)]).table.state)
    kinds = {choice.move: choice.fields for choice in RULES.choices(view, Seat(0))}
    assert kinds.keys() == set(RULES.kinds) - {"avoid_crowding", "reply"}, "its only pyramid is for this turn"
    assert "reply" in {choice.move for choice in RULES.choices(view, Seat(1))}
    assert kinds["leave_square"]["turns"] == Range(1, 1)
    squares = kinds["build_at"]["square"]
    assert isinstance(squares, OneOf)
    assert "b2" not in squares.of
    assert "a1" not in squares.of
    done = view_public(SUBDIVISION, watch("B2b2", [(0, 0, 0), (1, 0, 0)]).table.state)
    assert RULES.choices(done, Seat(0)) == ()


def test_standings_are_the_totals(watch: Watch) -> None:
    view = view_public(SUBDIVISION, watch("R3b2 B2e5").table.state)
    assert RULES.standing(view) == (2, 1)
