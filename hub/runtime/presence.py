"""When a room is told who is connected: at once for a seat, after a moment for watchers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from games.api import Seat
from hub.clock import Clock

PRESENCE_SECONDS: Final = 0.3
"""Changes among watchers within this time are published together."""


class Presence:
    """Calls `publish` when it is time to; that returns False while a commit is in flight."""

    __slots__ = ("_clock", "_is_due", "_publish", "is_held")

    def __init__(self, clock: Clock, publish: Callable[[], bool]) -> None:
        self.is_held = False
        """It could not be published yet; whoever ends the commit calls `tell` again."""
        self._clock = clock
        self._publish = publish
        self._is_due = False

    def change(self, seat: Seat | None) -> None:
        """A connection of a seat, or (None) of a watcher, came or went."""
        if seat is not None:
            self.tell()
        elif not self._is_due:
            self._is_due = True
            self._clock.later(PRESENCE_SECONDS, self.tell)

    def tell(self) -> None:
        self._is_due = False
        self.is_held = not self._publish()
