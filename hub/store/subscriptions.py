"""Where people's browsers can be reached by Web Push: subscriptions, a few for each person, each for a while.

Every method may raise StoreUnavailable.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

import msgspec
from msgspec import Struct

from hub.store.client import DAY_MS
from hub.store.scripts import load_script
from hub.store.store import Store

LIFE_DAYS: Final = 60
"""A browser renews its subscription whenever its person opens a table."""
MAX_SUBSCRIPTIONS: Final = 5
"""Subscriptions of one person, one for each browser; one more removes the oldest."""


class Subscription(Struct, frozen=True):
    """A browser's address at its push service, the keys that messages to it are encrypted with (RFC 8291),
    and when it was renewed, in seconds since 1970."""

    endpoint: str
    p256dh: bytes
    auth: bytes
    at: int

    @property
    def id(self) -> bytes:
        return sha256(self.endpoint.encode()).digest()[:16]


class Subscriptions:
    """The subscriptions in the store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode = msgspec.msgpack.Decoder(Subscription).decode

    async def add(self, person: str, subscription: Subscription) -> None:
        """Adds a subscription, or renews it."""
        entry: bytes = self._encode(subscription)
        life = LIFE_DAYS * DAY_MS
        arguments = (subscription.id, entry, subscription.at, MAX_SUBSCRIPTIONS, life)
        await self._store.run(ADD, self._store.keys.subscriptions(person), arguments)

    async def list_valid(self, person: str, at: int) -> Sequence[Subscription]:
        """The subscriptions of a person that are valid at `at`."""
        packed = await self._store.call("HVALS", self._store.keys.subscriptions(person)[0])
        stored = [self._decode(value) for value in packed]
        return [entry for entry in stored if entry.at > at - LIFE_DAYS * DAY_MS // 1000]

    async def forget(self, person: str) -> None:
        """Removes all subscriptions of a person: they have left those browsers."""
        await self._store.call("UNLINK", *self._store.keys.subscriptions(person))

    async def remove(self, person: str, id: bytes) -> None:
        entries, times = self._store.keys.subscriptions(person)
        await self._store.call("HDEL", entries, id)
        await self._store.call("ZREM", times, id)


ADD: Final = load_script("set_expiry", "subscribe")
