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
    REFUSE_TABLES = 3


ENTER_SECONDS: Final = (0.05, 0.075, 0.15)
"""The lag at which each level above NORMAL begins; a command takes several turns of the loop."""
LEAVE_SECONDS: Final = (0.025, 0.0375, 0.075)
"""The lag below which each of them ends: half, because what gives way lowers the lag."""
CALM_SECONDS: Final = 1.0
"""How long the lag must stay low before the level falls, if nobody wants what gives way at it."""
RETRY_SECONDS: Final = 20.0
"""The same if somebody does: what gives way lowers the lag, so only trying shows whether it is over."""
SPARED_SHARE: Final = 0.25
"""From this share of a core on, the work that gives way counts as wanted: it would hardly fit."""
SAMPLES: Final = 5
"""The median of the last five samples decides about all levels but the first: one long pause of the process
refuses nobody."""

FRAME_SECONDS: Final = 8e-6
"""What a watcher's frame costs (docs/PERFORMANCE.md), in processor time."""
ANSWER_SECONDS: Final = 0.05
"""Processor time, in seconds, that a delayed request would otherwise take, as it may be repeated at once."""
TABLE_SECONDS: Final = 0.005
"""Processor time, in seconds, that a new table takes."""


class Overload:
    """The level of one hub."""

    __slots__ = ("_calm_since", "_counted_since", "_samples", "level", "spared")

    def __init__(self) -> None:
        self.level = Level.NORMAL
        self._samples: deque[float] = deque([0.0] * SAMPLES, SAMPLES)
        self._calm_since: float | None = None
        """Since when the lag has been too low for the level."""
        self._counted_since = 0.0
        """Since when `spared` has been counted."""
        self.spared = [0.0] * len(Level)
        """The processor time that each level has spared in the present second of low lag."""

    def add(self, lag: float, at: float) -> None:
        """Takes in one more sample. The level rises at once, and falls once the lag has been low for a while.

        `lag`: seconds by which the hub was late; `at`: monotonic seconds.
        """
        self._samples.append(lag)
        typical = median(self._samples)
        reached = max(Level(bisect_right(ENTER_SECONDS, typical)), Level(int(lag >= ENTER_SECONDS[0])))
        if reached > self.level:
            self.level = reached
        if self.level == Level.NORMAL or typical >= LEAVE_SECONDS[self.level - 1]:
            self._calm_since = None
        elif self._calm_since is None:
            self._begin_calm(at)
        elif (counted := at - self._counted_since) >= CALM_SECONDS:
            if at - self._calm_since >= RETRY_SECONDS or self._spares_little(counted):
                self._fall(typical, counted)
                self._begin_calm(at)
            else:
                self._begin_count(at)

    def spare(self, level: Level, seconds: float) -> None:
        """Counts work that this level has spared the hub: those who want it are still there."""
        self.spared[level] += seconds

    def _begin_calm(self, at: float) -> None:
        self._calm_since = at
        self._begin_count(at)

    def _begin_count(self, at: float) -> None:
        self._counted_since = at
        self.spared = [0.0] * len(Level)

    def _fall(self, typical: float, counted: float) -> None:
        """Falls by one level, and on past all that the lag does not reach and that spare little."""
        self.level = Level(self.level - 1)
        while self.level and typical < LEAVE_SECONDS[self.level - 1] and self._spares_little(counted):
            self.level = Level(self.level - 1)

    def _spares_little(self, counted: float) -> bool:
        """Whether the level has spared little in the last `counted` seconds."""
        return self.spared[self.level] < SPARED_SHARE * counted

    @property
    def thins_watchers(self) -> bool:
        """Whether watchers are sent whole views now and then, instead of every change."""
        return self.level >= Level.THIN_WATCHERS

    @property
    def slows_lobby(self) -> bool:
        """Whether the lobby shows changes later, and its readers and those who create tables wait."""
        return self.level >= Level.SLOW_LOBBY

    @property
    def refuses_tables(self) -> bool:
        """Whether new tables are refused."""
        return self.level >= Level.REFUSE_TABLES
