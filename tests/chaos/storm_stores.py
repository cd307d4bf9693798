"""The stores of a storm, in each shape: how hubs reach them, and what is done to them.

The bundled store belongs to its hub. A single store writes each command to disk before it answers. Behind
Sentinels are a primary and two replicas, of which one is to spare. In a Cluster, each of three primaries has
a replica, which must have each command; one primary at a time is hit.
"""

from __future__ import annotations

import asyncio
import itertools
import resource
import shutil
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from redis.asyncio import Redis, RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.exceptions import RedisError

from tests.chaos.conftest import BUNDLED
from tests.chaos.storm_schedule import StoreFault, TimedFault
from tests.harness.clusters import StoreCluster, clustered
from tests.harness.processes import StoreProcess, free_port
from tests.harness.sentinels import NAME, SENTINEL_PASSWORD, Watched, watched
from tests.harness.wall_clocks import WallClock

SPARE_BYTES: Final = 4096
"""How much more fits on a full disk."""
FAILOVER_SECONDS: Final = 12.0
"""After this long, whoever waits for a failover goes on without one."""
SOON_SECONDS: Final = 1.0
"""A killed primary that comes back sooner follows the new one at once, as if its configuration named it; any
other takes itself for the primary, until a Sentinel says otherwise."""
DOWN_MS: Final = 1500
"""How long a primary must be silent before it is replaced; on a busy machine, some are for a while."""
POLL: Final = 0.1
UNREADABLE: Final = "Bad file format reading the append only file"


class StormStore(ABC):
    """A store that hubs share. Only its processes are hit; what is between them and the hubs is on routes."""

    ack: str
    processes: Sequence[StoreProcess]

    @property
    @abstractmethod
    def url(self) -> str:
        """The URL that hubs are given."""

    @property
    @abstractmethod
    def ports(self) -> list[int]:
        """All ports to which hubs connect."""

    @abstractmethod
    async def find_primary(self) -> StoreProcess:
        """The process that hubs should be using."""

    @abstractmethod
    async def fail_over(self, primary: StoreProcess) -> None: ...

    async def until_replaced(self, primary: StoreProcess) -> None:
        """Wait until another one is the primary, or for `FAILOVER_SECONDS`.

        A killed primary must not come back before: it may lack what its replicas have.
        """
        try:
            async with asyncio.timeout(FAILOVER_SECONDS):
                while not await self._may_come_back(primary):  # noqa: ASYNC110 - stores set no event
                    await asyncio.sleep(POLL)
        except TimeoutError:
            print(f"{primary.socket.parent.name} was not replaced")

    @abstractmethod
    async def _may_come_back(self, primary: StoreProcess) -> bool:
        """Whether another one is the primary, or none could be."""

    @abstractmethod
    def list_copies(self, primary: StoreProcess) -> Sequence[StoreProcess]:
        """All processes that have what this one has, itself included: one of them is the primary."""

    @abstractmethod
    async def demote(self, process: StoreProcess) -> None:
        """Make a process follow the primary, if that is another one."""

    async def find_url(self) -> str:
        """The URL for whoever checks the store."""
        return (await self.find_primary()).url

    def client(self, process: StoreProcess) -> Redis:
        return Redis.from_url(process.url, socket_timeout=5.0)

    async def strike(self, fault: TimedFault, kind: StoreFault) -> None:
        """Let this happen to the store, until it is over and the store may fail over again.

        Before a former primary follows the new one, it might be promoted without what was stored meanwhile
        (docs/OPERATIONS.md, "A store with a failover").
        """
        primary = await self.find_primary()
        await self._let_happen(fault, kind, primary)
        with suppress(TimeoutError):
            async with asyncio.timeout(FAILOVER_SECONDS):
                while not await self._has_one_primary(  # noqa: ASYNC110 - stores set no event
                    self.list_copies(primary)
                ):
                    await asyncio.sleep(POLL)

    async def _has_one_primary(self, copies: Sequence[StoreProcess]) -> bool:
        """Whether one of these is the primary, and all others are connected to it."""
        roles = [await self._read_role(process) for process in copies]
        primaries = [role for role in roles if role and role[0] == b"master"]
        followers = [role for role in roles if role and role[0] == b"slave" and role[3] == b"connected"]
        return len(primaries) == 1 and len(primaries) + len(followers) == len(copies)

    async def _read_role(self, process: StoreProcess) -> list[Any]:
        """The answer to ROLE; empty if there is none."""
        with suppress(RedisError, OSError):
            async with self.client(process) as client:
                role: list[Any] = await client.execute_command("ROLE")  # type: ignore[no-untyped-call]
                return role
        return []

    async def _let_happen(self, fault: TimedFault, kind: StoreFault, primary: StoreProcess) -> None:
        match kind:
            case "kill store":
                await asyncio.to_thread(primary.kill)
                await self._revive(primary, fault.seconds)
            case "restart store":
                await asyncio.to_thread(primary.stop)
                await self._revive(primary, fault.seconds)
            case "freeze store":
                await asyncio.to_thread(primary.freeze)
                await asyncio.sleep(fault.seconds)
                await asyncio.to_thread(primary.thaw)
            case "fail over":
                await self.fail_over(primary)
            case "fill disk":
                await self._fill_disk(primary, fault.seconds)
            case "fill memory":
                with suppress(RedisError, OSError):
                    async with self.client(primary) as client:
                        await client.config_set("maxmemory", 1)
                        await asyncio.sleep(fault.seconds)
                        await client.config_set("maxmemory", 0)
            case "step store's clock":
                self.clock_of(primary).set_offset(fault.amount)

    def clock_of(self, process: StoreProcess) -> WallClock:
        return WallClock(process.socket.with_name("clock"))

    async def _revive(self, process: StoreProcess, seconds: float) -> None:
        await self.until_replaced(process)
        await asyncio.sleep(seconds)
        try:
            await asyncio.to_thread(process.start)
        except AssertionError:
            if UNREADABLE not in "".join(process.lines) or not await self._has_other_primary(process):
                raise
            # As an operator would do with a copy that cannot read its own file: its primary has everything.
            print(f"{process.socket.parent.name} cannot read its file, and begins again from its primary")
            shutil.rmtree(process.socket.parent / "appendonlydir")
            await asyncio.to_thread(process.start)
        if seconds < SOON_SECONDS:
            await self.demote(process)

    async def _has_other_primary(self, process: StoreProcess) -> bool:
        others = [copy for copy in self.list_copies(process) if copy is not process]
        return any(role and role[0] == b"master" for role in [await self._read_role(copy) for copy in others])

    async def _fill_disk(self, process: StoreProcess, seconds: float) -> None:
        """Let its files grow no further. A store that must write each command to disk at once gives up."""
        sizes = [file.stat().st_size for file in process.socket.parent.rglob("*.aof")]
        _, most = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (max(sizes, default=0) + SPARE_BYTES, most))
        await asyncio.sleep(seconds)
        if process.has_ended:
            await asyncio.to_thread(process.wait)
            await self._revive(process, 0.0)
        else:
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (most, most))


class SingleStore(StormStore):
    """One store that writes each command to disk before it answers."""

    ack = "fsync"

    def __init__(self, process: StoreProcess) -> None:
        self.processes = [process]

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.processes[0].port}"

    @property
    def ports(self) -> list[int]:
        return [self.processes[0].port]

    async def find_primary(self) -> StoreProcess:
        return self.processes[0]

    async def fail_over(self, primary: StoreProcess) -> None:
        raise AssertionError("a single store has nothing to fail over to")

    async def _may_come_back(self, primary: StoreProcess) -> bool:
        return True

    def list_copies(self, primary: StoreProcess) -> Sequence[StoreProcess]:
        return [primary]

    async def demote(self, process: StoreProcess) -> None:
        pass


class SentinelStore(StormStore):
    """A primary and two replicas, which three Sentinels watch. One replica is there to be promoted."""

    ack = "replica:1"

    def __init__(self, stores: Watched) -> None:
        self.processes = stores.stores
        self._stores = stores

    @property
    def url(self) -> str:
        return self._stores.url

    @property
    def ports(self) -> list[int]:
        stores, sentinels = self._stores.stores, self._stores.sentinels
        return [*(store.port for store in stores), *(sentinel.port for sentinel in sentinels)]

    async def find_primary(self) -> StoreProcess:
        while True:
            for sentinel in self._stores.sentinels:
                with suppress(RedisError, OSError):
                    async with Redis(port=sentinel.port, password=SENTINEL_PASSWORD) as client:
                        address: Any = await client.sentinel_get_master_addr_by_name(NAME)
                        port = address[1]
                        return next(process for process in self.processes if process.port == int(port))
            await asyncio.sleep(POLL)

    async def fail_over(self, primary: StoreProcess) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(FAILOVER_SECONDS):
                await self._stores.fail_over()
        await self.until_replaced(primary)

    async def _may_come_back(self, primary: StoreProcess) -> bool:
        return await self.find_primary() is not primary

    def list_copies(self, primary: StoreProcess) -> Sequence[StoreProcess]:
        return self.processes

    async def demote(self, process: StoreProcess) -> None:
        primary = await self.find_primary()
        if primary is not process:
            with suppress(RedisError, OSError):
                async with self.client(process) as client:
                    await client.replicaof("127.0.0.1", str(primary.port))


class ClusterStore(StormStore):
    """Three primaries with a replica each; faults hit one shard after another."""

    ack = "replica:1"

    def __init__(self, cluster: StoreCluster) -> None:
        self.processes = cluster.nodes
        self._cluster = cluster
        self._turns = itertools.cycle(zip(cluster.primaries, cluster.replicas, strict=True))

    @property
    def url(self) -> str:
        return self._cluster.url

    @property
    def ports(self) -> list[int]:
        return [node.port for node in self.processes]

    async def find_url(self) -> str:
        return self.url

    async def find_primary(self) -> StoreProcess:
        """The primary of the next shard."""
        pair = next(self._turns)
        while True:
            for node in pair:
                if await self._is_primary(node):
                    return node
            await asyncio.sleep(POLL)

    async def fail_over(self, primary: StoreProcess) -> None:
        with suppress(TimeoutError, RedisError, OSError):
            async with asyncio.timeout(FAILOVER_SECONDS):
                await self._cluster.promote(self._partner_of(primary))

    async def _may_come_back(self, primary: StoreProcess) -> bool:
        return await self._is_primary(self._partner_of(primary))

    def list_copies(self, primary: StoreProcess) -> Sequence[StoreProcess]:
        return [primary, self._partner_of(primary)]

    async def demote(self, process: StoreProcess) -> None:
        """It learns from the others that it was replaced."""

    def _partner_of(self, node: StoreProcess) -> StoreProcess:
        number = self.processes.index(node)
        return self.processes[(number + 3) % 6]

    async def _is_primary(self, node: StoreProcess) -> bool:
        role = await self._read_role(node)
        return bool(role) and role[0] == b"master"


def connect(url: str) -> Redis | RedisCluster:
    """A client for whoever checks the store at this URL."""
    parts = urlsplit(url)
    if parts.scheme != "redis+cluster":
        return Redis.from_url(url, socket_timeout=1.0)
    login, _, hosts = parts.netloc.rpartition("@")
    nodes = [ClusterNode(*host.split(":")) for host in hosts.split(",")]
    password = unquote(login.removeprefix(":"))
    return RedisCluster(
        startup_nodes=nodes, password=password, socket_timeout=1.0, require_full_coverage=False
    )


def make_store(folder: Path, port: int, **settings: str) -> StoreProcess:
    """A store with a clock of its own, for which a full disk is what it is elsewhere."""
    folder.mkdir(exist_ok=True)
    process = StoreProcess(BUNDLED, folder, port=port, **settings)
    process.environment |= WallClock(folder / "clock").environment
    process.is_told_of_limits = False
    return process


@asynccontextmanager
async def open_single(folder: Path) -> AsyncIterator[StormStore]:
    with make_store(folder / "s0", free_port(), appendfsync="always") as process:
        yield SingleStore(process)


@asynccontextmanager
async def open_watched(folder: Path) -> AsyncIterator[StormStore]:
    async with watched(BUNDLED, folder, replicas=2, make=make_store, down_ms=DOWN_MS) as stores:
        yield SentinelStore(stores)


@asynccontextmanager
async def open_cluster(folder: Path) -> AsyncIterator[StormStore]:
    async with clustered(BUNDLED, folder, replicas=range(3), make=make_store) as cluster:
        yield ClusterStore(cluster)
