"""How late the event loop is (M1), and what the hub concludes (G8.18)."""

from __future__ import annotations

import pytest

from hub.runtime.loop_lag import SAMPLE_SECONDS, WATCHERS_PATIENCE, measure_loop_lag
from hub.runtime.overload import ENTER_SECONDS, SAMPLES, Level, Overload
from hub.telemetry.metrics import Metrics
from hub.telemetry.tasks import Tasks
from tests.harness.manual_clock import ManualClock

pytestmark = pytest.mark.asyncio


async def test_a_busy_loop_is_late() -> None:
    """M1: the loop was busy for 400 ms when the timer was due after 250."""
    clock, metrics = ManualClock(), Metrics()
    lag = metrics.loop_lag_seconds
    async with Tasks() as tasks:
        measuring = tasks.start("loop lag", measure_loop_lag(clock, metrics, Overload(), lambda: 0.0))
        await clock.wake()
        await clock.until(lambda: len(clock.slept) == 2)
        assert (sum(lag.counts), lag.total) == (1, 0.0)
        clock.move(400)
        clock.fire()
        await clock.until(lambda: len(clock.slept) == 3)
        assert sum(lag.counts) == 2
        assert lag.total == pytest.approx(0.4 - SAMPLE_SECONDS)
        measuring.cancel()


@pytest.mark.parametrize(
    ("loop_late_ms", "crowd_lag"), [(200, 0.0), (0, ENTER_SECONDS[2] * WATCHERS_PATIENCE)]
)
async def test_a_late_loop_or_a_late_crowd_is_an_overload(loop_late_ms: int, crowd_lag: float) -> None:
    """G8.18: the crowd may be later than the loop, as the seats do not wait for it."""
    clock, metrics, overload = ManualClock(), Metrics(), Overload()
    async with Tasks() as tasks:
        measuring = tasks.start("loop lag", measure_loop_lag(clock, metrics, overload, lambda: crowd_lag))
        for _ in range(SAMPLES):
            await clock.asleep()
            clock.move(round(SAMPLE_SECONDS * 1000) + loop_late_ms)
            clock.fire()
        await clock.until(lambda: len(clock.slept) == SAMPLES + 1)
        assert overload.level == metrics.overload_level == Level.REFUSE_TABLES
        measuring.cancel()
