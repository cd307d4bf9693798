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

    __slots__ = ("_has_ended", "_now_live", "doubted_at", "time", "undecided_since")

    def __init__(self, at: Millis, status: Status, live_clock: LiveClock) -> None:
        self._now_live = live_clock.now_live
        self._has_ended = False
        self.time = TableTime(at, live_clock.now_live() if status == "running" else None)
        self.undecided_since: Millis | None = None
        """When the oldest command that waits for the store was received; None if none waits."""
        self.doubted_at: Millis | None = None
        """The time shown when the hub began to doubt that it owns the room; None if it does not."""

    def read(self) -> Millis:
        """Table time as it is shown, which is not taken back (G5.4)."""
        at = self.time.read(self._now_live())
        if self.undecided_since is not None:
            at = min(at, Millis(self.undecided_since + MOST_AHEAD))
        return at if self.doubted_at is None else min(at, self.doubted_at)

    @property
    def is_running(self) -> bool:
        return self.time.live is not None

    def doubt(self) -> None:
        """Shows no later time, until `trust`: the room's other owner may stop its clock any time."""
        if self.doubted_at is None:
            self.doubted_at = self.read()

    def trust(self) -> None:
        self.doubted_at = None

    def end(self) -> Millis:
        """Stops for good, and returns the time."""
        self.time = self.time.halt(self.time.read(self._now_live()))
        self._has_ended = True
        return self.time.at

    def follow(self, status: Status, at: Millis) -> None:
        """Runs or stops with the table, which has had this status since table time `at`."""
        if status != "running":
            self.time = self.time.halt(at)
        elif not self._has_ended:
            self.time = self.time.run(self._now_live())
