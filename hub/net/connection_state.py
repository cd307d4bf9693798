"""The context of a connection (hub/net/connection.py), and its states."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol, TypeAlias

from msgspec import Struct, field

from hub.clock import Clock, Timer
from hub.net.command_budget import CommandBudget
from hub.net.endpoint import Transport
from hub.net.guard import Guard, NoPolicy
from hub.net.links.front import Channel
from hub.net.person_sockets import PersonSockets
from hub.net.site_budgets import SiteBudgets
from hub.runtime.actor import Actor
from hub.store.hubs import HubIdentity
from hub.telemetry.metrics import Metrics
from hub.telemetry.tasks import Tasks
from hub.wire.limits import Opener
from hub.wire.tickets import Signer, Ticket


class Finder(Protocol):
    """Finds rooms (hub/runtime/registry.py)."""

    async def find(self, room: str, opener: Opener, *, take_free: bool = False) -> Actor:
        """The room's actor. Raises NoSuchRoom, Elsewhere, TableClosed, OtherVersion, Unavailable."""
        ...


class ConnectionContext(Struct, frozen=True):
    """The objects that a hub's connections share. Each connection may send `rate` commands per second, and
    `burst` at once; `sites` limits all of a site together, and `commands` all sockets in a turn of the loop.
    A table may have up to `watchers_per_table` sockets of watchers."""

    finder: Finder
    signer: Signer
    clock: Clock
    tasks: Tasks
    metrics: Metrics
    wall: Callable[[], float]
    people: PersonSockets
    sites: SiteBudgets
    commands: CommandBudget
    rate: float
    burst: float
    watchers_per_table: int
    guard: Guard = field(default_factory=lambda: Guard(NoPolicy(), time.time))
    build: str | None = None
    """The build of the client that this hub serves."""
    relay: SocketRelay | None = None
    """None if no other hub shares the store, and for sockets that another hub relays: one hop at most."""


class SocketRelay(Protocol):
    """Passes sockets on to the hubs that own their rooms (hub/net/links/front.py)."""

    async def open(self, hub: HubIdentity, room: str, transport: Transport) -> Channel:
        """A channel to the room's owner for this client. Raises LinkLost."""
        ...


class AwaitingHello(Struct, eq=False):
    """Nothing has arrived yet. `room` is the one in the socket's address."""

    deadline: Timer
    room: str


class Joining(Struct, eq=False):
    """The ticket is valid; the room is being found, or the session committed."""

    ticket: Ticket
    hello: bytes
    session: int | None
    early: list[bytes]
    """Messages to handle after the welcome."""


class Following(Struct, eq=False):
    """Welcomed: commands are handled and frames sent."""

    actor: Actor
    ticket: Ticket


class Relayed(Struct, eq=False):
    """Another hub owns the room: messages are passed on to it."""

    channel: Channel
    ticket: Ticket


class Closed(Struct, eq=False):
    """The socket is gone."""


State: TypeAlias = AwaitingHello | Joining | Following | Relayed | Closed
