"""What gives way when a hub has too much to do, and when it is over (G8.18)."""

from __future__ import annotations

import pytest

from hub.runtime.overload import (
    CALM_SECONDS,
    ENTER_SECONDS,
    LEAVE_SECONDS,
    RETRY_SECONDS,
    SAMPLES,
    SPARED_SHARE,
    Level,
    Overload,
)

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
    ladder = (overload.thins_watchers, overload.slows_lobby, overload.refuses_tables)
    assert ladder == tuple(number < level for number in range(3))


def test_one_long_pause_refuses_nobody() -> None:
    """G8.18: it thins watchers for a moment."""
    samples = Samples()
    assert samples.add(10.0, MAJORITY - 1) == Level.THIN_WATCHERS
    assert samples.add(0.0, round(CALM_SECONDS / APART) + 1) == Level.NORMAL


def test_the_level_rises_at_once() -> None:
    samples = Samples()
    samples.add(ENTER_SECONDS[0])
    assert samples.add(ENTER_SECONDS[2], MAJORITY - 1) == Level.THIN_WATCHERS
    assert samples.add(ENTER_SECONDS[2], 1) == Level.REFUSE_TABLES


def test_the_level_stays_between_the_two_thresholds() -> None:
    """Otherwise it would end as soon as it had helped, and begin again."""
    samples = Samples()
    samples.add(ENTER_SECONDS[2])
    assert samples.add(LEAVE_SECONDS[2], 100) == Level.REFUSE_TABLES


def test_everything_is_as_before_within_seconds() -> None:
    """G8.18: once the lag has been low for a while, and nobody wants what gives way."""
    samples = Samples()
    samples.add(1.0)
    end = samples.at
    while samples.overload.level != Level.NORMAL:
        samples.add(0.0, 1)
    assert CALM_SECONDS < samples.at - end <= 2 * CALM_SECONDS


def test_a_level_falls_to_the_one_that_still_spares_much() -> None:
    samples = Samples()
    samples.overload.level = Level.REFUSE_TABLES
    while samples.overload.level == Level.REFUSE_TABLES:
        samples.overload.spare(Level.THIN_WATCHERS, SPARED_SHARE * APART)
        samples.add(0.0, 1)
    assert samples.overload.level == Level.THIN_WATCHERS


def test_a_level_falls_to_the_one_that_the_lag_still_keeps() -> None:
    samples = Samples()
    samples.add(ENTER_SECONDS[2])
    assert samples.add(LEAVE_SECONDS[0], 100) == Level.THIN_WATCHERS


def test_a_relapse_begins_the_calm_again() -> None:
    samples, calm = Samples(), MAJORITY + round(CALM_SECONDS / APART) - 1
    samples.add(ENTER_SECONDS[0])
    samples.add(0.0, calm)
    samples.add(ENTER_SECONDS[0])
    assert samples.add(0.0, calm) == Level.THIN_WATCHERS
    assert samples.add(0.0, 1) == Level.NORMAL


@pytest.mark.parametrize("level", [*Level][1:])
def test_a_level_stays_while_what_it_spares_is_wanted(level: Level) -> None:
    """G8.18: the lag is low because of the level, so it would come and go; the hub tries now and then."""
    samples = Samples()
    overload = samples.overload
    overload.level = level
    while overload.level == level and samples.at < 2 * RETRY_SECONDS:
        for given_way in range(1, level + 1):
            overload.spare(Level(given_way), SPARED_SHARE * APART)
        samples.add(0.0, 1)
    assert samples.at == RETRY_SECONDS + APART
    assert overload.level == level - 1


@pytest.mark.parametrize("level", [*Level][1:])
def test_a_level_falls_soon_after_the_load_has_ended(level: Level) -> None:
    """G8.18: however long it has been there, with a low lag."""
    samples = Samples()
    samples.overload.level = level
    while samples.at < RETRY_SECONDS / 2:
        for given_way in range(1, level + 1):
            samples.overload.spare(Level(given_way), 1.0)
        samples.add(0.0, 1)
    end = samples.at
    while samples.overload.level != Level.NORMAL:
        samples.add(0.0, 1)
    assert samples.at - end <= 2 * CALM_SECONDS


def test_what_another_level_spares_keeps_none() -> None:
    samples = Samples()
    samples.overload.level = Level.REFUSE_TABLES
    while samples.overload.level == Level.REFUSE_TABLES:
        samples.overload.spare(Level.THIN_WATCHERS, 1.0)
        samples.add(0.0, 1)
    assert samples.at <= 2 * CALM_SECONDS


def test_what_would_fit_beside_the_rest_keeps_no_level() -> None:
    samples = Samples()
    samples.overload.level = Level.THIN_WATCHERS
    while samples.overload.level == Level.THIN_WATCHERS:
        samples.overload.spare(Level.THIN_WATCHERS, 0.9 * SPARED_SHARE * APART)
        samples.add(0.0, 1)
    assert samples.at <= 2 * CALM_SECONDS
