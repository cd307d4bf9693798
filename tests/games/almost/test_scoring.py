"""Who wins a round and a game of Almost or Banbury Merton Street."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.almost.rules.rounds import lowest_unique, standing
from games.almost.rules.values import HIGHEST, Row, Stage
from games.api import Outcome, Seat
from tests.games.almost.rounds import TableOf, bid_all, go_on

VECTORS = json.loads((Path(__file__).parent.parent / "vectors.json").read_text())["almost"]


# --- 4f: examples ---


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_alm_t1_to_t8_one_round(table: TableOf, vector: dict[str, Any]) -> None:
    bids, winner = vector["bids"], vector["winnerIndex"]
    assert lowest_unique(tuple(bids)) == winner
    played = table("almost", len(bids), discussion="none")
    bid_all(played, *bids)
    score = played.public("score")
    assert score.rows[-1].bids == tuple(bids)
    assert score.rows[-1].winner == winner
    assert score.points == tuple(vector["points"] if seat == winner else 0 for seat in range(len(bids)))
    if winner is None:
        assert played.told("almost.nobodyScored") == [{"round": 1}]
    else:
        assert played.told("almost.scored") == [{"seat": winner, "number": vector["points"], "round": 1}]


def test_alm_t5_ten_wins_at_once_and_still_plays_on(table: TableOf) -> None:
    played = table("almost", 4, discussion="none")
    bid_all(played, 10, 1, 1, 1)
    assert played.public("score").needs == (0, 10, 10, 10)
    go_on(played)
    assert played.public("stage").phase == "bid"  # ALM-5: all rounds are played
    assert 0 in next(
        prompt.seats for prompt in played.game.prompts(played.state) if prompt.kind == "bid"
    )  # ALM-7


def test_alm_t9_at_most_three_of_four_win(table: TableOf) -> None:
    played = table("almost", 4, discussion="none")
    together = [played.public("score").together]
    for bids in ((10, 1, 1, 1), (1, 10, 1, 1), (1, 1, 10, 1)):
        bid_all(played, *bids)
        together.append(played.public("score").together)
        go_on(played)
    assert played.outcome == Outcome((Seat(0), Seat(1), Seat(2)), (10, 10, 10, 0))
    assert together == [3, 3, 3, 3]
    assert played.told("almost.won") == [{"seats": [0, 1, 2]}]


def test_alm_t11_more_than_ten_wins(table: TableOf) -> None:
    played = table("almost", 3, discussion="none")
    for bids in ((4, 1, 1), (7, 2, 2)):
        bid_all(played, *bids)
        go_on(played)
    assert played.outcome == Outcome((Seat(0),), (11, 0, 0))


def test_alm_t12_nine_plus_one_wins(table: TableOf) -> None:
    played = table("almost", 3, discussion="none")
    for bids in ((9, 1, 1), (1, 5, 5)):
        bid_all(played, *bids)
        go_on(played)
    assert played.outcome == Outcome((Seat(0),), (10, 0, 0))


@pytest.mark.parametrize(
    ("scoring", "winner", "scores"), [("roundsWon", 0, (4, 3, 2)), ("sumOfEntries", 1, (5, 12, 9))]
)
def test_alm_t14_banbury(table: TableOf, scoring: str, winner: int, scores: tuple[int, ...]) -> None:
    """A wins with 1, 1, 2, 1; B with 3, 4, 5; C with 7, 2; one round is void."""
    played = table("almost", 3, mode="banbury", scoring=scoring)
    rounds = [
        (1, 2, 2), (1, 3, 4), (2, 3, 3), (1, 9, 9),
        (1, 3, 1), (2, 4, 2), (6, 5, 6),
        (3, 3, 7), (9, 9, 2), (5, 5, 5),
    ]  # fmt: skip
    for bids in rounds:
        bid_all(played, *bids)
        go_on(played)
    assert played.outcome == Outcome((Seat(winner),), scores)
    assert played.public("score").points == (5, 12, 9)
    assert played.public("score").wins == (4, 3, 2)


# --- the core rule, for all bids ---


@given(st.lists(st.integers(1, 12), min_size=1, max_size=10))
def test_alm_3_the_lowest_unique_bid_wins(bids: list[int]) -> None:
    winner = lowest_unique(tuple(bids))
    alone = [bid for bid in bids if bids.count(bid) == 1]
    if winner is None:
        assert not alone
    else:
        assert bids[winner] == min(alone)


@given(st.integers(3, 7), st.data())
def test_at_least_one_seat_cannot_win(seats: int, data: st.DataObject) -> None:
    """4g: each round pays at most ten points to one seat, so the seats can never all reach ten."""
    stage = Stage("almost", "roundsWon", "reveal", 1, seats - 1, 10, 10)
    points, wins, rows = [0] * seats, [0] * seats, []
    reachable = set(range(seats))
    for number in range(1, seats):
        bids = tuple(data.draw(st.lists(st.integers(1, 10), min_size=seats, max_size=seats)))
        winner = lowest_unique(bids)
        if winner is not None:
            points[winner] += bids[winner]
            wins[winner] += 1
        rows.append(Row(bids, (), (None,) * seats, winner))
        score = standing(stage, tuple(rows), tuple(points), tuple(wins))
        left = seats - 1 - number
        can = {seat for seat in range(seats) if 10 - points[seat] <= 10 * left}
        assert {seat for seat in range(seats) if score.can[seat]} == can
        assert can <= reachable
        reachable = can
        already = sum(own_points >= 10 for own_points in points)
        assert score.together == min(seats - 0, already + min(left, seats - already))
        assert score.together < seats


@pytest.mark.parametrize(
    ("scoring", "points", "wins", "needs", "can", "together"),
    [
        ("roundsWon", (3, 0, 9, 0), (3, 0, 1, 0), (0, 3, 2, 3), (True, False, True, False), 2),
        ("sumOfEntries", (3, 0, 9, 0), (3, 0, 1, 0), (6, 9, 0, 9), (True,) * 4, 3),
    ],
)
def test_seats_that_can_still_win_in_banbury(
    scoring: Any,
    points: tuple[int, ...],
    wins: tuple[int, ...],
    needs: tuple[int, ...],
    can: tuple[bool, ...],
    together: int,
) -> None:
    stage = Stage("banbury", scoring, "reveal", 8, 10, None, HIGHEST)
    rows = (Row((1, 1, 1, 1), (), (None,) * 4, None),) * 8
    score = standing(stage, rows, points, wins)
    assert score.needs == needs
    assert score.can == can
    assert score.together == together


def test_alm_12_equal_results_share_the_win(table: TableOf) -> None:
    played = table("almost", 3, mode="banbury", banburyRounds=2)
    for bids in ((1, 2, 2), (2, 1, 2)):
        bid_all(played, *bids)
        go_on(played)
    assert played.outcome == Outcome((Seat(0), Seat(1)), (1, 1, 0))


def test_gen_10_all_share_if_nobody_won_a_round(table: TableOf) -> None:
    played = table("almost", 3, mode="banbury", banburyRounds=1)
    bid_all(played, 4, 4, 4)
    go_on(played)
    assert played.outcome.winners == (0, 1, 2)
