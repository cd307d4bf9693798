"""A second scoring of Share and Share Alike, slow and simple, written from the rulings (1d) alone."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import NamedTuple

PRIZES = [1000, 800, 600, 400, 200]
PIPS = {"L": 3, "M": 2, "S": 1}


class Scored(NamedTuple):
    """The result of a game; a company's entry in `values` is None if nobody holds it (SSA-5)."""

    prizes: list[Fraction]
    claimed: list[int]
    values: list[Fraction | None]
    scores: list[Fraction]
    winners: list[int]


def reference_scores(
    towers: list[list[str]], holdings: list[list[int]], metric: str, tie: str, rounding: str
) -> Scored:
    """Prizes and scores in exact points, as in 1d, for five towers of "L", "M", "S".

    `metric` is floors or pips (SSA-1), `tie` average, high or low (SSA-2), `rounding` exact, nearest (half
    to even, SSA-T14) or floor, for the value of a share (SSA-4). Other options raise ValueError.
    """
    heights = [reference_height(tower, metric) for tower in towers]
    prizes = [reference_prize(heights, company, tie) for company in range(len(towers))]
    claimed = [sum(own[company] for own in holdings) for company in range(len(towers))]
    values: list[Fraction | None] = []
    for prize, number in zip(prizes, claimed, strict=True):
        values.append(None if number == 0 else reference_rounded(prize / number, rounding))
    scores = []
    for own in holdings:
        score = Fraction(0)
        for number, value in zip(own, values, strict=True):
            if value is not None:
                score += number * value
        scores.append(score)
    winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
    return Scored(prizes, claimed, values, scores, winners)


def reference_height(tower: list[str], metric: str) -> int:
    if metric == "floors":
        return len(tower)
    if metric == "pips":
        return sum(PIPS[size] for size in tower)
    raise ValueError(f"no such metric: {metric}")


def reference_prize(heights: list[int], company: int, tie: str) -> Fraction:
    """The prize of one company, from the places that all companies of its height share."""
    above = sum(height > heights[company] for height in heights)
    level = sum(height == heights[company] for height in heights)
    shared = PRIZES[above : above + level]
    if tie == "average":
        return Fraction(sum(shared), level)
    if tie == "high":
        return Fraction(shared[0])
    if tie == "low":
        return Fraction(shared[-1])
    raise ValueError(f"no such tie: {tie}")


def reference_rounded(value: Fraction, rounding: str) -> Fraction:
    if rounding == "exact":
        return value
    if rounding == "nearest":
        return Fraction(round(value))
    if rounding == "floor":
        return Fraction(floor(value))
    raise ValueError(f"no such rounding: {rounding}")
