"""What the bench of overload calls a failure; what it measures is in docs/PERFORMANCE.md."""

from __future__ import annotations

from typing import Any

import pytest

from bench.overload import count_relapses, count_watchers, find_shortfalls


def figures() -> dict[str, Any]:
    """Those of a run in which everything was kept."""
    return {
        "seated_rate": 3628,
        "watchers": {"offered": 7924, "let_in": 7924, "at_the_end": 7924},
        "levels": [0, 2, 2, 3, 2, 1, 1],
        "during": {"commands_per_second": 3604, "p99_ms": 271.0},
        "level_after": 0,
        "memory_mb": [104, 145, 148],
        "burst": {"slowest_busy_ms": 254.0},
    }


def test_a_run_in_which_everything_was_kept() -> None:
    assert find_shortfalls(figures()) == []


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"during": {"commands_per_second": 3604, "p99_ms": 713.0}}, "seats' p99 was 713 ms"),
        ({"during": {"commands_per_second": 2952, "p99_ms": 271.0}}, "seats could not play on"),
        ({"watchers": {"offered": 7924, "let_in": 7924, "at_the_end": 1024}}, "watchers were cut off"),
        ({"levels": [0, 0, 0]}, "the hub was never overloaded"),
        ({"levels": [2, 0, 2, 0, 2]}, "the level came and went"),
        ({"level_after": 1}, "something still gave way 5 s after the end"),
        ({"burst": {"slowest_busy_ms": 501.0}}, "BUSY came late"),
        ({"memory_mb": [104, 209, 148]}, "the hub's memory grew"),
    ],
)
def test_what_was_not_kept_is_named(changed: dict[str, Any], problem: str) -> None:
    assert find_shortfalls(figures() | changed) == [problem]


@pytest.mark.parametrize(
    ("levels", "relapses"), [([], 0), ([2, 2, 1], 0), ([0, 1, 0], 0), ([1, 0, 1], 1), ([2, 0, 0, 2, 0, 1], 2)]
)
def test_a_relapse_is_a_new_beginning(levels: list[int], relapses: int) -> None:
    assert count_relapses(levels) == relapses


def test_watchers_bring_the_work_to_three_cores() -> None:
    """2.3 cores of frames of 8 us, at 36 changes a second at each of a hundred tables."""
    assert count_watchers(3600.0) == 7986
