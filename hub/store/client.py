"""The connection to the store for all but commits: commands, Lua scripts, and one error for all failures.

Any call may raise `StoreUnavailable`. The caller then cannot know whether it took effect, and may repeat it.
For `StoreDamaged`, which is one of these, that is of no use.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, Literal, Self

import redis.exceptions

from hub.config import Ack, count_replicas
from hub.store.address import Sentinels, StoreAddress
from hub.store.calls import SharedRedis, StoreRedis
from hub.store.cluster import Primary
from hub.store.cluster_calls import make_client
from hub.store.fitness import Fitness, check, examine, reason, text
from hub.store.keys import Keys
from hub.store.refusals import TOO_FEW_REPLICAS, is_damage, meaning
from hub.store.replicas import ReplicaQuorum

CALL_SECONDS: Final = 5.0
BEAT_TIMEOUT_SECONDS: Final = 1.0
"""How often the heartbeats' connection is checked for answers: one without any is given up."""
REPLICA_MS: Final = 1000
BEAT_REPLICA_MS: Final = 500
"""How long replicas may take to confirm a call, and a heartbeat: the next one is due half a second later."""
DAY_MS: Final = 24 * 3600 * 1000
WAITING_DAYS: Final = 7
"""A table whose game has not begun is deleted after this many days: anybody can make many of them."""
PAGE: Final = 500
"""The number of entries of a long list that are read at once."""
NOTHING: Final = "return 1"
"""A script that does nothing, for the confirmation that follows it."""
READINGS: Final = 10
"""How often reading a list is begun again because it went to another server meanwhile."""


class StoreUnavailable(ConnectionError):
    """The store is unreachable, does not answer, or refuses for a transient reason."""


class StoreDamaged(StoreUnavailable):
    """The store answers, but what it has under a key is damaged: only what is kept there cannot be used."""


class StoreClient:
    """Runs commands and scripts. Created by `open`."""

    def __init__(
        self,
        client: StoreRedis,
        beats: StoreRedis,
        address: StoreAddress,
        prefix: str,
        ack: Ack,
        forget_days: int,
        quorum: ReplicaQuorum,
    ) -> None:
        self._client = client
        self._beats = beats
        self._address = address
        self.keys = Keys(prefix)
        self._ack = ack
        self._quorum = quorum
        self._lifetime = forget_days * DAY_MS
        """Milliseconds after which a room is deleted unless it is renewed; 0: never."""
        self._waiting_lifetime = min(forget_days or WAITING_DAYS, WAITING_DAYS) * DAY_MS
        """The same for a room whose game has not begun."""
        self._confirming = asyncio.Lock()
        self._unconfirmed_until = 0.0
        """Until when a primary counts as unconfirmed without being asked again, by the monotonic clock."""
        self._was_appendonly = False
        """Whether the store wrote an append-only file at the start."""

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        prefix: str = "parley:",
        ack: Ack = "everysec",
        forget_days: int,
        quorum: ReplicaQuorum | None = None,
    ) -> Self:
        """Connects to a store and checks that it is fit for use. Raises CannotStart.

        Everything about a room is deleted `forget_days` after it was last owned (0: never), or after
        `WAITING_DAYS` if its game has not begun and that is less. `quorum`: how many replicas must confirm
        what is written; None for those that `ack` names.
        """
        address = StoreAddress.parse(url)
        calls, beats = make_client(address, CALL_SECONDS), make_client(address, BEAT_TIMEOUT_SECONDS)
        quorum = quorum or ReplicaQuorum(count_replicas(ack))
        store = cls(calls, beats, address, prefix, ack, forget_days, quorum)
        try:
            store._was_appendonly = await check(calls, address, ack, prefix)
        except BaseException:
            await store.close()
            raise
        return store

    async def examine(self) -> Fitness:
        """What has become unsuitable about the store since it was opened, and its memory."""
        async with self._errors():
            return await examine(self._client, self._ack, was_appendonly=self._was_appendonly)

    async def read_roles(self) -> Sequence[tuple[Primary | None, list[Any]]]:
        """The primary that this client is connected to, and its answer to ROLE; those of a Cluster that
        answer. Raises StoreUnavailable if there is none."""
        async with self._errors():
            # with heartbeats, since scripts that wait for replicas hold up the other connection
            clients = [client for _, client in await self._beats.list_primaries(math.inf)]
        roles = await asyncio.gather(*(self._read_role(client) for client in clients), return_exceptions=True)
        answers = [role for role in roles if not isinstance(role, BaseException)]
        for error in roles:
            if isinstance(error, BaseException) and not (answers and isinstance(error, StoreUnavailable)):
                raise error
        return answers

    async def _read_role(self, client: SharedRedis) -> tuple[Primary | None, list[Any]]:
        async with self._errors():
            role: list[Any] = await client.execute_command("ROLE")
        if text(role[0]) != "master":
            raise StoreUnavailable(f"the store at {self._address} is a replica")
        return client.leads_to, role

    async def is_primary(self, primary: Primary | None) -> bool:
        """Whether all that are asked, Sentinels or the nodes of a Cluster, agree that this is a primary."""
        watchers = self._address.sentinels or self._address.cluster
        return watchers is None or (primary is not None and await watchers.agree_on(primary))

    async def list_replicas(self) -> Mapping[Primary, Collection[Primary]]:
        """By primary, the replicas that Sentinels or the nodes of a Cluster know, whether or not they follow.

        Empty at a fixed address. Raises StoreUnavailable.
        """
        watchers = self._address.sentinels or self._address.cluster
        if watchers is None:
            return {}
        async with self._errors():
            return await watchers.list_replicas()

    @property
    def sentinels(self) -> Sentinels | None:
        """Those that name the store; None if its address is fixed."""
        return self._address.sentinels

    def follow(self, primaries: Collection[Primary]) -> None:
        """Gives up connections to any other store than these, and with them the calls under way."""
        self._client.follow(primaries)
        self._beats.follow(primaries)

    async def close(self) -> None:
        await self._client.aclose(close_connection_pool=True)
        await self._beats.aclose(close_connection_pool=True)

    def key(self, name: str) -> str:
        """The key of this name in this hub's part of the store."""
        return self.keys.key(name)

    async def call(self, *words: str | int | bytes) -> Any:
        """The reply to one command."""
        async with self._errors():
            return await self._client.execute_command(*words)

    async def run(self, script: str, keys: Sequence[str], arguments: Sequence[str | int | bytes]) -> Any:
        """The reply of a Lua script."""
        async with self._errors():
            return await self._run(script, keys, arguments)

    async def read_all(self, command: Literal["HSCAN", "SSCAN"], key: str) -> Sequence[bytes]:
        """All values of a hash, or all members of a set, read in pages."""
        async with self._errors():
            for reading in range(READINGS):
                values = await self._read_pages(command, key, 0.0 if reading else math.inf)
                if values is not None:
                    return values
        raise StoreUnavailable(f"the store at {self._address} does not leave {key} in one place")

    async def _read_pages(self, command: str, key: str, age: float) -> Sequence[bytes] | None:
        """As `read_all`; None if the key was moved, since only the server that began can go on."""
        primary = await self._client.pin(key, age)
        values: dict[bytes, bytes] = {}
        cursor: Any = None
        connections = 0
        while cursor != 0:
            try:
                cursor, page = await primary.execute_command(command, key, cursor or 0, "COUNT", PAGE)
            except redis.exceptions.AskError:  # or MovedError
                return None
            if connections not in (0, primary.connections):
                return None
            connections = primary.connections
            values |= page if isinstance(page, dict) else dict.fromkeys(page, b"")
        return [*(values.values() if command == "HSCAN" else values)]

    async def scan_keys(self, pattern: str) -> AsyncIterator[str]:
        """The keys that match a pattern, on all primaries. A key may come twice."""
        async with self._errors():
            for _, primary in await self._client.list_primaries():
                async for key in primary.scan_iter(pattern, count=PAGE):
                    yield text(key)

    async def call_each(self, *words: str) -> Sequence[Any]:
        """The reply of each primary to one command without a key."""
        async with self._errors():
            primaries = await self._client.list_primaries()
            return [await primary.execute_command(*words) for _, primary in primaries]

    async def _run(
        self,
        script: str,
        keys: Sequence[str],
        arguments: Sequence[str | int | bytes],
        client: StoreRedis | None = None,
    ) -> Any:
        """Runs a script; with PARLEY_ACK=replica:<k>, waits until enough replicas have its writes."""
        client = client or self._client
        if not self._quorum.least:
            return await client.eval(script, len(keys), *keys, *arguments)
        milliseconds = BEAT_REPLICA_MS if client is self._beats else REPLICA_MS
        answer, confirmed, wait, role = await client.eval_and_wait(
            script, keys, arguments, self._quorum.begin_wait, milliseconds
        )
        if not self._quorum.is_met(wait, confirmed, role):
            raise StoreUnavailable(TOO_FEW_REPLICAS)
        return answer

    async def _confirm_primary(self, key: str) -> None:
        """Raises StoreUnavailable if the primary that says it has no such key was perhaps superseded: its
        successor may have the key. Where replicas confirm what is written, they are asked here, too.

        A WAIT holds up all calls, and anybody may ask for rooms that never were. So there is one at a time,
        and after one that failed none for as long as it took.
        """
        if not self._quorum.least:
            return
        async with self._confirming:
            if time.monotonic() < self._unconfirmed_until:
                raise StoreUnavailable(TOO_FEW_REPLICAS)
            try:
                await self._run(NOTHING, [key], [])
            except StoreUnavailable:
                self._unconfirmed_until = time.monotonic() + REPLICA_MS / 1000
                raise

    @asynccontextmanager
    async def _errors(self) -> AsyncIterator[None]:
        try:
            yield
        except StoreUnavailable:
            raise
        except (redis.exceptions.RedisError, OSError) as error:
            if is_damage(error):
                raise StoreDamaged(f"the store at {self._address}: {reason(error)}") from error
            known = meaning(error)
            detail = f": {reason(error)}" if known is None else f" {known}"
            raise StoreUnavailable(f"the store at {self._address}{detail}") from error
