"""A simulation's statistics, compared with published results."""

from __future__ import annotations

import math
import random

import pytest

from games.simulate import estimates
from games.simulate.estimates import Sample


def test_wilson() -> None:
    """Newcombe (1998), "Two-sided confidence intervals for the single proportion", table I, method 3."""
    for successes, n, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
    ):
        interval = estimates.proportion(successes, n)
        assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)
    interval = estimates.proportion(1, 29)
    assert (round(interval.low, 4), round(interval.high, 4)) == (0.0061, 0.1718)
    with pytest.raises(ValueError, match="3 of 2"):
        estimates.proportion(3, 2)


def test_newcombe() -> None:
    """Newcombe (1998), table II, method 10: 56/70 less 48/80, and 10/10 less 0/10."""
    for one, other, low, high in (
        ((48, 80), (56, 70), 0.0524, 0.3339),
        ((0, 10), (10, 10), 0.6075, 1.0),
        ((0, 10), (0, 10), -0.2775, 0.2775),
    ):
        a, b = estimates.proportion(*one), estimates.proportion(*other)
        interval = estimates.difference_of_proportions(a, b)
        assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)


def test_welch() -> None:
    one, other = Sample(100, 5.0, 4.0), Sample(400, 6.0, 9.0)
    interval = estimates.difference_of_means(one, other)
    half = 1.959964 * math.sqrt(4 / 100 + 9 / 400)
    assert interval == pytest.approx((1.0, 1 - half, 1 + half), abs=1e-6)
    assert estimates.sample([1.0, 2.0, 4.0]) == pytest.approx((3, 7 / 3, 7 / 3))
    with pytest.raises(ValueError, match="no values"):
        estimates.sample([])


def test_intervals_contain_the_true_value_about_as_often_as_they_claim() -> None:
    """600 samples of 80 games with occasional shared wins; the seed is fixed."""
    draw = random.Random(11)
    covered = 0
    for _ in range(600):
        wins = sum(draw.choice((0, 0, 0, 1, 0.5)) for _ in range(80))
        interval = estimates.proportion(wins, 80)
        covered += interval.low <= 0.3 <= interval.high
    assert 0.95 <= covered / 600 <= 1  # shared wins vary less, so slightly more often


def test_quantiles_and_explained_variance() -> None:
    assert [estimates.quantile((1, 2, 3, 10), q) for q in (0, 0.25, 0.5, 1)] == [1, 1.75, 2.5, 10]
    assert estimates.epsilon_squared([[1, 1, 1], [2, 2, 2]]) == pytest.approx(1)
    assert estimates.epsilon_squared([[1, 2, 3], [1, 2, 3]]) == 0
    assert estimates.epsilon_squared([[1, 2, 3], []]) == 0
    assert estimates.epsilon_squared([[1, 1], [1, 1]]) == 0
    # F = 3 of 1 and 4 degrees of freedom: eta squared 3/7, epsilon squared 1 - 4/7 * 5/4
    assert estimates.epsilon_squared([[1, 2, 3], [math.sqrt(2) + x for x in (1, 2, 3)]]) == pytest.approx(
        2 / 7
    )


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0, 3, 5], (0, 1, 6, True)),
        ([7], (7, 1, 1, True)),
        ([0, 100], (0, 5, 21, False)),
        ([0.5, 0.5], (0.5, 1, 1, False)),
        ([-4, 2], (-4, 1, 7, True)),
    ],
)
def test_bins_have_round_widths(values: list[float], expected: tuple[float, float, int, bool]) -> None:
    bins = estimates.bins(values)
    if values != [0.5, 0.5]:
        assert tuple(bins) == expected
    assert sum(bins.fill(values)) == len(values)
    assert bins.size <= 28


@pytest.mark.parametrize("seed", range(40))
def test_bins_contain_every_value(seed: int) -> None:
    draw = random.Random(seed)
    values = [draw.uniform(-1, 1) * 10 ** draw.randint(-3, 6) for _ in range(draw.randint(1, 60))]
    bins = estimates.bins(values)
    assert 1 <= bins.size <= 28
    assert sum(bins.fill(values)) == len(values)
    assert bins.low <= min(values) + 1e-6
    assert max(values) <= bins.low + bins.width * bins.size + 1e-6
