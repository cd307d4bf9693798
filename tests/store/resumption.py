"""A second implementation of take.lua's rule for where a new owner's table time starts (G5.5, G5.6)."""

from __future__ import annotations

from games.api import Millis
from hub.table.table_time import GRACE


def resumed_at(at: Millis, committed_live: int, last_beat: int | None, *, running: bool) -> Millis:
    """The table time a new owner resumes at.

    `at` is the last commit's table time, `committed_live` the old owner's live clock at that commit, and
    `last_beat` its last stored heartbeat. It may have been alive for up to `GRACE` after that, and have shown
    that time to somebody.
    """
    if not running or last_beat is None:
        return at
    return Millis(at + max(0, last_beat + GRACE - committed_live))
