"""The people at a table without a seat, as its host sees them: those who knock, and those who watch.

They are kept in this hub's memory only. A client repeats its knock while it waits, so a room's next owner
gets it too. The host's decisions are committed (hub/table/admission.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from hub.clock import Clock, Timer
from hub.table.admission import is_at_table
from hub.table.room import Table
from hub.table.seating import choose_name
from hub.table.views import NO_LISTS, HostLists
from hub.wire import messages as m

KNOCK_SECONDS: Final = 60.0
"""A knock that is not repeated for this long is forgotten."""
MAX_KNOCKS: Final = 20
"""The number of people who may ask to come in at the same time."""
MAX_KNOCKS_PER_NETWORK: Final = 5
MAX_WATCHERS_LISTED: Final = 100
MAX_LIST_BYTES: Final = 2048
"""The maximum total size of the listed watchers' names; the section's count includes watchers left out."""
MAX_IDS: Final = 1000
"""The number of visitors' ids that are remembered; the oldest is dropped first."""

VISITOR_ACTS: Final = (m.Admit, m.Refuse, m.RemoveWatcher)


class KnockResult(Enum):
    """What came of a knock."""

    NEW = "new"
    REPEATED = "repeated"
    """The person was already waiting; the knock is kept for longer."""
    CROWDED = "crowded"
    """Refused: too many people, in all or from one network, ask to come in at the same time."""


class Knock(Struct):
    """Somebody asking to come in. `until`: monotonic seconds."""

    name: str
    network: str | None
    until: float


class VisitorIds:
    """The ids by which a host addresses people without a seat: a person's own id is kept from other people.

    Visitors are numbered from 1 within an epoch, so no two people ever have the same id.
    """

    __slots__ = ("_count", "_epoch", "_ids", "_people")

    def __init__(self, epoch: str) -> None:
        self._epoch = epoch
        self._count = 0
        self._ids: dict[str, str] = {}
        """Visitors' ids by person, oldest first."""
        self._people: dict[str, str] = {}
        """Persons by visitor's id."""

    def assign(self, person: str) -> str:
        """This person's id as a visitor; a new one if they have none."""
        visitor = self._ids.get(person)
        if visitor is None:
            self._count += 1
            visitor = self._ids[person] = f"{self._epoch}.{self._count}"
            self._people[visitor] = person
            if len(self._ids) > MAX_IDS:
                del self._people[self._ids.pop(next(iter(self._ids)))]
        return visitor

    def find_person(self, visitor: str) -> str:
        """The person with this id; empty if nobody has it."""
        return self._people.get(visitor, "")


class Door:
    """The knocks and watchers of one room. Calls `changed` when knocks expire."""

    __slots__ = ("_changed", "_clock", "_ids", "_knocks", "_lists", "_timer", "audience")

    def __init__(self, clock: Clock, epoch: str, changed: Callable[[], None]) -> None:
        self._clock = clock
        self._changed = changed
        self._ids = VisitorIds(epoch)
        self._knocks: dict[str, Knock] = {}
        """By person, oldest first."""
        self._lists = NO_LISTS
        self.audience: frozenset[str] = frozenset()
        """The people who were watching when admission began: they may watch again after losing a socket."""
        self._timer: Timer | None = None

    def knock(self, person: str, name: str, network: str | None) -> KnockResult:
        """Adds or repeats this person's knock. `network` is None for this machine, which has no limit of its
        own."""
        until = self._clock.time() + KNOCK_SECONDS
        known = self._knocks.get(person)
        if known is not None:
            known.until = until
            return KnockResult.REPEATED
        networks = Counter(knock.network for knock in self._knocks.values() if knock.network is not None)
        if len(self._knocks) >= MAX_KNOCKS or (
            network is not None and networks[network] >= MAX_KNOCKS_PER_NETWORK
        ):
            return KnockResult.CROWDED
        self._knocks[person] = Knock(name, network, until)
        if self._timer is None:
            self._timer = self._clock.call_later(KNOCK_SECONDS, self._expire)
        return KnockResult.NEW

    def _expire(self) -> None:
        at = self._clock.time()
        before = len(self._knocks)
        self._knocks = {person: knock for person, knock in self._knocks.items() if knock.until > at}
        self._timer = None
        if self._knocks:
            earliest = min(knock.until for knock in self._knocks.values())
            self._timer = self._clock.call_later(earliest - at, self._expire)
        if len(self._knocks) < before:
            self._changed()

    def settle(self, table: Table) -> bool:
        """Drops the knocks that the host has decided on; returns whether there were any."""
        settled = [
            person
            for person in self._knocks
            if person in table.admitted or person in table.barred or is_at_table(table, person)
        ]
        for person in settled:
            del self._knocks[person]
        return bool(settled)

    def resolve(self, command: m.Manage) -> m.Manage:
        """The command with the person's id in place of the visitor's id; empty if no visitor has it."""
        act = command.act
        if not isinstance(act, VISITOR_ACTS):
            return command
        return replace(command, act=replace(act, id=self._ids.find_person(act.id)))

    def lists(self, table: Table, watchers: Mapping[str, str]) -> HostLists:
        """The lists for the host, as the same object until they change. `watchers`: names by person.

        The host decides by the names of those who knock: none looks like another, or like one at the table.
        """
        knocks: list[m.Visitor] = []
        for person, knock in self._knocks.items():
            name = choose_name(table, knock.name, [visitor.name for visitor in knocks])
            knocks.append(self._visitor(person, name))
        listed: list[m.Visitor] = []
        space = MAX_LIST_BYTES
        for person, name in watchers.items():
            space -= len(name.encode())
            if space < 0 or len(listed) == MAX_WATCHERS_LISTED:
                break
            listed.append(self._visitor(person, name))
        lists = HostLists(
            m.KnocksSection(tuple(knocks)) if knocks else None,
            m.WatchersSection(tuple(listed), len(watchers)) if watchers else None,
        )
        if lists != self._lists:
            self._lists = lists
        return self._lists

    def _visitor(self, person: str, name: str) -> m.Visitor:
        return m.Visitor(self._ids.assign(person), name)

    def close(self) -> None:
        """Stops the timer."""
        if self._timer is not None:
            self._timer.cancel()
