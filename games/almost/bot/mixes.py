"""Mixed strategies for bidding without a plan: symmetric equilibria of one round, and their expected results.

A single round is known as LUPI (lowest unique positive integer; Östling, Wang, Chou and Camerer, "Testing
Game Theory in the Field: Swedish LUPI Lottery Games", 2011, authors.library.caltech.edu/27718).
The tables were computed by replicator dynamics for bids of 1 to 10, with one win or the points won as the
payoff. No other bid gains more than 0.005 of a win, or 0.02 points, against them
(tests/games/almost/test_bot.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Final, TypeAlias

from games.kit.memo import memoize

Weights: TypeAlias = tuple[int, ...]
"""How often to bid 1, 2, 3 and so on, relative to the sum of the weights."""

WINS: Final[dict[int, Weights]] = {
    3: (456, 248, 135, 73, 40, 21, 10, 6, 5, 5),
    4: (448, 425, 126, 2, 0, 0, 0, 0, 0, 0),
    5: (358, 315, 191, 95, 35, 6, 1, 0, 0, 0),
    6: (327, 297, 231, 122, 22, 1, 0, 0, 0, 0),
    7: (295, 270, 225, 141, 58, 11, 1, 0, 0, 0),
    8: (271, 251, 218, 157, 82, 20, 1, 0, 0, 0),
    9: (251, 235, 209, 164, 100, 36, 5, 0, 0, 0),
    10: (235, 221, 199, 165, 113, 54, 12, 1, 0, 0),
}
"""By number of seats: the equilibrium when every win counts the same (ten numbers)."""

POINTS: Final[dict[int, Weights]] = {
    3: (0, 221, 182, 126, 90, 70, 60, 57, 62, 132),
    4: (231, 258, 232, 146, 55, 26, 18, 14, 11, 8),
    5: (171, 202, 179, 134, 87, 57, 43, 38, 39, 50),
    6: (182, 210, 197, 160, 111, 61, 30, 20, 15, 13),
    7: (166, 193, 185, 156, 113, 70, 41, 29, 24, 23),
    8: (158, 185, 183, 162, 126, 84, 46, 25, 17, 14),
    9: (149, 175, 175, 160, 131, 93, 54, 29, 19, 15),
    10: (140, 166, 168, 158, 135, 102, 65, 34, 18, 13),
}
"""By number of seats: the equilibrium when a win scores its number (ten numbers)."""

SUMS: Final[dict[int, Weights]] = {
    3: (0, 109, 172, 123, 85, 63, 49, 41, 35, 31, 28, 25, 24, 23, 22, 22, 23, 25, 30, 71),
    4: (181, 224, 191, 139, 80, 43, 29, 21, 17, 13, 11, 9, 8, 7, 6, 5, 5, 4, 4, 3),
    5: (138, 181, 157, 116, 75, 49, 35, 29, 24, 22, 20, 18, 17, 16, 16, 15, 16, 16, 18, 23),
    6: (163, 191, 175, 137, 93, 56, 34, 25, 20, 17, 15, 13, 11, 10, 9, 8, 7, 6, 6, 5),
    7: (153, 178, 168, 137, 96, 58, 34, 24, 20, 17, 15, 14, 13, 12, 11, 11, 10, 10, 10, 10),
    8: (149, 174, 169, 145, 109, 69, 39, 24, 18, 15, 13, 12, 11, 10, 9, 8, 7, 7, 6, 6),
    9: (141, 166, 164, 146, 116, 79, 44, 24, 17, 14, 12, 11, 10, 9, 9, 8, 8, 7, 7, 6),
    10: (135, 159, 159, 147, 122, 88, 53, 28, 17, 13, 11, 10, 9, 9, 8, 7, 7, 6, 6, 6),
}
"""Like POINTS, but for twenty numbers: Banbury has no highest number, but nobody needs to go above 20."""

DYNAMICS_STEPS: Final = 24
"""Steps of replicator dynamics towards the equilibrium for a different payoff."""


@memoize
def get_mix(seats: int, most: int, for_points: bool) -> Weights:
    """The mix for this many seats over the numbers 1 to `most`.

    A longer table is truncated; a shorter one has its last weight spread over the remaining numbers.
    """
    weights = (POINTS if most <= 10 else SUMS)[seats] if for_points else WINS[seats]
    if most <= len(weights):
        return weights[:most]
    tail = most - len(weights) + 1
    spread = max(1, weights[-1] // tail)
    return (*weights[:-1], *(spread,) * tail) if weights[-1] else (*weights, *(0,) * (tail - 1))


def compute_win_chances(weights: Sequence[float], opponents: int) -> tuple[float, ...]:
    """Each number's chance of winning against opponents who all bid independently with these weights."""
    total = sum(weights)
    wins: list[float] = []
    below = 0.0
    # remaining[m]: the chance that m opponents bid higher, with no unique number so far
    remaining = [0.0] * opponents + [1.0]
    for weight in weights:
        below += weight
        above = max(0.0, total - below) / total
        wins.append(sum(chance * above**m for m, chance in enumerate(remaining)))
        share = weight / total
        new_remaining = [0.0] * (opponents + 1)
        for m, chance in enumerate(remaining):
            if chance:
                for bidders in range(m + 1):
                    if bidders != 1:
                        new_remaining[m - bidders] += chance * comb(m, bidders) * share**bidders
        remaining = new_remaining
    return tuple(wins)


@memoize
def estimate_success(need: int, rounds: int, seats: int, most: int) -> float:
    """The chance of gaining `need` points within these rounds if every seat follows the points mix."""
    if need <= 0:
        return 1.0
    if rounds <= 0 or need > rounds * most:
        return 0.0
    weights = get_mix(seats, most, True)
    total = sum(weights)
    reach, stay = 0.0, 1.0
    for number, (weight, win) in enumerate(zip(weights, _get_points_chances(seats, most), strict=True), 1):
        chance = weight / total * win
        if chance:
            stay -= chance
            reach += chance * estimate_success(need - number, rounds - 1, seats, most)
    return reach + stay * estimate_success(need, rounds - 1, seats, most)


@memoize
def find_equilibrium(worth: tuple[float, ...], seats: int) -> Weights:
    """An approximate equilibrium when winning with each number is worth this much to every seat.

    Runs replicator dynamics from the points mix. If no number is worth anything, returns that mix.
    """
    weights = [float(weight + 5) for weight in get_mix(seats, len(worth), True)]
    for _ in range(DYNAMICS_STEPS if len(worth) <= 20 else 0):
        payoffs = [
            points * chance
            for points, chance in zip(worth, compute_win_chances(weights, seats - 1), strict=True)
        ]
        mean = sum(weight * payoff for weight, payoff in zip(weights, payoffs, strict=True)) / sum(weights)
        if mean <= 0:
            break
        weights = [
            weight * (1 + min(3.0, payoff / mean)) / 2
            for weight, payoff in zip(weights, payoffs, strict=True)
        ]
    total = sum(weights)
    return tuple(round(1000 * weight / total) for weight in weights)


@memoize
def _get_points_chances(seats: int, most: int) -> tuple[float, ...]:
    return compute_win_chances(get_mix(seats, most, True), seats - 1)
