"""Measures how late the event loop runs, which delays every message and window on this hub."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import structlog

from hub.clock import Clock
from hub.runtime.overload import Overload
from hub.telemetry.metrics import Metrics

SAMPLE_SECONDS: Final = 0.25
WATCHERS_PATIENCE: Final = 2
"""How many times longer than the loop watchers' sockets may be late before the hub counts as overloaded."""

_log = structlog.get_logger("parley.overload")


async def measure_loop_lag(
    clock: Clock, metrics: Metrics, overload: Overload, crowd_lag: Callable[[], float]
) -> None:
    """Adds one sample in seconds, four times a second, for ever.

    `crowd_lag` returns how long watchers' sockets wait to be written to: they take turns, so the loop is not
    late when there are too many of them.
    """
    while True:
        due = clock.time() + SAMPLE_SECONDS
        await clock.sleep(SAMPLE_SECONDS)
        at = clock.time()
        lag = max(0.0, at - due)
        metrics.loop_lag_seconds.add(lag)
        before = overload.level
        overload.add(max(lag, crowd_lag() / WATCHERS_PATIENCE), at)
        if overload.level != before:
            metrics.overload_level = overload.level.value
            _log.warning("overload", level=overload.level.name.lower(), was=before.name.lower())
