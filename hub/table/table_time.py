"""Table time: how many milliseconds a table has been live (G5).

Table time is a stored offset plus the owner's live clock. It is monotonic, stops while the table is not live,
and never runs more than `GRACE` past the owner's last confirmed heartbeat, so that an owner cut off from the
store cannot use up the players' thinking time. Pure arithmetic: clock readings are passed in.
"""

from __future__ import annotations

from msgspec import Struct

from games.api import Millis

GRACE: Millis = Millis(1000)
"""Table time may run this far past the last confirmed heartbeat."""


class TableTime(Struct, frozen=True, gc=False):
    """`at` was the table time when the owner's live clock showed `live`; None: table time is stopped."""

    at: Millis
    live: int | None

    def read(self, live: int) -> Millis:
        """Table time when the owner's (capped) live clock shows `live`."""
        if self.live is None or live <= self.live:
            return self.at
        return Millis(self.at + live - self.live)

    def halt(self, at: Millis) -> TableTime:
        """Table time stopped at `at`, or at its present value if that is later: it never runs backwards."""
        return TableTime(max(at, self.at), None)

    def run(self, live: int) -> TableTime:
        """Table time, running from its present value."""
        return self if self.live is not None else TableTime(self.at, live)
