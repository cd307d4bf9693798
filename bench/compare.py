"""Two versions against each other: each in its own folder, with its own bench, measured in turns.

A version's figures are multiples of its floor, so that what the machine does meanwhile divides out. Versions
take turns, and the second of a pair is measured first in the next. The ratio of a pair is new / old; its mean
is the geometric one, with a 95 % confidence interval (Student's t over the logarithms).
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean, median, stdev
from typing import Final

from bench.machine import CannotMeasure
from bench.servers import ROOT

MEASURE: Final = ("-m", "bench", "--short")
LEAST_PAIRS: Final = 2

T_975: Final = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)
"""The 97.5th percentile of Student's t for 1 to 30 degrees of freedom; 30 stands for more (NIST/SEMATECH
e-Handbook of Statistical Methods, 1.3.6.7.2)."""


def compare(old: Path, pairs: int) -> str:
    """Measures `pairs` pairs and reports, as text. Raises CannotMeasure."""
    if pairs < LEAST_PAIRS:
        raise CannotMeasure(f"--pairs must be at least {LEAST_PAIRS}: one pair has no interval.")
    versions = {"old": old, "new": ROOT}
    multiples: dict[str, list[Mapping[str, float]]] = {name: [] for name in versions}
    for number in range(pairs):
        for name in sorted(versions, reverse=number % 2 == 0):
            multiples[name].append(_measured(versions[name]))
        print(
            f"pair {number + 1} of {pairs}: "
            + "; ".join(f"{name} {_cells(multiples[name][-1])}" for name in versions),
            file=sys.stderr,
        )
    rows = [f"{'multiple of the floor':<24}{'old':>8}{'new':>8}{'new / old':>12}   95 % interval"]
    for figure in multiples["new"][0]:
        before = [each[figure] for each in multiples["old"]]
        after = [each[figure] for each in multiples["new"]]
        ratio, low, high = interval(before, after)
        name = figure.replace("_", " ")
        rows.append(
            f"{name:<24}{median(before):>8.2f}{median(after):>8.2f}{ratio:>12.3f}   {low:.3f} to {high:.3f}"
        )
    return "\n".join(rows)


def interval(before: Sequence[float], after: Sequence[float]) -> tuple[float, float, float]:
    """The geometric mean of after / before over pairs, and the bounds of its 95 % confidence interval."""
    logarithms = [math.log(new / old) for old, new in zip(before, after, strict=True)]
    freedom = len(logarithms) - 1
    centre = mean(logarithms)
    reach = T_975[min(freedom, len(T_975)) - 1] * stdev(logarithms) / math.sqrt(len(logarithms))
    return math.exp(centre), math.exp(centre - reach), math.exp(centre + reach)


def _measured(folder: Path) -> Mapping[str, float]:
    python = folder / ".venv" / "bin" / "python"
    if not python.exists():
        raise CannotMeasure(f"{folder} is not set up: run `make test` or `make bench` there first.")
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([python, *MEASURE], cwd=folder, env=clean, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise CannotMeasure(f"`python {' '.join(MEASURE)}` failed in {folder}: what it said stands above.")
    multiples: Mapping[str, float] = json.loads(done.stdout)
    return multiples


def _cells(multiples: Mapping[str, float]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {value:.2f}" for name, value in multiples.items())
