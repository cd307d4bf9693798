"""A primary, its replicas, and three Sentinels that fail over within about a second."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode

from redis.asyncio import Redis
from redis.exceptions import ResponseError

from tests.harness.processes import Process, StoreProcess, free_port

NAME: Final = "tables"
DOWN_MS: Final = 500
BETWEEN_TRIES: Final = 0.05
EVENT_SECONDS: Final = 0.5
"""How long to wait for a Sentinel's event before looking again: some changes are not announced."""
PASSWORD: Final = "of the store"
SENTINEL_PASSWORD: Final = "of the sentinels"


class SentinelProcess(Process):
    """A Sentinel, which keeps what it knows in `folder`."""

    def __init__(self, binary: Path, folder: Path, primary: int, quorum: int, down_ms: int = DOWN_MS) -> None:
        self.port = free_port()
        file = folder / "sentinel.conf"
        file.write_text(
            f"port {self.port}\nbind 127.0.0.1\ndir {folder}\nrequirepass '{SENTINEL_PASSWORD}'\n"
            f"sentinel sentinel-pass '{SENTINEL_PASSWORD}'\n"
            f"sentinel monitor {NAME} 127.0.0.1 {primary} {quorum}\n"
            f"sentinel auth-pass {NAME} '{PASSWORD}'\n"
            f"sentinel down-after-milliseconds {NAME} {down_ms}\n"
            f"sentinel failover-timeout {NAME} 5000\n"
        )
        super().__init__([binary, file, "--sentinel"], ready=r"\+monitor master")

    @asynccontextmanager
    async def events(self, *kinds: str) -> AsyncIterator[tuple[Redis, Callable[[], Awaitable[object]]]]:
        """A client of this Sentinel, and a function that waits for its next event of these kinds."""
        async with (
            Redis(port=self.port, password=SENTINEL_PASSWORD) as client,
            client.pubsub(ignore_subscribe_messages=True) as subscription,
        ):
            await subscription.subscribe(*kinds)
            for _ in kinds:
                await subscription.get_message(timeout=EVENT_SECONDS)  # from now on, none is missed
            yield client, partial(subscription.get_message, timeout=EVENT_SECONDS)


class Watched:
    """A store that is watched: `primary` is the first of `stores`, until a failover."""

    def __init__(self) -> None:
        self.stores: list[StoreProcess] = []
        self.sentinels: list[SentinelProcess] = []

    @property
    def url(self) -> str:
        """The URL by the Sentinels."""
        hosts = ",".join(f"127.0.0.1:{sentinel.port}" for sentinel in self.sentinels)
        login, options = quote(PASSWORD), urlencode({"sentinel_password": SENTINEL_PASSWORD})
        return f"redis+sentinel://:{login}@{hosts}/{NAME}?{options}"

    @property
    def primary(self) -> StoreProcess:
        return self.stores[0]

    async def fail_over(self) -> None:
        """Has the last Sentinel promote a replica, as for maintenance."""
        async with Redis(port=self.sentinels[-1].port, password=SENTINEL_PASSWORD) as client:
            while True:
                try:
                    await client.sentinel_failover(NAME)
                except ResponseError:  # NOGOODSLAVE: it has not seen yet how far the replicas are
                    await asyncio.sleep(BETWEEN_TRIES)
                else:
                    return

    async def switched(self, find_primary: Callable[[], Awaitable[object]], before: object) -> None:
        """Wait until `find_primary` finds another primary than before."""
        async with self.sentinels[-1].events("+switch-master", "+config-update-from") as (_, next_event):
            while await find_primary() == before:
                await next_event()

    async def find_promoted(self) -> StoreProcess:
        """The replica that has become the primary."""
        for store in self.stores[1:]:
            async with self.client(store) as client:
                if (await client.info("replication"))["role"] == "master":
                    return store
        raise AssertionError("no replica has been promoted")

    def client(self, store: StoreProcess) -> Redis:
        return Redis.from_url(store.url, decode_responses=True)


@asynccontextmanager
async def watched(
    binary: Path,
    folder: Path,
    replicas: int,
    make: Callable[..., StoreProcess] | None = None,
    down_ms: int = DOWN_MS,
) -> AsyncIterator[Watched]:
    """A watched store: its replicas follow, and the Sentinels know them and one another.

    `make` makes each store from its folder, its port and its settings.
    """
    make = make or partial(StoreProcess, binary)
    watched = Watched()
    async with AsyncExitStack() as closing:
        for number in range(replicas + 1):
            part = folder / f"s{number}"
            part.mkdir()
            settings = {"requirepass": PASSWORD, "masterauth": PASSWORD, "repl_diskless_sync_delay": "0"}
            if watched.stores:
                settings["replicaof"] = f"127.0.0.1 {watched.primary.port}"
            store = make(part, port=free_port(), **settings)
            watched.stores.append(closing.enter_context(store))
        async with watched.client(watched.primary) as primary:
            await primary.set("first", "write")
            assert await primary.wait(replicas, 30_000) == replicas
            await primary.delete("first")
        for number in range(3):
            part = folder / f"q{number}"
            part.mkdir()
            sentinel = SentinelProcess(binary, part, watched.primary.port, 2, down_ms)
            watched.sentinels.append(closing.enter_context(sentinel))
        await _acquainted(watched, replicas)
        yield watched


async def _acquainted(watched: Watched, replicas: int) -> None:
    for sentinel in watched.sentinels:
        async with sentinel.events("+slave", "+sentinel") as (client, next_event):
            while True:
                masters: Any = await client.sentinel_masters()
                state = masters[NAME]
                known = state["num-slaves"], state["num-other-sentinels"]
                if known == (replicas, len(watched.sentinels) - 1):
                    break
                await next_event()
