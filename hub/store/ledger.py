"""A ledger in the store: entries by id and time, newest first, limited in number and in age.

Reports (hub/store/reports.py) and the audit log (hub/store/audit.py) are ledgers. Every method may raise
StoreUnavailable.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Generic, Protocol, TypeVar

import msgspec

from hub.store.scripts import load_script
from hub.store.store import Store

DAY_SECONDS: Final = 24 * 3600


class LedgerEntry(Protocol):
    """An entry of a ledger: a struct with an id, and the time `at` in seconds since 1970."""

    @property
    def id(self) -> str: ...

    @property
    def at(self) -> int: ...


T = TypeVar("T", bound=LedgerEntry)


class Ledger(Generic[T]):
    """At most `most` entries of one kind, each kept for `days` and then removed completely."""

    def __init__(self, store: Store, name: str, kind: type[T], *, most: int, days: int) -> None:
        self._store = store
        base = store.key(f"{{{name}}}")
        self._keys = [f"{base}:times", f"{base}:entries"]
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode = msgspec.msgpack.Decoder(kind).decode
        self._most = most
        self._days = max(1, days)

    async def add(self, entry: T) -> None:
        """Adds an entry; drops entries that are too old, then the oldest if there are too many."""
        life = self._days * DAY_SECONDS
        limits = (entry.at - life, self._most, life * 1000)
        await self._store.run(ADD, self._keys, [entry.id, self._encode(entry), entry.at, *limits])

    async def entries(self, start: int = 0, count: int = 100) -> Sequence[T]:
        """The entries from number `start` on, newest first."""
        ids = await self._store.call("ZREVRANGE", self._keys[0], start, start + count - 1)
        if not ids:
            return []
        packed = await self._store.call("HMGET", self._keys[1], *ids)
        return [self._decode(entry) for entry in packed if entry is not None]

    async def entry(self, id: str) -> T | None:
        packed: Any = await self._store.call("HGET", self._keys[1], id)
        return None if packed is None else self._decode(packed)

    async def replace(self, entry: T) -> bool:
        """Replaces the entry with this id; returns False if there is none."""
        return bool(await self._store.run(REPLACE, self._keys, [entry.id, self._encode(entry)]))

    async def remove(self, id: str) -> bool:
        """Removes the entry with this id; returns False if there is none."""
        return bool(await self._store.run(REPLACE, self._keys, [id, b""]))

    async def count(self) -> int:
        return int(await self._store.call("ZCARD", self._keys[0]))


ADD: Final = load_script("ledger")
REPLACE: Final = load_script("ledger_replace")
