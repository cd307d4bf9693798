"""Placing a pyramid in Subdivision: what is legal, what is offered, and what a preview shows."""

from __future__ import annotations

import pytest

from games.api import OneOf, Seat
from games.kit.time_control import Extend, LastCall
from games.subdivision.rules import board as ground
from games.subdivision.rules.board import fits, refuse
from games.subdivision.rules.game import SUBDIVISION
from games.subdivision.rules.values import Park, Place, Preview
from tests.games.subdivision.positions import COLOURS, VECTORS, TableOf, at, built, place, set_up, turn


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
def test_sub_t8_t9_legal_and_illegal_placements(pieces: str, move: str, code: str | None) -> None:
    board = built(pieces, "a1")
    seat, pips, square = Seat(COLOURS.index(move[0])), int(move[1]), at(move[2:])
    refusal = refuse(board, seat, pips, square)
    assert (None if refusal is None else refusal.code) == code
    assert (square in fits(board, seat, pips)) == (code is None)
    anywhere = refuse(board, seat, pips, square, free=True)
    assert (anywhere is None) == (code in (None, "NEEDS_FOREIGN", "NEAR_OWN"))
    assert (square in fits(board, seat, pips, free=True)) == (anywhere is None)


def test_gen_3_refusals(table: TableOf) -> None:
    played = table(SUBDIVISION, 2)
    set_up(played, "R3c4 B2d5 B3f5", [(1, 1, 1), (1, 0, 1)])
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


def test_a_size_that_fits_nowhere_is_refused_for_that(table: TableOf) -> None:
    """SUB-7, SUB-16: whatever the square; but for one without such a pyramid, that is the reason."""
    played = table(SUBDIVISION, 2)
    set_up(played, "R3b2 R3b5 R3e2 R3e5 B2a2", [(1, 1, 1), (0, 1, 1)])
    for square in ("c4", "b2", "a2", "c3"):
        assert played.refused(0, "place", "place", pips=3, square=at(square)) == "ALL_NEAR_OWN"
        assert played.refused(0, "place", "place", pips=1, square=at(square)) == "NONE_NEAR_FOREIGN"
    assert played.refused(0, "place", "place", pips=3, square=36) == "ALL_NEAR_OWN"
    assert played.refused(0, "place", "place", pips=2, square=at("b2")) == "OCCUPIED"
    place(played, 0, 2, "c4")
    assert played.refused(1, "place", "place", pips=1, square=at("c5")) == "NONE_LEFT"


def test_gen_4_every_turn_has_a_new_prompt(table: TableOf) -> None:
    played = table(SUBDIVISION, 3)
    ids = []
    for name in ("b1", "b3", "b5"):
        ids.append(played.prompt("place", turn(played)))
        place(played, turn(played), 2, name)
    assert ids == ["place:0", "place:1", "place:2"]


def test_each_size_that_fits_is_one_choice(table: TableOf) -> None:
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


def test_a_preview_shows_what_the_move_does(table: TableOf) -> None:
    played = table(SUBDIVISION, 2, privateParks=True)
    for move in VECTORS[0]["moves"][:12]:
        seat, pips, square = turn(played), int(move[1]), at(move[2:])
        shown = played.game.preview(played.state, Seat(seat), Place(pips, square))  # type: ignore[arg-type]
        place(played, seat, pips, move[2:])
        assert shown.data == Preview(played.public("score").totals)
    seat = turn(played)
    for other in (Place(2, at("a1")), Place(2, at("c5")), Place(2, 63), Park(3), Extend(), LastCall()):
        assert played.game.preview(played.state, Seat(seat), other) is None


def test_who_can_place_nothing_any_more_is_out(table: TableOf) -> None:
    """An empty stash, or 3s alone that fit nowhere; 1s may fit again (SUB-1)."""
    everywhere = " ".join(f"R3{column}{row}" for column in "be" for row in (2, 5))
    for options, stash, out in (
        ({}, (0, 0, 0), True),
        ({}, (0, 0, 2), True),
        ({}, (0, 1, 2), False),
        ({}, (1, 0, 2), False),
        ({"stuck": "anywhere"}, (0, 0, 2), False),
        ({"stuck": "anywhere"}, (0, 0, 0), True),
    ):
        played = table(SUBDIVISION, 2, parks="parkPlacement", **options)
        set_up(played, everywhere, [stash, (2, 2, 2)], start=1)
        assert SUBDIVISION.out_seats(played.state) == ({Seat(0)} if out else set()), (options, stash)
    played = table(SUBDIVISION, 2, parks="parkPlacement")
    set_up(played, "R3b2", [(0, 0, 2), (2, 2, 2)], start=1)
    assert SUBDIVISION.out_seats(played.state) == frozenset()
