"""Table time: milliseconds a table has been live (G5).

Table time is a stored offset plus the owner's live clock. It is monotonic, stands still while the table is
not live, and never runs more than `GRACE` past the owner's last confirmed heartbeat, so that an owner cut off
from the store cannot spend the players' thinking time. Pure arithmetic: clock readings are passed in.
"""

from __future__ import annotations

from msgspec import Struct

from games.api import Millis

GRACE: Millis = Millis(1000)
"""Table time may run this far past the last confirmed heartbeat."""


class TableTime(Struct, frozen=True):
    """`at` was the table time when the owner's live clock showed `live`; None: the table stands still."""

    at: Millis
    live: int | None

    def read(self, live: int) -> Millis:
        """Table time when the owner's (capped) live clock shows `live`."""
        if self.live is None or live <= self.live:
            return self.at
        return Millis(self.at + live - self.live)

    def halt(self, live: int) -> TableTime:
        return TableTime(self.read(live), None)

    def run(self, live: int) -> TableTime:
        return self if self.live is not None else TableTime(self.at, live)

    def until(self, end: Millis, live: int) -> int | None:
        """Milliseconds of live clock until table time `end`; None while the table stands still."""
        return None if self.live is None else max(0, end - self.read(live))


def resumed(at: Millis, committed_live: int, last_beat: int | None, *, running: bool) -> Millis:
    """The table time a taker resumes at.

    `at` and `committed_live` are the last commit's table time and the old owner's live clock there;
    `last_beat` is its last stored heartbeat. What it lived beyond that beat is lost: at most one beat.
    """
    if not running or last_beat is None:
        return at
    return Millis(at + max(0, last_beat - committed_live))
