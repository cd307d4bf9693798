"""The reference scoring of Share and Share Alike reproduces the examples in the rulings (1f)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.games.shares.reference_scoring import reference_rounded, reference_scores

SOME = [[5, 3, 2, 3, 2], [4, 4, 0, 2, 5], [1, 2, 8, 0, 4], [6, 0, 0, 5, 4]]
FOUR = [[15 if company == seat else 0 for company in range(5)] for seat in range(4)]
ALL_IN_A = [[15, 0, 0, 0, 0]] * 4

SCORINGS = {
    "SSA-T11": (
        [9, 7, 5, 3, 1],
        "average",
        SOME,
        "1000 800 600 400 200",
        "5075/6 6770/9 13925/18 1885/3",
        [0],
    ),
    "SSA-T12": (
        [7, 5, 5, 2, 0],
        "average",
        SOME,
        "1000 700 700 400 200",
        "1665/2 6370/9 14965/18 1885/3",
        [0],
    ),
    "SSA-T13": ([7, 5, 5, 2, 0], "low", SOME, "1000 600 600 400 200", "4675/6 1990/3 4375/6 1885/3", [0]),
    "SSA-T15": ([0] * 5, "average", SOME, "600 600 600 600 600", "1535/2 2210/3 4865/6 685", [2]),
    "SSA-T16": ([4, 3, 2, 1, 0], "average", FOUR, "1000 800 600 400 200", "1000 800 600 400", [0]),
    "SSA-T17": (
        [3, 1, 1, 1, 0],
        "average",
        ALL_IN_A,
        "1000 600 600 600 200",
        "250 250 250 250",
        [0, 1, 2, 3],
    ),
}
"""From 1f and vectors.json: floors, ties, holdings of each seat; prizes, scores, winners."""
SHARE_VALUES = {
    "SSA-T11": "125/2 800/9 60 40 40/3",
    "SSA-T12": "125/2 700/9 70 40 40/3",
    "SSA-T13": "125/2 200/3 60 40 40/3",
    "SSA-T15": "75/2 200/3 60 60 40",
    "SSA-T16": "200/3 160/3 40 80/3 -",
    "SSA-T17": "50/3 - - - -",
}
CLAIMED = {"SSA-T16": [15, 15, 15, 15, 0], "SSA-T17": [60, 0, 0, 0, 0]}


def of_floors(counts: list[int]) -> list[list[str]]:
    return [["S"] * count for count in counts]


@pytest.mark.parametrize("name", SCORINGS)
def test_ssa_t11_to_t17_scores(name: str) -> None:
    floors, tie, shares, prizes, scores, winners = SCORINGS[name]
    found = reference_scores(of_floors(floors), shares, "floors", tie, "exact")
    assert found.prizes == [Fraction(prize) for prize in prizes.split()]
    assert found.claimed == CLAIMED.get(name, [16, 9, 10, 10, 15])
    values = [None if value == "-" else Fraction(value) for value in SHARE_VALUES[name].split()]
    assert found.values == values
    assert found.scores == [Fraction(points) for points in scores.split()]
    assert found.winners == winners
    paid = [prize for prize, number in zip(found.prizes, found.claimed, strict=True) if number]
    assert sum(found.scores) == sum(paid)


def test_ssa_t13_the_winner_changes_under_high() -> None:
    found = reference_scores(of_floors([7, 5, 5, 2, 0]), SOME, "floors", "high", "exact")
    assert found.prizes == [1000, 800, 800, 400, 200]
    assert found.winners == [2]


def test_ssa_t14_rounding_flips_the_winner() -> None:
    towers = of_floors([7, 5, 5, 2, 0])
    floored = reference_scores(towers, SOME, "floors", "average", "floor")
    assert floored.values == [62, 77, 70, 40, 13]
    assert [floored.scores[0], floored.scores[2]] == [827, 828]
    assert floored.winners == [2]
    nearest = reference_scores(towers, SOME, "floors", "average", "nearest")
    assert [nearest.scores[0], nearest.scores[2]] == [830, 830]
    assert nearest.winners == [0, 2]
    assert reference_rounded(Fraction(125, 2), "nearest") == 62
    assert reference_rounded(Fraction(127, 2), "nearest") == 64


def test_ssa_1_pips() -> None:
    towers = [["S", "S", "S"], ["L"], ["M", "M"], [], []]
    floors = reference_scores(towers, SOME, "floors", "average", "exact").prizes
    assert floors == [1000, 600, 800, 300, 300]
    assert reference_scores(towers, SOME, "pips", "average", "exact").prizes == [700, 700, 1000, 300, 300]


@pytest.mark.parametrize("wrong", [("x", "low", "exact"), ("pips", "x", "exact"), ("pips", "low", "x")])
def test_unknown_scoring_options_are_refused(wrong: tuple[str, str, str]) -> None:
    with pytest.raises(ValueError, match="no such"):
        reference_scores(of_floors([1] * 5), SOME, *wrong)
