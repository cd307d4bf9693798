"""Where a new owner's table time starts (G5.5, G5.6), written a second time beside take.lua."""

from __future__ import annotations

from games.api import Millis


def resumed_at(at: Millis, committed_live: int, last_beat: int | None, *, running: bool) -> Millis:
    """The table time a new owner resumes at.

    `at` and `committed_live` are the last commit's table time and the old owner's live clock there;
    `last_beat` is its last stored heartbeat. What it lived beyond that beat is lost: at most one beat.
    """
    if not running or last_beat is None:
        return at
    return Millis(at + max(0, last_beat - committed_live))
