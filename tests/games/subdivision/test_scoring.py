"""Subdivision's scores: towers, groups, parks and totals."""

from __future__ import annotations

import pytest

from games.api import Outcome, Seat
from games.subdivision.rules import scoring
from games.subdivision.rules.board import name_of
from games.subdivision.rules.values import Crowd, Garden, Score, SubdivisionOptions, Total
from tests.games.subdivision.positions import BY_PLAYER, PRIVATE, at, built, totals


def test_sub_t10_the_worth_of_threes() -> None:
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


def test_sub_6_a_seats_own_ones_count_too() -> None:
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


def test_sub_10_gardens_name_their_owner() -> None:
    board = built("R2a2 R2b2 R2b1 B2e1 B3e2 B2f2", "a1 f1")
    score = scoring.score(board, 2, PRIVATE)
    assert score.gardens == (Garden(at("a1"), Seat(0)), Garden(at("f1"), Seat(1)))
    assert [total.gardens for total in score.totals] == [3, 3]


def test_3d_an_empty_board_scores_nothing() -> None:
    score = scoring.score(built("", "a1 b2"), 3, PRIVATE)
    assert score == Score((Total(0, 0, 0, 0, 0),) * 3, (), (), ())
    assert score is scoring.score(built("", "a1 f6 c3"), 3, BY_PLAYER)


def test_3d_equal_totals_share_the_win() -> None:
    score = scoring.score(built("R2a1 B2c1 G1e1"), 3, PRIVATE)
    assert scoring.outcome(score) == Outcome((Seat(0), Seat(1)), (1, 1, 0))
