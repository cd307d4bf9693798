"""The clock of one table, which runs only while the table's status is "running"."""

from __future__ import annotations

from typing import Final

from games.api import Millis
from hub.runtime.ports import LiveClock
from hub.table.room import Status
from hub.table.table_time import TableTime


MOST_AHEAD: Final = Millis(500)
"""How far table time is shown past the oldest command that nothing has decided yet: it may stop the clock."""


class TableClock:
    """The table time of one room, read from its owner's live clock."""

    __slots__ = ("_has_ended", "_is_held", "_now_live", "time", "undecided_since")

    def __init__(self, at: Millis, status: Status, live_clock: LiveClock) -> None:
        self._now_live = live_clock.now_live
        self._has_ended = self._is_held = False
        self.time = TableTime(at, live_clock.now_live() if status == "running" else None)
        self.undecided_since: Millis | None = None
        """When the oldest command that waits for the store was received; None if none waits."""

    def read(self) -> Millis:
        """Table time, as it is shown (G5.4)."""
        at = self.time.read(self._now_live())
        return at if self.undecided_since is None else min(at, Millis(self.undecided_since + MOST_AHEAD))

    @property
    def is_running(self) -> bool:
        return self.time.live is not None

    def hold(self) -> None:
        """Stops until `go_on`, if it runs."""
        if self.is_running:
            self.time = self.time.halt(self.read())
            self._is_held = True

    def go_on(self) -> bool:
        """Runs again after `hold`, unless the table has been paused or the clock has ended since; returns
        whether it does.
        """
        if not self._is_held:
            return False
        self._is_held = False
        self.follow("running", self.time.at)
        return self.is_running

    def end(self) -> Millis:
        """Stops for good, and returns the time."""
        self.time = self.time.halt(self.read())
        self._has_ended = True
        return self.time.at

    def follow(self, status: Status, at: Millis) -> None:
        """Runs or stops with the table, which has had this status since table time `at`."""
        if status != "running":
            self._is_held = False
            self.time = self.time.halt(at)
        elif not (self._is_held or self._has_ended):
            self.time = self.time.run(self._now_live())
