"""How overloaded a hub is, judged by how late it does its work, and what gives way at each level (ADR 41).

Pure: samples of lag in, a level out. The parts of the hub that can do less ask for what concerns them. The
commands of seats give way at no level; the limit on them is hub/net/command_budget.py.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from enum import IntEnum
from statistics import median
from typing import Final


class Level(IntEnum):
    """Each level includes what gives way at those below it."""

    NORMAL = 0
    THIN_WATCHERS = 1
    SLOW_LOBBY = 2
    REFUSE_NEWCOMERS = 3


ENTER_SECONDS: Final = (0.05, 0.1, 0.2)
"""The lag at which each level above NORMAL begins."""
LEAVE_SECONDS: Final = (0.025, 0.05, 0.1)
"""The lag below which each of them ends: half, because what gives way lowers the lag."""
CALM_SECONDS: Final = 2.5
"""How long the lag must stay low before the level falls."""
SAMPLES: Final = 5
"""The level follows the median of the last five samples: one long pause of the process is not an overload."""


class Overload:
    """The level of one hub."""

    __slots__ = ("_calm_since", "_samples", "level")

    def __init__(self) -> None:
        self.level = Level.NORMAL
        self._samples: deque[float] = deque([0.0] * SAMPLES, SAMPLES)
        self._calm_since: float | None = None
        """Since when the lag has been too low for the level."""

    def add(self, lag: float, at: float) -> None:
        """Takes in one more sample. The level rises at once; it falls after `CALM_SECONDS`.

        `lag`: seconds by which the hub was late; `at`: monotonic seconds.
        """
        self._samples.append(lag)
        typical = median(self._samples)
        reached = Level(bisect_right(ENTER_SECONDS, typical))
        kept = Level(bisect_right(LEAVE_SECONDS, typical))
        if reached > self.level:
            self.level = reached
        if kept >= self.level:
            self._calm_since = None
        elif self._calm_since is None:
            self._calm_since = at
        elif at - self._calm_since >= CALM_SECONDS:
            self.level, self._calm_since = kept, None

    @property
    def thins_watchers(self) -> bool:
        """Whether watchers are sent whole views now and then, instead of every change."""
        return self.level >= Level.THIN_WATCHERS

    @property
    def slows_lobby(self) -> bool:
        """Whether the lobby shows changes later."""
        return self.level >= Level.SLOW_LOBBY

    @property
    def refuses_newcomers(self) -> bool:
        """Whether new tables and new watchers are refused."""
        return self.level >= Level.REFUSE_NEWCOMERS
