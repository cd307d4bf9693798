"""How much thinking time a table lost when it changed owners, from what its people were shown (G5.4, G5.5).

Table time runs while a room's owner is alive, and for at most a second past its last heartbeat. What people
were shown last by one owner and first by the next, and when, says how far it ran while nobody could play.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from hub.table.table_time import GRACE

MAX_LOSS: Final = GRACE + 250
"""Milliseconds: what table time may run past a heartbeat, and as much as the measuring may be wrong."""

MAX_LAG_SECONDS: Final = 2.0
"""How long what is shown may be behind, with readings that show it."""


class Reading(NamedTuple):
    """Table time, in milliseconds, as the answer to a question showed it; the rest is in seconds."""

    asked: float
    answered: float
    table_time: int


@dataclass
class Tenure:
    """One owner of a room, as the store shows it."""

    taken: float
    """A time before which it had not taken the room."""
    beaten: float
    """When its last heartbeat was seen."""


class Loss(NamedTuple):
    """The milliseconds of thinking time that were lost before an epoch, and from what this is known."""

    epoch: str
    milliseconds: float
    last: Reading
    first: Reading
    before: Tenure
    after: Tenure


class _Shown:
    """What one owner showed."""

    def __init__(self) -> None:
        self.readings: list[Reading] = []

    def find_first(self) -> Reading:
        return min(self.readings, key=lambda one: one.answered)

    def find_last(self) -> Reading:
        """The reading nearest to the table's own time, of those before the latest time was shown.

        An owner with undecided commands, or that may have lost the room, shows no later time (G5.4).
        """
        latest = max(self.readings, key=lambda one: (one.table_time, -one.asked))
        near = (one for one in self.readings if 0 <= latest.asked - one.asked <= MAX_LAG_SECONDS)
        return max(near, key=lambda one: one.table_time - 1000 * one.asked)


def number_epoch(epoch: str) -> int:
    return int(epoch.partition(":")[0])


class TableClock:
    """What people were shown of one table's time, owner by owner."""

    def __init__(self) -> None:
        self._shown: dict[str, _Shown] = {}

    def note(self, epoch: str, reading: Reading) -> None:
        """Somebody was shown the time by the owner of this epoch."""
        self._shown.setdefault(epoch, _Shown()).readings.append(reading)

    def measure_losses(self, tenures: Mapping[str, Tenure]) -> Iterator[Loss]:
        """The thinking time lost before each epoch but the first.

        An owner that showed nothing to anybody may have let time run: the epochs around it are left out.
        """
        for before, after in pairwise(sorted(self._shown.keys() & tenures.keys(), key=number_epoch)):
            if number_epoch(after) != number_epoch(before) + 1:
                continue
            last, first = self._shown[before].find_last(), self._shown[after].find_first()
            served = max(0.0, tenures[before].beaten - last.asked)
            served += max(0.0, first.answered - tenures[after].taken)
            lost = first.table_time - last.table_time - 1000 * served
            yield Loss(after, lost, last, first, tenures[before], tenures[after])
