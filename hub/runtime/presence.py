"""Decides when a room publishes who is connected: at once for a seat, after a moment for watchers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hub.clock import Clock

PRESENCE_SECONDS: Final = 0.3
"""Changes among watchers within this time are published together."""


class Presence:
    """Calls `publish` at the right time; `publish` returns False while a commit is in flight."""

    __slots__ = ("_clock", "_is_due", "_publish", "is_held")

    def __init__(self, clock: Clock, publish: Callable[[], bool]) -> None:
        self.is_held = False
        """Whether presence could not be published yet; `tell` is then called again after the commit."""
        self._clock = clock
        self._publish = publish
        self._is_due = False

    def change(self, *, is_watcher: bool) -> None:
        """Called when a connection was added or removed: a watcher's, or anybody else's."""
        if not is_watcher:
            self.tell()
        elif not self._is_due:
            self._is_due = True
            self._clock.call_later(PRESENCE_SECONDS, self.tell)

    def close(self) -> None:
        """Lets go of the room, which a timer might otherwise keep."""
        self._publish = _publish_nothing

    def tell(self) -> None:
        self._is_due = False
        self.is_held = not self._publish()


def _publish_nothing() -> bool:
    return True
