"""Subdivision's setup: boards, parks, options, and the order of play."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, get_args

import msgspec
import pytest

from games.api import Millis, OneOf, Refusal, Seat
from games.dice import Dice
from games.subdivision.rules import board as ground
from games.subdivision.rules.board import (
    GROUNDS,
    all_neighbours,
    edge_neighbours,
    name_of,
    pattern,
    square_at,
)
from games.subdivision.rules.game import SUBDIVISION
from games.subdivision.rules.values import Parks, SubdivisionOptions
from tests.games.subdivision.positions import TableOf, at, place, set_up, turn
from tests.games.subdivision.reference import reference_near, reference_neighbours


def test_3a_sizes_parks_and_pyramids_by_set_and_seats() -> None:
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
def test_3a_every_pyramid_has_a_square_and_parks_are_symmetric(key: Any) -> None:
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
        assert not any(set(all_neighbours(6)[park]) & set(parks) for park in parks)


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
def test_patterns_are_parsed(text: str, size: int, parks: tuple[int, ...] | None) -> None:
    assert pattern(text, size) == parks


@pytest.mark.parametrize("size", [5, 6, 7, 8])
def test_squares_and_their_neighbours(size: int) -> None:
    for square in range(size * size):
        assert square_at(name_of(square, size), size) == square
        assert set(all_neighbours(size)[square]) == reference_near(size, square)
        assert set(edge_neighbours(size)[square]) == reference_neighbours(size, square)
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
@pytest.mark.parametrize("drawn", ["", "a1", "Z99"])
def test_sub_13_without_parks_their_options_do_nothing(table: TableOf, parks: str, drawn: str) -> None:
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
def test_sub_12_players_place_the_parks_and_turn_order_continues(
    table: TableOf, kind: str, seats: int
) -> None:
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
