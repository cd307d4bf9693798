"""Limits on the rooms that a hub keeps awake: in all, by network and by person (G8).

A room counts against whoever created it, from then until it leaves this hub: it falls asleep, or another hub
owns it. A hub that wakes a room or takes it over does not know its creator's network, and who holds its seats
by then may be somebody else: such a room counts only against the hub's total.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from hub.runtime.placement import HubFull, TooManyTables
from hub.wire.limits import Creator

MAX_ROOMS: Final = 5000
MAX_ROOMS_PER_PERSON: Final = 20
NETWORK_SHARE: Final = 10
"""No network may have more than one in this many of a hub's rooms; this machine is exempt."""


class RoomLimits:
    """Counts a hub's rooms. `limited` counts refusals by the limit's name."""

    def __init__(
        self,
        limited: Counter[str] | None = None,
        *,
        rooms: int = MAX_ROOMS,
        per_person: int = MAX_ROOMS_PER_PERSON,
    ) -> None:
        self._limited = Counter[str]() if limited is None else limited
        self._most = rooms
        self._per_network = max(1, rooms // NETWORK_SHARE)
        self._per_person = per_person
        self._rooms = 0
        self._by_network: Counter[str] = Counter()
        self._by_person: Counter[str] = Counter()

    def take(self, creator: Creator) -> None:
        """Counts one more room. Raises HubFull or TooManyTables."""
        if self._by_person[creator.person] >= self._per_person:
            self._limited["person rooms"] += 1
            raise TooManyTables(
                f"You have {self._per_person} tables open, as many as one person may: go back to one, or try "
                "again a minute after everybody has left one."
            )
        if creator.network is not None and self._by_network[creator.network] >= self._per_network:
            self._limited["network rooms"] += 1
            raise TooManyTables(
                f"Your network has {self._per_network} tables open, as many as one network may: join one, or "
                "try again a minute after everybody has left one."
            )
        if self._rooms >= self._most:
            self._limited["rooms"] += 1
            raise HubFull("This hub has as many tables open as it can serve: try again in a minute.")
        self._rooms += 1
        self._by_person[creator.person] += 1
        if creator.network is not None:
            self._by_network[creator.network] += 1

    def give_back(self, creator: Creator) -> None:
        """Counts one room less, after `take`."""
        self._rooms -= 1
        _subtract(self._by_person, creator.person)
        if creator.network is not None:
            _subtract(self._by_network, creator.network)


def _subtract(counts: Counter[str], key: str) -> None:
    counts[key] -= 1
    if not counts[key]:
        del counts[key]
