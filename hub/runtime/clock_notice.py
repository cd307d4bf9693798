"""Shows at every table that table time is stopped or goes on, a few tables in each turn of the event loop."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Final

from hub.clock import Clock
from hub.runtime.actor import Actor
from hub.wire.messages import StopReason

CLOCKS_PER_TURN: Final = 16
"""The number of tables told in one turn of the event loop, so that commands do not have to wait."""


class ClockNotice:
    """What stops table time at all of a hub's tables, if anything does: `stopped_by`."""

    def __init__(self, actors: Mapping[str, Actor], clock: Clock) -> None:
        self.stopped_by: StopReason | None = None
        self._actors = actors
        self._clock = clock
        self._waiting: deque[Actor] = deque()
        """The actors that have yet to show it."""

    def show(self, stopped_by: StopReason | None) -> None:
        """Shows this at every table, the latest notice only."""
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
