"""When the hub collects garbage: a full collection looks at every object of every room, and stops the event
loop meanwhile.

None is needed for what comes and goes all the time: commands leave no garbage, and reference counting frees
rooms and sockets that leave. A collection while the hub is idle takes what a defect or a library leaves.
"""

from __future__ import annotations

import gc
from typing import Final

from hub.clock import Clock
from hub.telemetry.metrics import Metrics

THRESHOLDS: Final = (50_000, 20, 20)
"""How often Python collects garbage by itself (gc.set_threshold). With these it hardly ever looks at all."""
COLLECT_SECONDS: Final = 600.0
MAX_IDLE: Final = 50
"""The rooms and connections, together, of an idle hub. A room has about 125 objects, and a full collection
takes about 0.1 ms for each room: 5 ms for these, 180 ms for 2000."""


def collect_rarely() -> None:
    """Exempts all that exists from collections, and makes them rare. Call it once the hub is built."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)


async def collect_when_idle(clock: Clock, metrics: Metrics) -> None:
    """Collects all garbage every ten minutes if the hub is idle, for ever."""
    while True:
        await clock.sleep(COLLECT_SECONDS)
        if metrics.rooms + metrics.seats + metrics.watchers <= MAX_IDLE:
            gc.collect()
