"""How much of a room's log each seat may fill (G8.15).

A seat may make some moves again and again, such as proposals, which end nobody's turn. Without a limit, one
seat could fill the store, and make the game's record too large to be verified (V5). Actions that a seat may
repeat for ever, such as locking and unlocking the table, are also limited in time: everybody reads them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from games.api import Refusal, Seat
from hub.table.room import Logged
from hub.telemetry.metrics import Metrics
from hub.wire import messages as m
from hub.wire.limits import Budget, TokenBucket

MAX_LOGGED: Final = 15_000
"""Entries that all seats of a room may add together, in equal shares; a long game has about a thousand.

A record of that many entries stays below half of the 8 MB that `parley verify` reads.
"""
ACTIONS: Final = Budget(rate=0.5, burst=40)
"""Lines about the table itself that one seat may cause, per second and at once."""
UNLIMITED_ACTIONS: Final = (m.FreeSeat, m.RemoveWatcher, m.Start, m.RevealSalt, m.GoOn)
"""A host can always remove people, and anybody can leave. None of these can be repeated for ever, as a lesson
has an end."""
UNCOUNTED_ACTIONS: Final = (*UNLIMITED_ACTIONS, m.StandIn, m.CallVote)
"""A seat whose share is used up can also let a substitute play on, and call votes."""
CALLS: Final = Budget(rate=1 / 120, burst=1)
"""Votes that one seat may call, per second and at once."""


class LogShares:
    """Counts what each seat's commands have added to the log."""

    __slots__ = ("_actions", "_calls", "_counts", "_metrics", "_share")

    def __init__(self, seats: int, logged: Iterable[Logged], metrics: Metrics) -> None:
        self._share = MAX_LOGGED // seats
        self._counts = [0] * (seats + 1)  # a host without a seat adds no moves, only lines
        self._metrics = metrics
        self._actions: dict[Seat, TokenBucket] = {}
        self._calls: dict[Seat, TokenBucket] = {}
        for item in logged:
            if item.entry is not None and item.entry.seat is not None:
                self._counts[item.entry.seat] += 1

    def count(self, seat: Seat, command: object, live: int) -> Refusal | None:
        """Counts an entry of this command; returns a refusal once the seat's share is used up.

        `live`: milliseconds of a clock that never goes back.
        """
        act = type(command.act) if type(command) is m.Manage else None
        if act is m.CallVote:
            wait = _spend(self._calls, CALLS, seat, live)
            if wait:
                self._metrics.limited["votes"] += 1
                return Refusal("CALLED_LATELY", "R20", {"seconds": wait})
        elif act is not None and act not in UNLIMITED_ACTIONS:
            wait = _spend(self._actions, ACTIONS, seat, live)
            if wait:
                self._metrics.limited["actions"] += 1
                return Refusal("SLOW_DOWN", "G8", {"seconds": wait})
        if self._counts[seat] >= self._share and act not in UNCOUNTED_ACTIONS:
            self._metrics.limited["log"] += 1
            return Refusal("TOO_MANY_MOVES", "G8")
        self._counts[seat] += 1
        return None


def _spend(buckets: dict[Seat, TokenBucket], budget: Budget, seat: Seat, live: int) -> int:
    """Spends one of a seat's; returns the seconds to wait if there is none, otherwise 0."""
    bucket = buckets.get(seat)
    if bucket is None:
        bucket = buckets[seat] = TokenBucket(budget.rate, budget.burst, live)
    return 0 if bucket.spend(live) else math.ceil(bucket.wait() / 1000)
