"""Statistics for a sample of games: confidence intervals, quantiles, and explained variance.

Sources: Wilson (1927), "Probable inference, the law of succession, and statistical inference", JASA 22, for a
proportion; Welch (1947), "The generalization of Student's problem when several different population variances
are involved", Biometrika 34, for a difference of means (with the normal quantile: samples here are large);
Newcombe (1998), "Interval estimation for the difference between independent proportions", Statistics in
Medicine 17, method 10, for a difference of proportions, based on Wilson's; Hyndman and Fan (1996), "Sample
quantiles in statistical packages", The American Statistician 50, type 7; Kelley (1935), "An unbiased
correlation ratio measure", PNAS 21, for the proportion of the variance that groups explain.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Final, NamedTuple

CONFIDENCE: Final = 0.95


class Interval(NamedTuple):
    """An estimate and the ends of its confidence interval."""

    value: float
    low: float
    high: float


class Sample(NamedTuple):
    """A summary of some numbers: their count, mean and variance (divided by n - 1)."""

    n: int
    mean: float
    variance: float


def z(confidence: float = CONFIDENCE, comparisons: int = 1) -> float:
    """The normal quantile of a two-sided interval, with the Bonferroni correction for several comparisons."""
    return NormalDist().inv_cdf(1 - (1 - confidence) / (2 * comparisons))


def sample(values: Sequence[float]) -> Sample:
    """The summary of these values. Raises ValueError if there are none."""
    if not values:
        raise ValueError("no values")
    n = len(values)
    mean = math.fsum(values) / n
    variance = math.fsum((value - mean) ** 2 for value in values) / (n - 1) if n > 1 else 0.0
    return Sample(n, mean, variance)


def proportion(successes: float, n: int, quantile: float | None = None) -> Interval:
    """The Wilson interval for a proportion.

    Successes may be fractions: a win shared by k seats counts 1/k for each. The interval is then slightly too
    wide, but never too narrow, because among all numbers from 0 to 1 with mean p, zeros and ones have the
    greatest variance, p(1 - p). The same holds for a level that plays m seats in each of n/m games: together
    they win at most 1, so the mean of a game is at most 1/m and its variance at most p(1/m - p), less than
    p(1 - p)/m.
    """
    if n < 1 or not 0 <= successes <= n + 1e-9:
        raise ValueError(f"{successes} of {n}")
    q = z() if quantile is None else quantile
    p = min(1.0, successes / n)
    middle = (p + q * q / (2 * n)) / (1 + q * q / n)
    half = q * math.sqrt(p * (1 - p) / n + q * q / (4 * n * n)) / (1 + q * q / n)
    return Interval(p, min(p, max(0.0, middle - half)), max(p, min(1.0, middle + half)))


def mean(of: Sample) -> Interval:
    """The normal interval for a mean."""
    half = z() * math.sqrt(of.variance / of.n)
    return Interval(of.mean, of.mean - half, of.mean + half)


def difference_of_means(a: Sample, b: Sample) -> Interval:
    """The difference b - a, for independent samples with unequal variances (Welch)."""
    value = b.mean - a.mean
    half = z() * math.sqrt(a.variance / a.n + b.variance / b.n)
    return Interval(value, value - half, value + half)


def difference_of_proportions(a: Interval, b: Interval) -> Interval:
    """The difference b - a, for independent samples, from their Wilson intervals (Newcombe's method 10)."""
    value = b.value - a.value
    down = math.hypot(b.value - b.low, a.high - a.value)
    up = math.hypot(b.high - b.value, a.value - a.low)
    return Interval(value, max(-1.0, value - down), min(1.0, value + up))


def quantile(ordered: Sequence[float], q: float) -> float:
    """The value below which a proportion q of these ascending numbers lies (type 7)."""
    place = (len(ordered) - 1) * q
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def epsilon_squared(groups: Sequence[Sequence[float]]) -> float:
    """The proportion of the total variance that is between the groups, 0 to 1 (Kelley's epsilon squared).

    It is corrected for what chance alone would contribute.
    """
    groups = [group for group in groups if group]
    values = [value for group in groups for value in group]
    n, k = len(values), len(groups)
    if k < 2 or n <= k:
        return 0.0
    overall = sample(values)
    total = overall.variance * (n - 1)
    if total <= 0:
        return 0.0
    between = math.fsum(len(group) * (sample(group).mean - overall.mean) ** 2 for group in groups)
    return max(0.0, 1 - (1 - between / total) * (n - 1) / (n - k))


class Bins(NamedTuple):
    """Bins of equal width: bin i holds the values from low + i * width up to but excluding the next bin."""

    low: float
    width: float
    size: int
    whole: bool
    """Whether each bin is one whole number."""

    def fill(self, values: Sequence[float]) -> list[int]:
        counts = [0] * self.size
        for value in values:
            counts[min(self.size - 1, max(0, math.floor((value - self.low) / self.width + 1e-9)))] += 1
        return counts


def bins(values: Sequence[float], most: int = 28) -> Bins:
    """Bins of a round width for these values: one per whole number if that takes at most `most` bins."""
    least, greatest = min(values), max(values)
    whole = all(float(value).is_integer() for value in values)
    width = 1.0 if whole else _round_up((greatest - least) / most)
    while width <= 0 or math.floor(greatest / width) - math.floor(least / width) + 1 > most:
        width = _round_up(width * 1.01) if width > 0 else 1.0
    low = math.floor(least / width) * width
    return Bins(low, width, math.floor((greatest - low) / width + 1e-9) + 1, whole and width == 1.0)


def _round_up(width: float) -> float:
    """Rounds up to 1, 2 or 5 times a power of ten."""
    if width <= 0:
        return 0.0
    scale = 10.0 ** math.floor(math.log10(width) + 1e-12)
    return next(step * scale for step in (1, 2, 5, 10) if step * scale >= width * (1 - 1e-12))
