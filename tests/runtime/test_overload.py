"""What gives way when a hub has too much to do, and when it is over (G8.18)."""

from __future__ import annotations

import pytest

from hub.runtime.overload import CALM_SECONDS, ENTER_SECONDS, LEAVE_SECONDS, SAMPLES, Level, Overload

APART = 0.25
MAJORITY = SAMPLES // 2 + 1


class Samples:
    """Adds samples to an overload, four a second."""

    def __init__(self) -> None:
        self.overload = Overload()
        self.at = 0.0

    def add(self, lag: float, count: int = SAMPLES) -> Level:
        for _ in range(count):
            self.at += APART
            self.overload.add(lag, self.at)
        return self.overload.level


@pytest.mark.parametrize(("lag", "level"), [*zip((0.0, *ENTER_SECONDS), Level, strict=True)])
def test_the_level_follows_the_lag(lag: float, level: Level) -> None:
    """G8.18: each level begins at its lag, and includes those below it."""
    samples = Samples()
    assert samples.add(lag) == level
    overload = samples.overload
    ladder = (overload.thins_watchers, overload.slows_lobby, overload.refuses_newcomers)
    assert ladder == tuple(number < level for number in range(3))


def test_one_long_pause_is_not_an_overload() -> None:
    samples = Samples()
    assert samples.add(10.0, MAJORITY - 1) == Level.NORMAL
    assert samples.add(0.0, SAMPLES) == Level.NORMAL


def test_the_level_rises_at_once() -> None:
    samples = Samples()
    samples.add(ENTER_SECONDS[0])
    assert samples.add(ENTER_SECONDS[2], MAJORITY - 1) == Level.THIN_WATCHERS
    assert samples.add(ENTER_SECONDS[2], 1) == Level.REFUSE_NEWCOMERS


def test_the_level_stays_between_the_two_thresholds() -> None:
    """Otherwise it would end as soon as it had helped, and begin again."""
    samples = Samples()
    samples.add(ENTER_SECONDS[2])
    assert samples.add(LEAVE_SECONDS[2], 100) == Level.REFUSE_NEWCOMERS


def test_everything_is_as_before_within_five_seconds() -> None:
    """G8.18: the level falls once the lag has been low for a while, then past several levels at once."""
    samples = Samples()
    samples.add(1.0)
    end = samples.at
    while samples.add(0.0, 1) != Level.NORMAL:
        assert samples.overload.level == Level.REFUSE_NEWCOMERS
    assert CALM_SECONDS < samples.at - end < 4.0


def test_a_level_falls_to_the_one_that_the_lag_still_keeps() -> None:
    samples = Samples()
    samples.add(ENTER_SECONDS[2])
    assert samples.add(LEAVE_SECONDS[0], 100) == Level.THIN_WATCHERS


def test_a_relapse_begins_the_calm_again() -> None:
    samples = Samples()
    samples.add(ENTER_SECONDS[0])
    samples.add(0.0, MAJORITY + round(CALM_SECONDS / APART) - 1)
    samples.add(ENTER_SECONDS[0])
    assert samples.add(0.0, MAJORITY + round(CALM_SECONDS / APART) - 1) == Level.THIN_WATCHERS
    assert samples.add(0.0, 1) == Level.NORMAL
