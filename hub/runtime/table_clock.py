"""The clock of one table, which runs only while the table's status is "running"."""

from __future__ import annotations

from games.api import Millis
from hub.runtime.ports import LiveClock
from hub.table.room import Status
from hub.table.table_time import TableTime


class TableClock:
    """The table time of one room, read from its owner's live clock."""

    __slots__ = ("_doubted_at", "_has_ended", "_now_live", "time")

    def __init__(self, at: Millis, status: Status, live_clock: LiveClock) -> None:
        self._now_live = live_clock.now_live
        self._has_ended = False
        self._doubted_at: Millis | None = None
        """The time when the hub began to doubt that it owns the room; None if it does not."""
        self.time = TableTime(at, live_clock.now_live() if status == "running" else None)

    def read(self) -> Millis:
        """Table time: commands are stamped with it, and windows end by it."""
        return self.time.read(self._now_live())

    def read_shown(self) -> Millis:
        """The table time that people are shown."""
        return self.cap(self.read())

    def cap(self, at: Millis) -> Millis:
        """What people are shown of this time: no later than when the hub began to doubt (G5.4)."""
        return at if self._doubted_at is None else min(at, self._doubted_at)

    @property
    def is_running(self) -> bool:
        return self.time.live is not None

    def doubt(self) -> None:
        """Shows no later time until `trust`: another hub may own the room, and count from an earlier time
        (G5.5)."""
        if self._doubted_at is None:
            self._doubted_at = self.read()

    def trust(self) -> None:
        self._doubted_at = None

    def end(self) -> Millis:
        """Stops for good, and returns the time."""
        self.time = self.time.halt(self.read())
        self._has_ended = True
        return self.time.at

    def follow(self, status: Status, at: Millis) -> None:
        """Runs or stops with the table, which has had this status since table time `at`.

        A pause counts from when it was asked for, even if the store was slow and later times have been shown:
        otherwise, windows might end before it. No window is left when a game has ended.
        """
        if status != "running":
            self.time = self.time.halt(self.read() if status == "finished" else at)
        elif not self._has_ended:
            self.time = self.time.run(self._now_live())
