"""How much of a room's log each seat may fill (G8.15).

A seat may make some moves again and again, such as proposals, which end nobody's turn. Without a limit, one
seat could fill the store, and make the game's record too large to be verified (V5).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from games.api import Refusal, Seat
from hub.table.room import Logged
from hub.telemetry.metrics import Metrics

MOST_LOGGED: Final = 15_000
"""Entries that all seats of a room may add together, in equal shares; a long game has about a thousand.

A record of that many entries stays below half of the 8 MB that `parley verify` reads.
"""


class LogShares:
    """Counts what each seat's commands have added to the log."""

    __slots__ = ("_counts", "_metrics", "_share")

    def __init__(self, seats: int, logged: Iterable[Logged], metrics: Metrics) -> None:
        self._share = MOST_LOGGED // seats
        self._counts = [0] * seats
        self._metrics = metrics
        for one in logged:
            if one.entry is not None and one.entry.seat is not None:
                self._counts[one.entry.seat] += 1

    def count(self, seat: Seat) -> Refusal | None:
        """Counts one entry; returns a refusal once the seat's share is used up."""
        if self._counts[seat] >= self._share:
            self._metrics.limited["log"] += 1
            return Refusal("TOO_MANY_MOVES", "G8")
        self._counts[seat] += 1
        return None
