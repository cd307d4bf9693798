"""The audit log: operators' actions, in the store for every hub."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from hub.store.ledger import Ledger
from hub.store.store import Store

MAX_AUDIT_ENTRIES: Final = 10_000
AUDIT_DAYS: Final = 365


class AuditEntry(Struct, frozen=True):
    """One action. `at` is in seconds since 1970; `network` is the operator's, None for the hub's own machine.

    `target` is the object of the action: a person's id, a network, a room's id, a report's id, or empty.
    """

    id: str
    at: int
    who: str
    network: str | None
    action: str
    target: str
    detail: str = ""


class AuditLog:
    """The audit log in the store. Every method may raise StoreUnavailable."""

    def __init__(self, store: Store, days: int = AUDIT_DAYS) -> None:
        self._ledger = Ledger(store, "audit", AuditEntry, most=MAX_AUDIT_ENTRIES, days=days)

    async def add(self, at: int, network: str | None, action: str, target: str, detail: str = "") -> str:
        """Adds an entry and returns its id."""
        # entries of one second are ordered by id
        entry = AuditEntry(
            f"{time.time_ns():016x}{secrets.token_hex(4)}", at, "admin", network, action, target, detail
        )
        await self._ledger.add(entry)
        return entry.id

    async def remove(self, id: str) -> bool:
        """Removes the entry of an action that was refused; returns False if there is none with this id."""
        return await self._ledger.remove(id)

    async def entries(self, start: int = 0, count: int = 100) -> Sequence[AuditEntry]:
        """Entries from number `start` on, newest first."""
        return await self._ledger.entries(start, count)
