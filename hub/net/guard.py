"""Applies the operators' policy: keeps banned people out, and closes the sockets they already have.

The policy comes from the store (hub/runtime/policy.py). A check is a few dictionary lookups.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Literal, Protocol, TypeAlias

from hub.runtime.policy import EMPTY_POLICY, Policy
from hub.store.policy import Ban
from hub.telemetry.metrics import Metrics
from hub.wire.limits import network
from hub.wire.tickets import Person, Ticket

ExclusionReason: TypeAlias = Ban | Literal["revoked", "departed", "closed"]
"""The reason for keeping somebody out: a ban, a revoked ticket, one of a device that they have left, or a
table that an operator closed."""


class CurrentPolicy(Protocol):
    """The policy as this hub knows it (hub/runtime/policy.py)."""

    @property
    def policy(self) -> Policy: ...


class NoPolicy:
    """A policy that forbids nothing."""

    policy = EMPTY_POLICY


class ClientSocket(Protocol):
    """A socket that has said hello (hub/net/connection.py)."""

    @property
    def ticket(self) -> Ticket | None:
        """The ticket from its hello; None after the socket has closed."""
        ...

    @property
    def address(self) -> str | None: ...

    def exclude(self, reason: ExclusionReason) -> None:
        """Closes the socket with the close code for this reason."""
        ...


class Guard:
    """Applies the policy to requests, hellos and open sockets. `wall` returns seconds since 1970."""

    def __init__(
        self, current: CurrentPolicy, wall: Callable[[], float], metrics: Metrics | None = None
    ) -> None:
        self._current = current
        self._wall = wall
        self._metrics = metrics or Metrics()
        self._sockets: set[ClientSocket] = set()

    def find_ban(self, person: str | None, address: str | None) -> Ban | None:
        """The ban in force on this person or this address's network; counts the refusal."""
        policy = self._current.policy
        if not (policy.persons or policy.networks):
            return None
        ban = policy.find_ban(person, network(address), self._wall())
        if ban is not None:
            self._metrics.limited["bans"] += 1
        return ban

    def is_revoked(self, person: str, since: int) -> bool:
        return self._current.policy.is_revoked(person, since)

    def has_departed(self, person: str, since: int) -> bool:
        return self._current.policy.has_departed(person, since)

    def excludes(self, person: Person) -> bool:
        """Whether a person's token is void, or they are banned."""
        revoked = self.is_revoked(person.id, person.since)
        return (
            revoked
            or self.has_departed(person.id, person.since)
            or self.find_ban(person.id, None) is not None
        )

    def check(self, ticket: Ticket, address: str | None) -> ExclusionReason | None:
        """The reason to keep the holder of this ticket out; None if there is none."""
        if ticket.room in self._current.policy.closures:
            return "closed"
        if self.is_revoked(ticket.person, ticket.since):
            return "revoked"
        if self.has_departed(ticket.person, ticket.since):
            return "departed"
        return self.find_ban(ticket.person, address)

    # --- open sockets ---

    def add(self, socket: ClientSocket) -> None:
        self._sockets.add(socket)

    def remove(self, socket: ClientSocket) -> None:
        self._sockets.discard(socket)

    def sockets(self) -> Iterator[ClientSocket]:
        """The open sockets, as they are now: the caller may close them."""
        return iter(tuple(self._sockets))

    def enforce(self) -> None:
        """Closes the sockets of people who are kept out; called when the policy has changed."""
        for socket in self.sockets():
            ticket = socket.ticket
            reason = self.check(ticket, socket.address) if ticket is not None else None
            if reason is not None:
                socket.exclude(reason)


def explain_ban(ban: Ban) -> str:
    """One sentence for a banned person; only operators see the reason."""
    return f"you are banned from this hub until {end_of(ban)}"


def end_of(ban: Ban) -> str:
    """When a ban ends, in UTC, as in 2027-01-31T12:00:00Z."""
    return datetime.fromtimestamp(ban.until, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
