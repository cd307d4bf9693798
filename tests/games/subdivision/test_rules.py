"""Subdivision: every example by its id, every option, every ruling, and a comparison with a second scorer."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

from games.api import Millis, OneOf, Outcome, Refusal, Running, Seat
from games.dice import Dice
from games.kit.time_control import Extend, LastCall
from games.subdivision.rules import board as ground
from games.subdivision.rules import scoring
from games.subdivision.rules.board import GROUNDS, fits, name_of, near, next_to, pattern, refuse, square_at
from games.subdivision.rules.game import SUBDIVISION
from games.subdivision.rules.values import (
    Board,
    Crowd,
    Garden,
    Park,
    Parks,
    Piece,
    Place,
    Preview,
    Score,
    Set,
    Stash,
    SubdivisionOptions,
    Total,
)
from games.testing.conformance import digest, digest_elsewhere
from tests.games.subdivision import reference
from tests.games.subdivision.reference import (
    reference_legal,
    reference_near,
    reference_neighbours,
    reference_score,
)

VECTORS = json.loads((Path(__file__).parent.parent / "vectors.json").read_text())["subdivision"]
COLOURS = "RBGY"
PRIVATE = SubdivisionOptions(private_parks=True)
BY_PLAYER = SubdivisionOptions(private_parks=True, park_ring="player")

TableOf = Callable[..., Any]


def at(name: str, size: int = 6) -> int:
    square = square_at(name, size)
    assert square is not None
    return square


def built(pieces: str, parks: str = "", size: int = 6) -> Board:
    """A board with these pieces, such as R3c5: colour, pips, square."""
    parks_pattern = pattern(parks, size)
    assert parks_pattern is not None
    board = ground.bare(size, parks_pattern)
    for word in pieces.split():
        board = ground.put(board, at(word[2:], size), Piece(Seat(COLOURS.index(word[0])), int(word[1])))
    return board


def totals(board: Board, options: SubdivisionOptions = PRIVATE, seats: int = 2) -> list[int]:
    return [total.total for total in scoring.score(board, seats, options).totals]


def picture(board: Board) -> list[str]:
    """The board as the examples draw it, the highest row on top; R is seat 0."""
    size = board.size

    def cell(square: int) -> str:
        piece = board.squares[square]
        if piece is None:
            return "##" if square in board.parks else ".."
        return f"{COLOURS[piece.seat]}{piece.pips}"

    rows = reversed(range(size))
    return [" ".join(cell(column + size * row) for column in range(size)) for row in rows]


def place(table: Any, seat: int, pips: int, name: str) -> None:
    table.do(seat, "place", "place", pips=pips, square=at(name, table.public("board").size))


def turn(table: Any) -> int:
    turn = table.public("stage").turn
    assert turn is not None
    return int(turn)


def set_up(table: Any, pieces: str, stash: list[tuple[int, int, int]], start: int = 0) -> None:
    """Puts the table in the middle of a game, with these pieces, this stash, and this seat's turn."""
    state = table.state
    board = built(pieces, size=state.board.size)
    assert not any(board.squares[park] for park in state.board.parks)
    timer = replace(state.timer, concerns=(Seat(start),))
    table.state = replace(
        state,
        board=replace(board, parks=state.board.parks),
        stash=Stash(tuple(stash)),
        stage=replace(state.stage, turn=Seat(start)),
        timer=timer,
    )


# --- 3f: whole games ---


def rotated(table: Any, colours: int) -> Callable[[str], int]:
    """A function from a colour to its seat; R begins."""
    start = turn(table)
    return lambda colour: (start + COLOURS.index(colour)) % colours


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_sub_t1_to_t5_whole_games(table: TableOf, vector: dict[str, Any]) -> None:
    seats, size = len(vector["scores"]), vector["size"]
    parks = ", ".join(vector["parks"]).upper()
    played = table(SUBDIVISION, seats, set=vector["set"], parks="hostDraws", pattern=parks)
    seat_of = rotated(played, seats)
    for move in vector["moves"]:
        if move[1:] != "pass":
            assert turn(played) == seat_of(move[0])
            place(played, seat_of(move[0]), int(move[1]), move[2:])
    back = {seat_of(colour): seat for seat, colour in enumerate(COLOURS[:seats])}
    board, score = played.public("board"), played.public("score")
    turned = tuple(
        None if piece is None else Piece(Seat(back[piece.seat]), piece.pips) for piece in board.squares
    )
    assert picture(replace(board, squares=turned)) == vector["final"]
    assert board.last == at(next(move for move in reversed(vector["moves"]) if "pass" not in move)[2:], size)
    for colour, expected in vector["scores"].items():
        seat = seat_of(colour)
        lost = {
            name_of(crowd.square, size): crowd.lost
            for crowd in score.crowds
            if crowd.lost and board.squares[crowd.square].seat == seat
        }
        assert lost == expected["ded"]
        crowded = sum(lost.values())
        assert score.totals[seat] == Total(
            expected["pips"], expected["groups"], crowded, expected["parks"], expected["total"]
        )
        assert sum(group.seat == seat for group in score.groups) == expected["groups"]
    best = max(expected["total"] for expected in vector["scores"].values())
    winners = [seat_of(colour) for colour, one in vector["scores"].items() if one["total"] == best]
    assert played.outcome == Outcome(tuple(map(Seat, winners)), tuple(one.total for one in score.totals))
    assert played.told("subdivision.won") == [{"seats": winners}]
    assert played.public("stage").phase == "end"


def dead_end(table: TableOf, **options: Any) -> tuple[Any, int]:
    """SUB-T5 up to its last placement, and Blue's seat."""
    vector = VECTORS[4]
    played = table(SUBDIVISION, 2, set="threeHouse", **options)
    seat_of = rotated(played, 2)
    for move in vector["moves"][:-2]:
        place(played, seat_of(move[0]), int(move[1]), move[2:])
    return played, seat_of("B")


def test_sub_t5_who_can_place_nothing_passes_and_the_game_ends(table: TableOf) -> None:
    played, blue = dead_end(table)
    assert played.told("subdivision.passed") == [{"seat": blue}]  # Red has nothing left, and does not pass
    assert played.told("subdivision.stuck") == [{}]
    stage = played.public("stage")
    assert (stage.phase, stage.turn, stage.passed, stage.number) == ("end", None, (blue,), 18)
    assert played.public("stash").left[blue] == (0, 0, 1)
    assert [line.key.partition(".")[2] for line in played.lines[-4:]] == ["placed", "passed", "stuck", "won"]


def test_sub_1_anywhere_lets_a_stuck_seat_ignore_the_restrictions(table: TableOf) -> None:
    played, blue = dead_end(table, stuck="anywhere")
    stage = played.public("stage")
    assert (stage.turn, stage.free, stage.passed) == (blue, True, ())
    assert played.told("subdivision.free") == [{"seat": blue}]
    choices = played.game.choices(played.state, Seat(blue))
    square = at("e4", 5)
    assert choices[played.prompt("place", blue)][0].fields == {
        "pips": OneOf((3,)),
        "square": OneOf((square,)),
    }
    shown = played.game.preview(played.state, Seat(blue), Place(3, square))
    place(played, blue, 3, "e4")
    assert shown.data.totals == played.public("score").totals
    assert isinstance(played.outcome, Outcome)
    assert not played.told("subdivision.passed")
    assert not played.told("subdivision.stuck")


def test_sub_1_a_pass_is_temporary(table: TableOf) -> None:
    played = table(SUBDIVISION, 2)
    set_up(played, "R2b1 B2f5", [(0, 1, 1), (2, 0, 0)])
    before = played.public("stage").number
    place(played, 0, 2, "b2")
    assert played.told("subdivision.passed") == [{"seat": 1}]
    assert (turn(played), played.public("stage").passed) == (0, (1,))
    assert played.public("stage").number == before + 2  # a placement and a pass
    place(played, 0, 3, "b3")
    assert (turn(played), played.public("stage").passed) == (1, ())
    place(played, 1, 1, "c4")
    assert played.told("subdivision.passed") == [{"seat": 1}]
    assert turn(played) == 1  # Red has nothing left and is skipped without a line
    assert played.public("stage").passed == ()


def test_sub_1_two_seats_pass_in_a_row(table: TableOf) -> None:
    played = table(SUBDIVISION, 4)
    set_up(played, "R2b1", [(1, 2, 0), (1, 0, 0), (1, 0, 0), (0, 1, 0)])
    place(played, 0, 2, "b2")
    assert turn(played) == 3
    assert played.public("stage").passed == (1, 2)
    assert played.told("subdivision.passed") == [{"seat": 1}, {"seat": 2}]
    place(played, 3, 2, "h7")
    assert turn(played) == 0
    place(played, 0, 2, "b3")
    assert played.public("stage").phase == "end"  # only 1s are left
    assert played.public("stage").passed == (1, 2, 0)
    assert played.public("stash").left == ((1, 0, 0), (1, 0, 0), (1, 0, 0), (0, 0, 0))


# --- 3f: positions ---


def test_sub_t7_the_empty_board() -> None:
    board = built("", "a1 c3")
    for seat in range(4):
        assert fits(board, seat, 1) == ()
        assert fits(board, seat, 2) == fits(board, seat, 3) == ground.empty(board)
    assert len(ground.empty(board)) == 34


@pytest.mark.parametrize(
    ("pieces", "move", "code"),
    [
        ("R3c3", "R1c4", "NEEDS_FOREIGN"),  # SUB-T8
        ("R3c3", "B1d4", None),
        ("R3c3", "B1f6", "NEEDS_FOREIGN"),
        ("R3c3", "R3d4", "NEAR_OWN"),
        ("R3c3", "B3c4", None),
        ("R3c3", "R3e3", None),
        ("B2c3", "R1c4", "NEEDS_FOREIGN"),  # SUB-T9
        ("B1c3", "R1d4", None),
        ("B1c3", "B1d4", "NEEDS_FOREIGN"),
        ("R1c3 B1c4 B1d3 R1e5", "R3d4", None),  # SUB-7: a 3 next to any 1s
        ("R3c3 B3e3 B1d3", "R2d4", None),
        ("R3c3", "B2c3", "OCCUPIED"),
        ("R3c3", "B2a1", "ON_PARK"),
        ("", "R1b1", "NEEDS_FOREIGN"),  # SUB-8: a park is neither a 1 nor a 3
        ("R3a6", "B1f6", "NEEDS_FOREIGN"),  # the board does not wrap around
    ],
)
def test_sub_t8_t9_what_may_stand_where(pieces: str, move: str, code: str | None) -> None:
    board = built(pieces, "a1")
    seat, pips, square = Seat(COLOURS.index(move[0])), int(move[1]), at(move[2:])
    refusal = refuse(board, seat, pips, square)
    assert (None if refusal is None else refusal.code) == code
    assert (square in fits(board, seat, pips)) == (code is None)
    anywhere = refuse(board, seat, pips, square, free=True)
    assert (anywhere is None) == (code in (None, "NEEDS_FOREIGN", "NEAR_OWN"))
    assert (square in fits(board, seat, pips, free=True)) == (anywhere is None)


def test_sub_t10_worth_of_the_threes() -> None:
    board = built("R3a2 R1a1 B3c2 R1c1 B1d1 R1d2 B1d3 R3f2 B1e3 R1f3")
    crowds = scoring.score(board, 2, PRIVATE).crowds
    assert {name_of(crowd.square, 6): (crowd.ones, 3 - crowd.lost) for crowd in crowds} == {
        "a2": (1, 3),
        "c2": (4, 0),
        "f2": (2, 2),
    }


def test_sub_t11_a_lone_three() -> None:
    ring = ["b2", "b3", "b4", "c2", "c4", "d2", "d3", "d4"]
    scores = [totals(built(" ".join(["R3c3", *(f"B1{name}" for name in ring[:n])])))[0] for n in range(9)]
    assert scores == [2, 2, 1, 0, -1, -1, -1, -1, -1]


def test_sub_6_own_ones_count_too() -> None:
    board = built("R3c3 R1c2 R1c4 B1d4")
    assert scoring.score(board, 2, PRIVATE).crowds == (Crowd(at("c3"), 3, 2),)
    assert totals(board) == [5 - 1 - 2, 0]


def test_sub_t12_diagonals_do_not_join() -> None:
    board = built("R2b2 R2c3 R2d4")
    assert [group.squares for group in scoring.score(board, 2, PRIVATE).groups] == [
        (at("b2"),),
        (at("c3"),),
        (at("d4"),),
    ]
    assert totals(board) == [3, 0]
    assert totals(built("B3b2 R1b3")) == [0, 2]


@pytest.mark.parametrize(
    ("parks", "pieces", "group", "player"),
    [
        ("a1", "R2a2 R2b2 R3b1", [9, 0], [9, 0]),  # SUB-T13 (a)
        ("a1", "R2a2 R2b2 B3b1", [3, 2], [3, 2]),  # (b)
        ("c1", "R2b1 R1b2 R2c2 R3d2 R2d1", [12, 0], [12, 0]),  # (c)
        ("a2 b1", "R2a1 R2b2 R2b3 R2a3 R2c1 R2c2", [10, 0], [16, 0]),  # (d)
        ("a1 b1", "R2a2 R2b2 R2c2 R2c1", [13, 0], [13, 0]),  # SUB-T14
        ("a1", "R2a2 R2b2", [3, 0], [3, 0]),  # SUB-10: an empty square nearby
        ("a1 a2 b1 b2", "R2c1 R2c2 R2c3 R2b3 R2a3", [18, 0], [18, 0]),  # SUB-9: parks alone make no ring
    ],
)
def test_sub_t13_t14_private_parks(parks: str, pieces: str, group: list[int], player: list[int]) -> None:
    board = built(pieces, parks)
    assert totals(board, PRIVATE) == group
    assert totals(board, BY_PLAYER) == player
    assert totals(board, SubdivisionOptions()) == [
        total.total - total.gardens for total in scoring.score(board, 2, PRIVATE).totals
    ]


def test_sub_10_gardens_say_whose_they_are() -> None:
    board = built("R2a2 R2b2 R2b1 B2e1 B3e2 B2f2", "a1 f1")
    score = scoring.score(board, 2, PRIVATE)
    assert score.gardens == (Garden(at("a1"), Seat(0)), Garden(at("f1"), Seat(1)))
    assert [total.gardens for total in score.totals] == [3, 3]


def test_3d_nothing_placed_counts_nothing() -> None:
    score = scoring.score(built("", "a1 b2"), 3, PRIVATE)
    assert score == Score((Total(0, 0, 0, 0, 0),) * 3, (), (), ())
    assert score is scoring.score(built("", "a1 f6 c3"), 3, BY_PLAYER)


def test_3d_equal_totals_share_the_win() -> None:
    score = scoring.score(built("R2a1 B2c1 G1e1"), 3, PRIVATE)
    assert scoring.outcome(score) == Outcome((Seat(0), Seat(1)), (1, 1, 0))


# --- 3a: boards, parks, options ---


def test_3a_the_tables() -> None:
    grounds = {key: (one.size, one.parks, 3 * one.per_size) for key, one in GROUNDS.items()}
    assert grounds == {
        ("fullStash", 2): (6, 6, 15),
        ("fullStash", 3): (7, 4, 15),
        ("fullStash", 4): (8, 4, 15),
        ("threeHouse", 2): (5, 7, 9),
        ("threeHouse", 3): (6, 9, 9),
        ("threeHouse", 4): (6, 0, 9),
    }


@pytest.mark.parametrize("key", GROUNDS)
def test_3a_squares_are_as_many_as_pyramids_and_parks_are_symmetric(key: Any) -> None:
    one = GROUNDS[key]
    assert one.size**2 - one.parks == key[1] * 3 * one.per_size
    parks = pattern(one.symmetric, one.size)
    assert parks is not None
    assert len(parks) == one.parks
    last = one.size**2 - 1
    if one.parks != 9:
        assert {last - park for park in parks} == set(parks)
    else:  # point symmetry is impossible: the parks are mirrored across the diagonal, no two near each other
        assert {park % 6 * 6 + park // 6 for park in parks} == set(parks)
        assert not any(set(near(6)[park]) & set(parks) for park in parks)


@pytest.mark.parametrize(
    ("text", "size", "parks"),
    [
        ("a1 b1", 6, (0, 1)),
        ("B1,A1", 6, (0, 1)),
        (" c2 ,\t a1\n", 5, (0, 7)),
        ("a1 a1", 6, (0,)),
        ("", 6, ()),
        ("h8", 8, (63,)),
        ("h8", 7, None),
        ("f6", 5, None),
        ("a0", 6, None),
        ("a9", 8, None),
        ("a11", 8, None),
        ("1a", 8, None),
        ("a1;a2", 8, None),
        ("a\u0661", 8, None),
    ],
)
def test_patterns_are_read(text: str, size: int, parks: tuple[int, ...] | None) -> None:
    assert pattern(text, size) == parks


@pytest.mark.parametrize("size", [5, 6, 7, 8])
def test_squares_and_their_neighbours(size: int) -> None:
    for square in range(size * size):
        assert square_at(name_of(square, size), size) == square
        assert set(near(size)[square]) == reference_near(size, square)
        assert set(next_to(size)[square]) == reference_neighbours(size, square)
    assert square_at("b1", size) == 1
    assert square_at("a2", size) == size


@pytest.mark.parametrize(
    "drawn",
    ["", "a1", "a1 a2 a3 a4 a5 a6 b1", "a1 a2 a3 a4 a5 a5", "a1 a2 a3 a4 a5 g1", "a1 a2 a3 a4 a5 x"],
)
def test_sub_14_a_pattern_must_have_the_tables_number_of_parks(drawn: str) -> None:
    options = SubdivisionOptions(parks="hostDraws", pattern=drawn)
    assert SUBDIVISION.refuse_options(2, options) == Refusal("PATTERN", "SUB-14", {"parks": 6})
    assert SUBDIVISION.refuse_options(2, SubdivisionOptions(pattern=drawn)) is None  # the pattern is not used


def test_sub_14_any_pattern_is_allowed(table: TableOf) -> None:
    played = table(SUBDIVISION, 2, parks="hostDraws", pattern="a2 b1 b2, F6 e6 f5 ")
    names = ["b1", "a2", "b2", "f5", "e6", "f6"]  # a1 is cut off
    assert played.public("board").parks == tuple(map(at, names))
    assert played.told("subdivision.parks") == [{"squares": names}]


@pytest.mark.parametrize("seats", [1, 5])
def test_two_to_four_seats(seats: int) -> None:
    refusal = SUBDIVISION.refuse_options(seats, SubdivisionOptions())
    assert refusal == Refusal("SEATS", "SUB-15", {"least": 2, "most": 4})


@pytest.mark.parametrize("parks", get_args(Parks))
@pytest.mark.parametrize("drawn", ["", "a1", "nowhere"])
def test_sub_13_where_there_are_no_parks_their_options_do_nothing(
    table: TableOf, parks: str, drawn: str
) -> None:
    played = table(SUBDIVISION, 4, set="threeHouse", parks=parks, pattern=drawn, privateParks=True)
    assert played.public("board").parks == ()
    assert played.public("stage").phase == "place"
    assert played.told("subdivision.parks") == []
    assert len(ground.empty(played.state.board)) == 36


@pytest.mark.parametrize(("kind", "seats"), GROUNDS)
def test_symmetric_and_random_parks(table: TableOf, kind: str, seats: int) -> None:
    one = GROUNDS[kind, seats]  # type: ignore[index]
    played = table(SUBDIVISION, seats, set=kind)
    assert played.public("board").parks == pattern(one.symmetric, one.size)
    assert [draw.label for draw in played.dice.draws] == ["start"]
    patterns = set()
    for seed in range(5):
        options = SubdivisionOptions(set=kind, parks="random")  # type: ignore[arg-type]
        state = SUBDIVISION.setup(seats, options, Millis(0), Dice(b"%d" % seed)).state
        assert len(set(state.board.parks)) == one.parks
        assert list(state.board.parks) == sorted(state.board.parks)
        patterns.add(state.board.parks)
    assert len(patterns) == (5 if one.parks else 1)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_sub_15_a_random_seat_begins_and_turns_go_clockwise(table: TableOf, seats: int) -> None:
    starts = Counter(
        SUBDIVISION.setup(seats, SubdivisionOptions(), Millis(0), Dice(b"%d" % seed)).state.stage.turn
        for seed in range(200)
    )
    assert set(starts) == set(range(seats))
    assert min(starts.values()) > 200 // seats // 2
    played = table(SUBDIVISION, seats)
    start = turn(played)
    assert played.told("subdivision.began") == [{"seat": start}]
    for step, name in enumerate(["b3", "d3", "f3", "b5", "d5", "f5"]):
        assert turn(played) == (start + step) % seats
        place(played, turn(played), 2, name)


@pytest.mark.parametrize(
    ("kind", "seats"), [key for key, one in GROUNDS.items() if one.parks], ids=lambda value: str(value)
)
def test_sub_12_players_set_the_parks_and_the_order_goes_on(table: TableOf, kind: str, seats: int) -> None:
    one = GROUNDS[kind, seats]  # type: ignore[index]
    played = table(SUBDIVISION, seats, set=kind, parks="parkPlacement")
    start, score = turn(played), played.public("score")
    assert played.told("subdivision.parks") == []
    for number in range(one.parks):
        stage, seat = played.public("stage"), (start + number) % seats
        assert (stage.phase, stage.turn, stage.number, stage.parks_left) == (
            "parks",
            seat,
            number,
            one.parks - number,
        )
        assert played.prompt("park", seat) == f"park:{number}"
        (choice,) = played.game.choices(played.state, Seat(seat))[f"park:{number}"]
        assert choice.fields == {"square": OneOf(tuple(range(number, one.size**2)))}
        if number:
            assert played.refused(seat, "park", "park", square=0) == "ON_PARK"
        assert played.refused(seat, "park", "place", pips=2, square=20) == "OTHER_PROMPT"
        if one.size < 8:
            assert played.refused(seat, "park", "park", square=one.size**2) == "OFF_BOARD"
        played.do(seat, "park", "park", square=number)
        assert played.public("score") is score
    assert turn(played) == (start + one.parks) % seats
    stage = played.public("stage")
    assert (stage.phase, stage.number, stage.parks_left) == ("place", one.parks, 0)
    assert played.prompt("place", turn(played)) == f"place:{one.parks}"
    assert played.public("board").parks == tuple(range(one.parks))
    squares = [line["square"] for line in played.told("subdivision.park")]
    assert squares == [name_of(number, one.size) for number in range(one.parks)]


def test_sub_9_private_parks_in_a_game(table: TableOf) -> None:
    pieces = "R2a1 R2b2 R2b3 R2a3 R2c1 R2c2"
    scores = {}
    for options in ({}, {"privateParks": True}, {"privateParks": True, "parkRing": "player"}):
        played = table(SUBDIVISION, 2, parks="hostDraws", pattern="a2 b1 e6 f6 f5 e5", **options)
        set_up(played, pieces, [(0, 1, 0), (0, 0, 0)])
        place(played, 0, 2, "d1")
        scores[json.dumps(options)] = played.outcome.scores[0]
    assert list(scores.values()) == [12, 12, 18]


@pytest.mark.parametrize(
    "options",
    [
        {"set": "zendo"},
        {"parks": "none"},
        {"parkRing": "both"},
        {"stuck": "end"},
        {"pattern": "a" * 65},
        {"privateParks": 1},
        {"unknown": 1},
    ],
)
def test_3a_options_have_bounds(options: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(options, SubdivisionOptions)


# --- 3b: refusals and choices ---


def test_gen_3_refusals(table: TableOf) -> None:
    played = table(SUBDIVISION, 2)
    set_up(played, "R3c4 B2d5", [(1, 1, 1), (1, 0, 1)])
    for code, pips, square in (
        ("ON_PARK", 2, at("a1")),
        ("OCCUPIED", 2, at("c4")),
        ("OFF_BOARD", 2, 36),
        ("OFF_BOARD", 2, 63),
        ("NEAR_OWN", 3, at("b4")),
        ("NEEDS_FOREIGN", 1, at("b4")),
    ):
        assert played.refused(0, "place", "place", pips=pips, square=square) == code
    assert played.refused(0, "place", "park", square=at("b4")) == "OTHER_PROMPT"
    assert played.refused(0, "place", "extend") == "OTHER_PROMPT"
    assert played.refused(0, "place", "lastCall") == "OTHER_PROMPT"
    assert played.refused(0, "extend", "place", pips=2, square=at("b4")) == "OTHER_PROMPT"
    place(played, 0, 2, "b4")
    assert played.refused(1, "place", "place", pips=2, square=at("b5")) == "NONE_LEFT"


def test_gen_4_the_ask_changes_with_every_turn(table: TableOf) -> None:
    played = table(SUBDIVISION, 3)
    ids = []
    for name in ("b1", "b3", "b5"):
        ids.append(played.prompt("place", turn(played)))
        place(played, turn(played), 2, name)
    assert ids == ["place:0", "place:1", "place:2"]


def test_choices_are_one_for_each_size_that_fits(table: TableOf) -> None:
    played = table(SUBDIVISION, 2)
    start = turn(played)
    choices = played.game.choices(played.state, Seat(start))["place:0"]
    assert [(choice.move, choice.fields["pips"]) for choice in choices] == [
        ("place", OneOf((2,))),
        ("place", OneOf((3,))),
    ]
    assert played.game.choices(played.state, Seat(1 - start)) == {}
    place(played, start, 3, "a2")
    choices = played.game.choices(played.state, Seat(1 - start))["place:1"]
    assert [choice.fields["pips"] for choice in choices] == [OneOf((1,)), OneOf((2,)), OneOf((3,))]
    assert choices[0].fields["square"] == OneOf(tuple(map(at, ["b1", "b2", "a3", "b3"])))


def test_preview_is_what_the_move_does(table: TableOf) -> None:
    played = table(SUBDIVISION, 2, privateParks=True)
    for move in VECTORS[0]["moves"][:12]:
        seat, pips, square = turn(played), int(move[1]), at(move[2:])
        shown = played.game.preview(played.state, Seat(seat), Place(pips, square))  # type: ignore[arg-type]
        place(played, seat, pips, move[2:])
        assert shown.data == Preview(played.public("score").totals)
    seat = turn(played)
    for other in (Place(2, at("a1")), Place(2, at("c5")), Place(2, 63), Park(3), Extend(), LastCall()):
        assert played.game.preview(played.state, Seat(seat), other) is None


# --- 3b: time ---


def test_3b_timers(table: TableOf) -> None:
    played = table(SUBDIVISION, 3, parks="parkPlacement")
    spans = []
    for _ in range(6):
        before = played.at
        window = played.expire()
        spans.append((window, played.at - before))
    assert spans == [
        ("park:0", 30_000),
        ("park:1", 30_000),
        ("park:2", 30_000),
        ("park:3", 30_000),
        ("place:4", 45_000),
        ("place:5", 45_000),
    ]
    assert len(played.told("subdivision.auto")) == 6
    seat = turn(played)  # the server has played for it twice in a row
    assert played.public("time_control").missed_in_a_row == (2, 2, 2)
    assert played.window("away").clock == Running(Millis(played.at + 10_000))
    assert played.expire() == f"place:6:away:{seat}"
    assert turn(played) == (seat + 1) % 3


@pytest.mark.parametrize(("timers", "seconds"), [("relaxed", (60, 90)), ("fast", (15, 22.5))])
def test_gen_6_pace(table: TableOf, timers: str, seconds: tuple[float, float]) -> None:
    played = table(SUBDIVISION, 2, parks="parkPlacement", timers=timers)
    assert played.window("park").clock == Running(Millis(int(seconds[0] * 1000)))
    for square in range(6):
        played.do(turn(played), "park", "park", square=square)
    assert played.window("place").clock == Running(Millis(int(seconds[1] * 1000)))


def test_gen_6_without_timers_anybody_calls_the_last_minute(table: TableOf) -> None:
    played = table(SUBDIVISION, 3, timers="off")
    assert played.game.windows(played.state) == ()
    seat = turn(played)
    caller = (seat + 1) % 3
    assert set(played.game.choices(played.state, Seat(caller))) == {"lastCall:place:0"}
    played.at = Millis(9_000_000)
    played.do(caller, "lastCall", "lastCall")
    assert played.window("place").clock == Running(Millis(9_060_000))
    assert played.expire() == "place:0"
    assert played.told("subdivision.auto") == [{"seat": seat}]
    assert played.game.windows(played.state) == ()  # again, the next turn has no clock


def test_gen_6_extensions(table: TableOf) -> None:
    played = table(SUBDIVISION, 2)
    seat = turn(played)
    assert set(played.game.choices(played.state, Seat(seat))) == {"place:0", "extend:place:0:0"}
    played.do(seat, "extend", "extend")
    assert played.window("place").clock == Running(Millis(105_000))
    assert played.game.extension(played.state, Seat(seat), "place:0") == Extend()
    assert played.game.extension(played.state, Seat(1 - seat), "place:0") is None
    assert played.game.extension(played.state, Seat(seat), "place:1") is None
    played.do(seat, "extend", "extend")
    assert played.game.extension(played.state, Seat(seat), "place:0") is None
    assert played.public("time_control").extensions[seat] == 0
    assert set(played.game.choices(played.state, Seat(seat))) == {"place:0"}


def test_gen_7_who_is_away_is_back_with_a_move(table: TableOf) -> None:
    played = table(SUBDIVISION, 2)
    start = turn(played)
    for _ in range(2):
        played.expire()
        place(played, 1 - start, 2, free_name(played))
    assert played.told("timeControl.away") == [{"seat": start}]
    place(played, start, 2, free_name(played))
    assert played.told("timeControl.back") == [{"seat": start}]
    assert played.public("time_control").missed_in_a_row == (0, 0)


def free_name(table: Any) -> str:
    board = table.public("board")
    return name_of(ground.empty(board)[0], board.size)


@pytest.mark.parametrize(
    ("pieces", "best"),
    [
        ("R2b2 R2d2 R1c1 R3b4 R3c5 B2d5 B2f5 B2e6", {"c2"}),  # diagonals do not count
        ("R2b2 R2d2 R1c1 R3b4 R3a3", {"c2", "b3"}),
        ("R1b2 B3b3", {"b1", "a2", "c2"}),
    ],
)
def test_3b_time_up_a_two_where_most_of_ones_own_are_beside(
    table: TableOf, pieces: str, best: set[str]
) -> None:
    placed = set()
    for seed in range(20):
        played = table(SUBDIVISION, 2)
        set_up(played, pieces, [(1, 1, 1), (1, 1, 1)])
        played.dice = Dice(b"%d" % seed)
        played.expire()
        assert played.told("subdivision.auto") == [{"seat": 0}]
        (line,) = played.told("subdivision.placed")
        assert (line["seat"], line["pips"]) == (0, 2)
        assert played.public("board").last == at(line["square"])
        placed.add(line["square"])
    assert placed == best


def test_3b_time_up_without_a_two_any_legal_placement(table: TableOf) -> None:
    placed = set()
    for seed in range(60):
        played = table(SUBDIVISION, 2)
        set_up(played, "B3b2 R3e5", [(1, 0, 1), (1, 1, 1)])
        legal = {(1, square) for square in fits(played.state.board, 0, 1)}
        legal |= {(3, square) for square in fits(played.state.board, 0, 3)}
        played.dice = Dice(b"%d" % seed)
        played.expire()
        (line,) = played.told("subdivision.placed")
        assert (line["pips"], at(line["square"])) in legal
        placed.add(line["square"])
        assert [draw[:2] for draw in played.dice.draws] == [("auto:0", len(legal))]
    assert len(placed) > 15


def test_3b_time_up_for_a_seat_that_may_place_anywhere(table: TableOf) -> None:
    played, blue = dead_end(table, stuck="anywhere")
    played.expire()
    assert played.told("subdivision.placed")[-1] == {"seat": blue, "pips": 3, "square": "e4"}
    assert isinstance(played.outcome, Outcome)


def test_a_window_that_is_not_open_is_no_window(table: TableOf) -> None:
    played = table(SUBDIVISION, 2)
    with pytest.raises(ValueError, match="no such window"):
        played.game.expire(played.state, "place:7", Millis(0), Dice(b"x"))
    ended, _ = dead_end(table)
    with pytest.raises(ValueError, match="over"):
        ended.game.expire(ended.state, "place:18", Millis(0), Dice(b"x"))
    assert ended.game.extension(ended.state, Seat(0), "place:18") is None
    assert ended.game.choices(ended.state, Seat(0)) == {}


# --- 3c: who sees what ---


def test_3c_everything_is_public(table: TableOf) -> None:
    played = table(SUBDIVISION, 4, parks="parkPlacement")
    played.expire()
    for seat in range(4):
        assert played.game.private(played.state, Seat(seat)) == {}
        assert played.game.talk_policy(played.state, Seat(seat)).mode == "open"
        assert played.game.resample(played.state, Seat(seat), Dice(b"x")) is played.state
    assert played.game.talk_policy(played.state, None).mode == "closed"
    assert set(played.game.public(played.state)) == set(SUBDIVISION.sections)


def test_a_state_of_another_version_cannot_be_carried_over() -> None:
    state = SUBDIVISION.setup(3, SubdivisionOptions(), Millis(0), Dice(b"x")).state
    assert SUBDIVISION.upgrade(SUBDIVISION.version, msgspec.to_builtins(state)) == state
    assert SUBDIVISION.upgrade(0, msgspec.to_builtins(state)) is None


# --- the contract ---


@pytest.mark.parametrize("hash_seed", [0, 4242])
def test_g7_the_same_on_every_hash_seed(hash_seed: int) -> None:
    assert digest_elsewhere("games.subdivision.rules.game:SUBDIVISION", hash_seed) == digest(SUBDIVISION)


def test_every_value_of_an_option_has_a_playthrough() -> None:
    folder = Path(ground.__file__).parent.parent / "playthroughs"
    played = [
        msgspec.json.decode(match[1], type=SubdivisionOptions)
        for path in sorted(folder.glob("*.txt"))
        if (match := re.search(r"^  options (\{.*\})$", path.read_text(), re.MULTILINE))
    ]
    for name, values in {
        "set": get_args(Set),
        "parks": get_args(Parks),
        "private_parks": (False, True),
        "park_ring": ("group", "player"),
        "stuck": ("pass", "anywhere"),
        "timers": ("normal", "relaxed", "fast", "off"),
    }.items():
        assert {getattr(options, name) for options in played} == set(values)


# --- against the reference scorer ---


class Scene(msgspec.Struct, frozen=True):
    """A position, full or with gaps, that need not be reachable in play."""

    size: int
    seats: int
    parks: frozenset[int]
    pieces: Mapping[int, tuple[int, int]]


def scenes(count: int, chance: random.Random) -> Iterator[Scene]:
    """Random final positions; in every second one, each owner has one area, so that parks become private."""
    keys = list(GROUNDS)
    for index in range(count):
        key = keys[index % len(keys)]
        one, seats = GROUNDS[key], key[1]
        area = one.size * one.size
        parks = frozenset(
            patch(one.size, one.parks, chance) if index % 3 else chance.sample(range(area), one.parks)
        )
        squares = [square for square in range(area) if square not in parks]
        if index % 2:
            slant = chance.choice([(1, 3), (3, 1), (1, 1), (0, 1), (1, 0), (1, -1)])
            squares.sort(key=lambda square: slant[0] * (square % one.size) + slant[1] * (square // one.size))
            owners = sorted(list(range(seats)) * (3 * one.per_size))
        else:
            chance.shuffle(squares)
            owners = list(range(seats)) * (3 * one.per_size)
        sizes = chance.choices((1, 2, 3), (1, 1, 1), k=len(squares))
        pieces = dict(zip(squares, zip(owners, sizes, strict=True), strict=True))
        for gap in chance.sample(squares, chance.choice([0, 0, 1, 3, len(squares) // 2])):
            del pieces[gap]
        yield Scene(one.size, seats, parks, pieces)


def patch(size: int, count: int, chance: random.Random) -> set[int]:
    """A random set of `count` squares, most of them near each other."""
    squares: set[int] = set()
    while len(squares) < count:
        ways = [other for square in squares for other in near(size)[square] if other not in squares]
        squares.add(chance.choice(ways) if ways and chance.random() < 0.7 else chance.randrange(size * size))
    return squares


def board_of(scene: Scene) -> Board:
    squares: list[Piece | None] = [None] * scene.size**2
    for square, (seat, pips) in scene.pieces.items():
        squares[square] = Piece(Seat(seat), pips)
    return Board(scene.size, tuple(sorted(scene.parks)), tuple(squares))


@pytest.fixture
def quicker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Caches which squares are near each other in the reference version."""
    for name in ("reference_near", "reference_neighbours"):
        monkeypatch.setattr(reference, name, lru_cache(None)(getattr(reference, name)))


@pytest.mark.usefixtures("quicker")
@pytest.mark.parametrize("count", [2_000, pytest.param(10_000, marks=pytest.mark.at_length)])
def test_scores_are_those_of_the_slow_scorer(count: int) -> None:
    gardens: Counter[str] = Counter()
    for scene in scenes(count, random.Random(3)):
        board, shape = board_of(scene), (scene.size, set(scene.parks), dict(scene.pieces), scene.seats)
        plain = reference_score(*shape, False, "group")
        assert totals(board, SubdivisionOptions(), scene.seats) == plain, scene
        for options in (PRIVATE, BY_PLAYER):
            expected = reference_score(*shape, True, options.park_ring)
            assert totals(board, options, scene.seats) == expected, (scene, options.park_ring)
            gardens[options.park_ring] += expected != plain
    assert gardens["player"] > gardens["group"] > count / 10  # the comparison covers both options


@pytest.mark.usefixtures("quicker")
def test_legal_placements_are_those_of_the_slow_rules() -> None:
    chance = random.Random(5)
    for scene in scenes(2_000, chance):
        thinned = {square: piece for square, piece in scene.pieces.items() if chance.random() < 0.4}
        board = board_of(replace(scene, pieces=thinned))
        left = tuple(chance.choice([0, 1, 5]) for _ in range(3))
        seat = chance.randrange(scene.seats)
        placements = ground.placements(board, seat, left)  # type: ignore[arg-type]
        expected = reference_legal(scene.size, set(scene.parks), thinned, seat, left)  # type: ignore[arg-type]
        assert {(pips, square) for pips, squares in placements for square in squares} == expected, scene
