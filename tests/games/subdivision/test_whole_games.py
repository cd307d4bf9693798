"""Whole games of Subdivision from the examples, and passing (SUB-1)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from games.api import OneOf, Outcome, Seat
from games.subdivision.rules.board import name_of
from games.subdivision.rules.game import SUBDIVISION
from games.subdivision.rules.values import Piece, Place, Total
from tests.games.subdivision.positions import (
    COLOURS,
    VECTORS,
    TableOf,
    at,
    dead_end,
    picture,
    place,
    rotated,
    set_up,
    turn,
)


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_sub_t1_to_t5_whole_games(table: TableOf, vector: dict[str, Any]) -> None:
    seats, size = len(vector["scores"]), vector["size"]
    parks = ", ".join(vector["parks"]).upper()
    played = table(SUBDIVISION, seats, set=vector["set"], parks="hostDraws", pattern=parks)
    seat_of = rotated(played, seats)
    leaders: list[tuple[tuple[int, ...], int, int]] = []
    """After each pyramid: who leads, the square, and the number of pyramids left."""
    for move in vector["moves"]:
        if move[1:] != "pass":
            assert turn(played) == seat_of(move[0])
            place(played, seat_of(move[0]), int(move[1]), move[2:])
            totals = [one.total for one in played.public("score").totals]
            seats_ahead = tuple(seat for seat, total in enumerate(totals) if total == max(totals))
            leaders.append((seats_ahead, at(move[2:], size), sum(map(sum, played.public("stash").left))))
            since = len(leaders) - 1
            while since and leaders[since - 1][0] == seats_ahead:
                since -= 1
            lead = played.public("stage").lead
            assert (lead.seats, lead.square, lead.left) == leaders[since]
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


def test_sub_t5_a_stuck_seat_passes_and_the_game_ends(table: TableOf) -> None:
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
