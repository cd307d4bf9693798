"""How late the event loop is (M1)."""

from __future__ import annotations

import pytest

from hub.runtime.loop_lag import SAMPLE_SECONDS, measure_loop_lag
from hub.telemetry.metrics import Metrics
from hub.telemetry.tasks import Tasks
from tests.harness.manual_clock import ManualClock

pytestmark = pytest.mark.asyncio


async def test_a_busy_loop_is_late() -> None:
    """M1: the loop was busy for 400 ms when the timer was due after 250."""
    clock, lag = ManualClock(), Metrics().loop_lag_seconds
    async with Tasks() as tasks:
        measuring = tasks.start("loop lag", measure_loop_lag(clock, lag))
        await clock.wake()
        await clock.until(lambda: len(clock.slept) == 2)
        assert (sum(lag.counts), lag.total) == (1, 0.0)
        clock.move(400)
        clock.fire()
        await clock.until(lambda: len(clock.slept) == 3)
        assert sum(lag.counts) == 2
        assert lag.total == pytest.approx(0.4 - SAMPLE_SECONDS)
        measuring.cancel()
