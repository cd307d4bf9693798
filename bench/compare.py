"""Compares two versions: both hubs run at the same time and play alternately, for a tenth of a second each.

Each version has its own folder, environment and load generator. A pair is one run of both hubs as fresh
processes, started in alternating order; within it they take turns, so that other work on the machine affects
both equally; short turns, because that work comes and goes within a second. The ratio of a pair is the new
version's server CPU divided by the old one's. All means are geometric; the interval is over the pairs (95%,
Student's t on the logarithms).
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import geometric_mean, mean, median, stdev
from types import TracebackType
from typing import Final, Self

from bench.machine import CannotMeasure
from bench.servers import ROOT

FIGURES: Final = {"rooms": "a command, 250 rooms", "watchers": "a watcher's frame, 1,000 watchers"}
TURNS: Final = {"rooms": 60, "watchers": 16}
"""The number of turns of each version within a pair. A watcher's frame varies more between processes than
between turns, so many short pairs give a narrower interval than a few long ones."""
TURN_SECONDS: Final = 0.1
CALM_SECONDS: Final = 3.0
"""The pause before each figure: a hub that was overloaded thins its watchers for a while (ADR 41)."""
LEAST_PAIRS: Final = 2

T_975: Final = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)
"""The 97.5th percentile of Student's t for 1 to 30 degrees of freedom; the last is also used for more
(NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2)."""


class Driven:
    """`bench.drive` of one version, run in its folder. Raises CannotMeasure if it exits too early."""

    def __init__(self, folder: Path, figures: Sequence[str]) -> None:
        python = folder / ".venv" / "bin" / "python"
        if not python.exists():
            raise CannotMeasure(f"{folder} is not set up: run `make bench` there first.")
        self._folder = folder
        self._process = subprocess.Popen(
            [python, "-m", "bench.drive", *figures],
            cwd=folder,
            env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._line()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()  # closes its input, so that it exits

    def measure(self, figure: str) -> float:
        """The server's CPU in one turn, in microseconds."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{figure} {TURN_SECONDS}\n")
        self._process.stdin.flush()
        return float(self._line())

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise CannotMeasure(f"`python -m bench.drive` exited in {self._folder}: its output is above.")
        return line


def compare(old: Path, pairs: int, figures: Sequence[str]) -> str:
    """Measures this many pairs of these figures and returns the report as text. Raises CannotMeasure."""
    if pairs < LEAST_PAIRS:
        raise CannotMeasure(f"--pairs must be at least {LEAST_PAIRS}: one pair has no interval.")
    microseconds: dict[str, list[tuple[float, float]]] = {figure: [] for figure in figures}
    for number in range(pairs):
        for figure, pair in _pair(old, figures, newest_first=number % 2 == 1).items():
            microseconds[figure].append(pair)
        latest = (f"{figure} {pair[-1][1] / pair[-1][0]:.3f}" for figure, pair in microseconds.items())
        print(f"pair {number + 1} of {pairs}: new / old: {', '.join(latest)}", file=sys.stderr)
    rows = [f"{'server CPU per':<36}{'old':>10}{'new':>10}{'new / old':>12}   95% interval"]
    for figure in figures:
        before, after = zip(*microseconds[figure], strict=True)
        ratio, low, high = interval(before, after)
        cells = f"{median(before):>7.1f} us{median(after):>7.1f} us{ratio:>12.3f}"
        rows.append(f"{FIGURES[figure]:<36}{cells}   {low:.3f} to {high:.3f}")
    return "\n".join(rows)


def interval(before: Sequence[float], after: Sequence[float]) -> tuple[float, float, float]:
    """The geometric mean of after / before over all pairs, and the bounds of its 95% confidence interval."""
    logarithms = [math.log(new / old) for old, new in zip(before, after, strict=True)]
    freedom = len(logarithms) - 1
    centre = mean(logarithms)
    reach = T_975[min(freedom, len(T_975)) - 1] * stdev(logarithms) / math.sqrt(len(logarithms))
    return math.exp(centre), math.exp(centre - reach), math.exp(centre + reach)


def _pair(old: Path, figures: Sequence[str], *, newest_first: bool) -> dict[str, tuple[float, float]]:
    """For each figure, the microseconds of the old and of the new version: the means of their turns.

    `newest_first`: which of them starts first, since the second finds less free memory in one piece.
    """
    with ExitStack() as stack:
        folders = (ROOT, old) if newest_first else (old, ROOT)
        started = {folder: stack.enter_context(Driven(folder, figures)) for folder in folders}
        versions = started[old], started[ROOT]
        turns: dict[str, list[tuple[float, float]]] = {figure: [] for figure in figures}
        for figure in figures:
            time.sleep(CALM_SECONDS)
            for number in range(TURNS[figure]):
                if number % 2 == 0:
                    first, second = (version.measure(figure) for version in versions)
                else:
                    second, first = (version.measure(figure) for version in reversed(versions))
                turns[figure].append((first, second))
    means: dict[str, tuple[float, float]] = {}
    for figure, measured in turns.items():
        before, after = zip(*measured, strict=True)
        means[figure] = geometric_mean(before), geometric_mean(after)
    return means
