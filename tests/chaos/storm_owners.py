"""Who owns which room, and since when, as the store shows it ten times a second."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from redis.asyncio import Redis, RedisCluster
from redis.exceptions import RedisClusterException, RedisError

from hub.store.keys import Keys
from tests.chaos.storm_fleet import Fleet
from tests.chaos.storm_stores import connect
from tests.chaos.thinking_time import Tenure

POLL: Final = 0.1
LONG_AGO: Final = float("-inf")
KEYS: Final = Keys("parley:")


def read_incarnation(token: str) -> str:
    """The hub that a room's token, which people see as its epoch, was made by."""
    return token.split(":")[1]


class OwnerWatch:
    """The tenures of the rooms that are watched, by room and epoch."""

    def __init__(self, fleet: Fleet) -> None:
        self.rooms: set[str] = set()
        self.is_over = False
        self.tenures: defaultdict[str, dict[str, Tenure]] = defaultdict(dict)
        self._fleet = fleet
        self._url = ""
        self._client: Redis | RedisCluster | None = None
        self._asked = LONG_AGO
        """When the store was asked last; LONG_AGO if that was another one, perhaps out of date."""
        self._live: Mapping[str, int] = {}
        """The last live clock of each hub, in milliseconds, by its incarnation."""
        self._owners: Mapping[str, str] = {}
        """The token of each room at the last look."""

    async def keep(self) -> None:
        """Ask the store again and again, until it is over. (A cancellation might be lost in redis-py.)"""
        while not self.is_over:
            with suppress(RedisError, RedisClusterException, OSError):
                await self._look()
            await asyncio.sleep(POLL)
        await self._leave()

    async def _look(self) -> None:
        asked, rooms = time.monotonic(), sorted(self.rooms)
        client = await self._reach()
        tokens = await self._read(client, [(KEYS.room(room)[0], "token") for room in rooms])
        owners = {room: token.decode() for room, token in zip(rooms, tokens, strict=True) if token}
        hubs = sorted({read_incarnation(token) for token in (*owners.values(), *self._owners.values())})
        clocks = await self._read(client, [(KEYS.hub(hub), "live") for hub in hubs])
        live = {hub: int(clock) for hub, clock in zip(hubs, clocks, strict=True) if clock is not None}
        self.note(owners, live, asked, time.monotonic())

    def note(self, owners: Mapping[str, str], live: Mapping[str, int], asked: float, answered: float) -> None:
        """Notes each room's token and each hub's live clock, in milliseconds, as read between these times."""
        for room, token in owners.items():
            tenures = self.tenures[room]
            hub, former = read_incarnation(token), self._owners.get(room, token)
            if token not in tenures:
                tenures[token] = Tenure(self._asked if tenures else LONG_AGO, answered)
            elif live.get(hub) != self._live.get(hub):
                tenures[token].beaten = answered
            last = read_incarnation(former)
            if former != token and last in live and last in self._live:
                # it may have been alive for some time after the last look
                tenures[former].beaten += (live[last] - self._live[last]) / 1000
        self._live, self._owners = live, owners
        self._asked = asked

    async def _reach(self) -> Redis | RedisCluster:
        url = await self._fleet.find_store_url()
        if self._client is None or url != self._url:
            await self._leave()
            self._url, self._asked = url, LONG_AGO
            self._client = connect(url)
        return self._client

    async def _read(self, client: Redis | RedisCluster, fields: Sequence[tuple[str, str]]) -> list[Any]:
        if isinstance(client, RedisCluster):
            return [await client.hget(key, field) for key, field in fields]
        async with client.pipeline(transaction=False) as pipe:
            pipe.execute_command("WAIT", 0, 0)  # a replica, which may be behind, refuses
            for key, field in fields:
                pipe.hget(key, field)
            return list(await pipe.execute())[1:]

    async def _leave(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None
