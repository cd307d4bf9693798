"""Shows at every table that table time has stopped or goes on, a few tables per turn of the event loop."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Final

from hub.clock import Clock
from hub.runtime.actor import Actor
from hub.wire.messages import StopReason

CLOCKS_PER_TURN: Final = 16
"""The number of tables updated in one turn of the event loop; a small number keeps commands from waiting."""


class ClockNotice:
    """Keeps in `stopped_by` what stops table time at all of a hub's tables, or None, and shows it at each
    table."""

    def __init__(self, actors: Mapping[str, Actor], clock: Clock) -> None:
        self.stopped_by: StopReason | None = None
        self._actors = actors
        self._clock = clock
        self._waiting: deque[Actor] = deque()
        """The actors that have not shown it yet."""

    def show(self, stopped_by: StopReason | None) -> None:
        """Shows this at every table, in place of a notice that is still being shown."""
        self.stopped_by = stopped_by
        has_begun = bool(self._waiting)
        self._waiting = deque(self._actors.values())
        if self._waiting and not has_begun:
            self._clock.call_soon(self._show_some)

    def _show_some(self) -> None:
        waiting = self._waiting
        for _ in range(min(CLOCKS_PER_TURN, len(waiting))):
            waiting.popleft().show_clock(self.stopped_by)
        if waiting:
            self._clock.call_soon(self._show_some)
