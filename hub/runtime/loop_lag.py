"""Measures how late the event loop runs, which delays every message and window on this hub."""

from __future__ import annotations

from typing import Final

from hub.clock import Clock
from hub.telemetry.metrics import Histogram

SAMPLE_SECONDS: Final = 0.25


async def measure_loop_lag(clock: Clock, lag: Histogram) -> None:
    """Adds one sample in seconds, four times a second, for ever."""
    while True:
        due = clock.time() + SAMPLE_SECONDS
        await clock.sleep(SAMPLE_SECONDS)
        lag.add(max(0.0, clock.time() - due))
