"""The operators' policy as this hub knows it: bans, revocations, closures and ended sessions.

The store holds it for every hub (hub/store/policy.py). `PolicyFollower` reads its version as often as the hub
sends heartbeats, so that a decision made at any hub holds at all of them within a heartbeat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, assert_never

import structlog
from msgspec import Struct

from hub.clock import Clock
from hub.store.client import StoreUnavailable
from hub.store.lease import BEAT_INTERVAL_SECONDS
from hub.store.policy import Ban, Closure, Departure, EndedSession, PolicyEntry, PolicyStore, Revocation

_log = structlog.get_logger("policy")


class Policy(Struct, frozen=True):
    """Bans by person and by network, revocations by person, and closed tables; times in seconds since
    1970."""

    persons: Mapping[str, Ban] = {}
    networks: Mapping[str, Ban] = {}
    revocations: Mapping[str, Revocation] = {}
    revoked_before: int = 0
    """The tokens and tickets of everybody who came before this time are void."""
    closures: Mapping[str, Closure] = {}
    ended_sessions: frozenset[str] = frozenset()
    """The ids of operators' sessions that were ended by signing out."""
    departures: Mapping[str, int] = {}
    """People's tokens and tickets since before this time are void: they continue on another device."""

    def find_ban(self, person: str | None, network: str | None, at: float) -> Ban | None:
        """The ban in force on this person or network at this time. `network` is None for this machine."""
        by_person = self.persons.get(person) if person is not None else None
        if by_person is not None and by_person.until > at:
            return by_person
        by_network = self.networks.get(network) if network is not None else None
        return by_network if by_network is not None and by_network.until > at else None

    def is_revoked(self, person: str, since: int) -> bool:
        """Whether this person's tokens and tickets are void on a device that they came to at this time.

        A revoked person comes back as somebody new. So whatever a hub that has not heard of it yet issues in
        the meantime is void as well.
        """
        return since < self.revoked_before or person in self.revocations

    def has_departed(self, person: str, since: int) -> bool:
        """Whether a person who came to a device at this time continues on another one."""
        return since < self.departures.get(person, 0)


EMPTY_POLICY: Final = Policy()


def read_policy(entries: Iterable[PolicyEntry]) -> Policy:
    persons: dict[str, Ban] = {}
    networks: dict[str, Ban] = {}
    revocations: dict[str, Revocation] = {}
    revoked_before = 0
    closures: dict[str, Closure] = {}
    ended_sessions: set[str] = set()
    departures: dict[str, int] = {}
    for entry in entries:
        match entry:
            case Ban():
                (persons if entry.kind == "person" else networks)[entry.target] = entry
            case Revocation(person):
                if person is None:
                    revoked_before = entry.before
                else:
                    revocations[person] = entry
            case Closure():
                closures[entry.room] = entry
            case EndedSession(id):
                ended_sessions.add(id)
            case Departure(person, before):
                departures[person] = before
            case _:
                assert_never(entry)
    return Policy(
        persons, networks, revocations, revoked_before, closures, frozenset(ended_sessions), departures
    )


class PolicyFollower:
    """Keeps `policy` up to date with the stores of its entries. `wall` returns seconds since 1970."""

    def __init__(self, stores: Sequence[PolicyStore], clock: Clock, wall: Callable[[], float]) -> None:
        self.policy = EMPTY_POLICY
        self.changed: tuple[Callable[[], None], ...] = ()
        """Called in this order after each change."""
        self._stores = stores
        self._clock = clock
        self._wall = wall
        self._versions: Sequence[int] = ()
        self._missed = False

    async def refresh(self) -> None:
        """Reads the policy if it has changed. Raises StoreUnavailable."""
        # read before the entries, so that a change in between is noticed next time
        versions = [await store.version() for store in self._stores]
        if versions == self._versions:
            return
        at = int(self._wall())
        entries = [entry for store in self._stores for entry in await store.entries(at)]
        self._versions = versions
        self.policy = read_policy(entries)
        for call in self.changed:
            call()

    async def keep(self) -> None:
        """Refreshes forever; while the store is unavailable, the last known policy applies."""
        while True:
            try:
                await self.refresh()
                self._missed = False
            except StoreUnavailable as error:
                if not self._missed:
                    _log.warning("the policy could not be read", reason=str(error))
                self._missed = True
            await self._clock.sleep(BEAT_INTERVAL_SECONDS)
