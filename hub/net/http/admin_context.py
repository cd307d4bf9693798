"""The context of the operator's API: the tables, the people, the policy, the reports and the audit log."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Protocol

from msgspec import Struct

from hub.net.guard import ClientSocket
from hub.net.http.admin_auth import AdminAuth
from hub.net.http.requests import Handler
from hub.store.audit import AuditLog
from hub.store.policy import PolicyStore
from hub.store.reports import Reports
from hub.table.room import Table
from hub.wire.tickets import Signer


class Tables(Protocol):
    """The tables that an operator may see and close (hub/runtime/operator_tables.py)."""

    def list_awake(self) -> Sequence[tuple[Table, int]]: ...

    async def list_elsewhere(self, most: int) -> Sequence[tuple[Table, str]]: ...

    async def locate(self, room_or_code: str) -> str: ...

    async def has_sat(self, person: str) -> bool: ...


class ThisHub(Struct, frozen=True):
    """The hub that answers, and what a drain of it means."""

    name: str
    """Its label, if it has one, and the address it listens on: behind a proxy, all hubs have one URL."""
    is_draining: Callable[[], bool]
    drain: Callable[[], Awaitable[None]]
    """Hands over this hub's rooms."""
    count_others: Callable[[], int]
    """The other hubs that take rooms."""


class AdminContext(Struct, frozen=True):
    """The parts that the operator's API uses.

    `wall` returns seconds since 1970.
    """

    auth: AdminAuth
    tables: Tables
    sockets: Callable[[], Iterable[ClientSocket]]
    signer: Signer
    policies: PolicyStore
    refresh: Callable[[], Awaitable[None]]
    """Makes this hub follow the policy at once."""
    reports: Reports
    audit: AuditLog
    hub: ThisHub
    wall: Callable[[], float]
    public_url: str | None
    token_days: int
    forget_days: int
    """How many days a table is kept after its last use."""
    page: Handler
