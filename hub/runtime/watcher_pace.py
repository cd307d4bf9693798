"""The pace at which one room's watchers see its changes: each at once or, under overload, some together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hub.clock import Clock, Timer
from hub.runtime.overload import FRAME_SECONDS, Level, Overload

PACE_SECONDS: Final = (0.0, 1.0, 2.0, 4.0)
"""How long watchers wait, at each level of overload, from what they were sent last to what has changed
since."""


class WatcherPace:
    """Says which changes to hold back. `send_view` then sends all watchers a whole view.

    The first change is sent at once, and a view only follows if there were more, so the watchers of a table
    that changes less often notice nothing.
    """

    __slots__ = ("_clock", "_is_behind", "_overload", "_send_view", "_timer")

    def __init__(self, overload: Overload, clock: Clock, send_view: Callable[[], None]) -> None:
        self._overload = overload
        self._clock = clock
        self._send_view = send_view
        self._timer: Timer | None = None
        """Runs while changes are held back."""
        self._is_behind = False
        """Whether a change was held back."""

    def hold(self, watchers: int) -> bool:
        """Whether to hold back this change; it would go to `watchers` sockets."""
        if self._timer is not None:
            self._is_behind = True
            self._overload.spare(Level.THIN_WATCHERS, watchers * FRAME_SECONDS)
            return True
        if self._overload.thins_watchers:
            self._wait()
        return False

    def _wait(self) -> None:
        self._timer = self._clock.call_later(PACE_SECONDS[self._overload.level], self._catch_up)

    def _catch_up(self) -> None:
        self._timer = None
        if self._is_behind:
            self._is_behind = False
            if self._overload.thins_watchers:
                self._wait()
            self._send_view()

    def close(self) -> None:
        """Stops the timer, and lets go of the room."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._send_view = _ignore


def _ignore() -> None:
    pass
