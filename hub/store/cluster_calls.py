"""Calls to a Cluster other than commits: over one connection to each primary that is needed.

A call goes to the primary that has its key. Where that primary names another one, the call follows: nothing
has been executed. While the keys of a call are on their way (TRYAGAIN), it is repeated for `seconds`. A call
whose connection fails has failed, as with a single store: it may or may not have taken effect.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from functools import partial
from typing import Final

import hiredis
import redis.exceptions

from hub.store.address import StoreAddress
from hub.store.calls import Command, Compose, SharedConnection, SharedRedis, StoreRedis
from hub.store.cluster import FRESH_SECONDS, Cluster, Primary, find_slot, read_redirection
from hub.store.pipe import NEW_PRIMARY, Backoff

SCRIPT_COMMANDS: Final = ("EVAL", "EVALSHA")


class ClusterRedis(StoreRedis):
    """A redis-py client for a Cluster. Commands without a key are for `list_primaries`."""

    def __init__(self, address: StoreAddress, seconds: float) -> None:
        assert address.cluster is not None
        super().__init__()
        self._address = address
        self._cluster: Cluster = address.cluster
        self._cluster.followers.append(self.follow)
        self._seconds = seconds
        self._shared_to: dict[Primary, SharedConnection] = {}

    async def list_primaries(self, age: float = FRESH_SECONDS) -> Sequence[tuple[StoreAddress, SharedRedis]]:
        await self._cluster.refresh(age)
        return [
            (self._address.at(primary), SharedRedis(self._connection_to(primary)))
            for primary in sorted(self._cluster.primaries)
        ]

    async def pin(self, key: str, age: float) -> SharedRedis:
        await self._cluster.refresh(age)
        return SharedRedis(self._connection_to(self._cluster.find(find_slot(key))))

    def follow(self, primaries: Collection[Primary]) -> None:
        for primary, shared in self._shared_to.items():
            if primary not in primaries:
                shared.drop(NEW_PRIMARY)

    async def aclose(self, close_connection_pool: bool | None = None) -> None:
        for shared in self._shared_to.values():
            shared.drop("closed")
        await super().aclose(close_connection_pool)

    def _connection_to(self, primary: Primary) -> SharedConnection:
        shared = self._shared_to.get(primary)
        if shared is None:
            shared = self._shared_to[primary] = SharedConnection(self._address.at(primary), self._seconds)
        return shared

    async def _exchange(self, compose: Compose) -> list[object]:
        """As any client; the key of the first command decides where they are sent."""
        if not self._cluster.primaries:
            await self._cluster.refresh()
        slot = find_slot(_find_key(compose(None)[0]))
        backoff = Backoff()
        loop = asyncio.get_running_loop()
        end = loop.time() + self._seconds
        asked: Primary | None = None
        """The node that is to be asked because it is receiving the slot."""
        while True:
            primary = asked or self._cluster.find(slot)
            first = [] if asked is None else [("ASKING",)]
            try:
                sent = await self._connection_to(primary).send(partial(_compose_after, first, compose))
            except (OSError, redis.exceptions.ConnectionError):  # nothing was sent
                if primary == self._cluster.find(slot) or loop.time() > end:
                    raise
                asked = None  # the map, which was read before connecting, names another one
            else:
                replies = (await asyncio.gather(*sent))[len(first) :]
                refusal = str(replies[0]) if isinstance(replies[0], hiredis.ReplyError) else ""
                redirection = read_redirection(refusal)
                if (redirection is None and not refusal.startswith("TRYAGAIN")) or loop.time() > end:
                    return replies
                asked = None
                if redirection is not None:
                    for_good, slot, (host, port) = redirection
                    target = (host or primary[0], port)
                    if for_good:
                        self._cluster.move(slot, target)
                    else:
                        asked = target
                    if not backoff.delayed:
                        backoff.delayed = True  # only the first one is followed at once
                        continue
            await asyncio.sleep(backoff.next_delay())


def _compose_after(first: Sequence[Command], compose: Compose, primary: Primary | None) -> Sequence[Command]:
    return [*first, *compose(primary)]


def _find_key(command: Command) -> str | bytes:
    """The first key of a command; all of them share a slot."""
    key: str | bytes = command[3 if command[0] in SCRIPT_COMMANDS else 1]
    return key


def make_client(address: StoreAddress, seconds: float) -> StoreRedis:
    """A client for the store at this address."""
    return (
        SharedRedis(SharedConnection(address, seconds))
        if address.cluster is None
        else ClusterRedis(address, seconds)
    )
