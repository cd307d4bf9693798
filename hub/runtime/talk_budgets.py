"""How much may be said in one room (G8.11).

Whether a seat may say something to everybody depends only on what everybody has heard, and on when each
message was received. Each seat's whispers have their own budget: they change neither what others may say nor
what that seat may say to everybody (G4). A message counts only if it would otherwise be applied: a repeated
one does not (G2), and one refused for another reason does not. Bots' phrases are not counted.
"""

from __future__ import annotations

import math

from games.api import Refusal
from hub.telemetry.metrics import Metrics
from hub.wire.limits import TalkBudget, TalkLimits


class TalkBudgets:
    """The budgets of one room, by audience. `live`, `at`: milliseconds of a clock that never goes back."""

    __slots__ = ("_metrics", "_public", "_watchers", "_whispers")

    def __init__(self, limits: TalkLimits, metrics: Metrics) -> None:
        self._metrics = metrics
        self._public = TalkBudget(limits.per_seat, limits.of_seats)
        self._whispers = TalkBudget(limits.per_seat, None)
        self._watchers = TalkBudget(limits.per_watcher, limits.of_watchers)

    def count_seat(self, person: str, live: int, *, whisper: bool) -> Refusal | None:
        """Counts a message from a seat, received at `live`; returns a refusal if it comes too soon."""
        return self._refuse("seat talk", (self._whispers if whisper else self._public).spend(person, live))

    def count_watcher(self, person: str, at: int) -> Refusal | None:
        """Counts a message from a watcher; returns a refusal if it comes too soon."""
        return self._refuse("watcher talk", self._watchers.spend(person, at))

    def _refuse(self, limit: str, wait: int) -> Refusal | None:
        if wait == 0:
            return None
        self._metrics.limited[limit] += 1
        return Refusal("SLOW_DOWN", "G8", {"seconds": math.ceil(wait / 1000)})
