"""What the measurement of overload calls a shortfall."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from bench.overload import count_relapses, find_shortfalls

KEPT: Mapping[str, Any] = {
    "watchers": {"let_in": 8000, "at_the_end": 8000},
    "during": {"p99_ms": 340.0, "commands_per_second": 3400},
    "seated_rate": 3400,
    "levels": [0, 1, 2, 3, 2, 1],
    "level_after": 0,
    "burst": {"slowest_busy_ms": 286.0},
    "memory_mb": [104, 137, 137],
}


def test_what_was_promised_is_kept() -> None:
    assert find_shortfalls(dict(KEPT)) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"during": {"p99_ms": 501.0, "commands_per_second": 3400}}, "p99 was 501 ms"),
        ({"during": {"p99_ms": 340.0, "commands_per_second": 3000}}, "play on"),
        ({"watchers": {"let_in": 8000, "at_the_end": 7999}}, "cut off"),
        ({"levels": [0, 0]}, "never overloaded"),
        ({"levels": [2, 0, 2, 0, 2]}, "came and went"),
        ({"level_after": 1}, "still gave way"),
        ({"burst": {"slowest_busy_ms": 501.0}}, "BUSY came late"),
        ({"memory_mb": [104, 209, 137]}, "memory grew"),
    ],
)
def test_a_shortfall_is_named(change: Mapping[str, Any], said: str) -> None:
    (problem,) = find_shortfalls({**KEPT, **change})
    assert said in problem


def test_a_level_that_comes_back_is_a_relapse() -> None:
    assert [count_relapses(levels) for levels in ([], [1, 2, 0], [1, 0, 0, 2], [2, 0, 1, 0, 1])] == [
        0,
        0,
        1,
        2,
    ]
