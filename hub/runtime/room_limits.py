"""Limits on the rooms that a hub keeps awake: in all, by site and by person (G8).

A room counts against the person and the site that created or woke it, until it falls asleep or another hub
owns it. Waking counts because a site could otherwise create its share again and again, then wake all those
rooms at once. A person may wake any number: after a restart of the hub, the first to return wakes a table for
everybody.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from hub.runtime.overload import TABLE_SECONDS, Level, Overload
from hub.runtime.placement import HubFull, TooManyTables
from hub.wire.limits import SITE_SHARE, Opener, subtract

OVERLOAD_RETRY_SECONDS: Final = 10
"""When to ask again for a table that was refused because of overload."""


class RoomLimits:
    """Counts a hub's rooms; this machine has no share. `limited` counts refusals by the limit's name.

    Under overload no rooms are created, but those that people have are woken.
    """

    def __init__(
        self, limited: Counter[str], *, rooms: int, per_person: int, overload: Overload | None = None
    ) -> None:
        self._limited = limited
        self._overload = overload or Overload()
        self._max_rooms = rooms
        self._per_site = max(1, rooms // SITE_SHARE)
        self._per_person = per_person
        self._rooms = 0
        self._by_site: Counter[str] = Counter()
        self._by_person: Counter[str] = Counter()

    @property
    def is_full(self) -> bool:
        """Whether no more rooms fit, whoever opens them."""
        return self._rooms >= self._max_rooms

    def take(self, opener: Opener, *, waking: bool = False) -> None:
        """Counts one more room, created or (`waking`) loaded. Raises HubFull or TooManyTables."""
        if not waking and self._overload.refuses_tables:
            self._limited["overload tables"] += 1
            self._overload.spare(Level.REFUSE_TABLES, TABLE_SECONDS)
            raise HubFull(
                "This hub has too much to do for new tables: try again in a few seconds.",
                OVERLOAD_RETRY_SECONDS,
            )
        if not waking and self._by_person[opener.person] >= self._per_person:
            self._limited["person rooms"] += 1
            raise TooManyTables(
                f"You have {self._per_person} tables open, as many as one person may: go back to one, or try "
                "again a minute after everybody has left one."
            )
        origin = opener.site
        if origin is not None and self._by_site[origin] >= self._per_site:
            self._limited["network rooms"] += 1
            raise TooManyTables(
                f"Your network has {self._per_site} tables open, as many as one network may: join one, or "
                "try again a minute after everybody has left one."
            )
        if self.is_full:
            self._limited["rooms"] += 1
            raise HubFull("This hub has as many tables open as it can serve: try again in a minute.")
        self._rooms += 1
        self._by_person[opener.person] += 1
        if origin is not None:
            self._by_site[origin] += 1

    def check(self, opener: Opener) -> None:
        """Raises what `take` would raise, and counts nothing."""
        self.take(opener)
        self.give_back(opener)

    def give_back(self, opener: Opener) -> None:
        """Counts one room less, after `take`."""
        self._rooms -= 1
        subtract(self._by_person, opener.person)
        if opener.site is not None:
            subtract(self._by_site, opener.site)
