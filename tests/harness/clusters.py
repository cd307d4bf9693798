"""A Cluster: three primaries, each with all its replicas, and slots that move between them."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from redis.asyncio import Redis

from hub.store.cluster import find_slot
from tests.harness.fault_proxy import FaultProxy
from tests.harness.processes import StoreProcess, free_port

PRIMARIES: Final = 3
SLOTS: Final = 16384
NODE_TIMEOUT_MS: Final = 500
PASSWORD: Final = "of the nodes"
POLL: Final = 0.01


def speaks_tls(binary: Path) -> bool:
    """Whether a server is built with TLS."""
    return b"SSL_CTX_new" in binary.read_bytes()


class StoreCluster:
    """The nodes of a Cluster: first the primaries, in the order of their slots, then the replicas."""

    def __init__(self) -> None:
        self.nodes: list[StoreProcess] = []
        self.is_tls = False
        """Whether hubs reach the nodes by TLS, and only so."""
        self.proxies: dict[StoreProcess, FaultProxy] = {}
        """What does the TLS of each node that cannot."""

    @property
    def url(self) -> str:
        hosts = ",".join(f"127.0.0.1:{self.port_of(node)}" for node in self.nodes)
        return f"{'rediss' if self.is_tls else 'redis'}+cluster://:{quote(PASSWORD)}@{hosts}"

    def port_of(self, node: StoreProcess) -> int:
        """The port at which hubs reach a node."""
        return self.proxies[node].port if node in self.proxies else node.port

    @property
    def primaries(self) -> Sequence[StoreProcess]:
        """The nodes that were primaries at the start."""
        return self.nodes[:PRIMARIES]

    @property
    def replicas(self) -> Sequence[StoreProcess]:
        return self.nodes[PRIMARIES:]

    def home_of(self, key: str) -> StoreProcess:
        """The node that had this key at the start."""
        return self.nodes[find_slot(key) * PRIMARIES // SLOTS]

    def client(self, node: StoreProcess) -> Redis:
        return Redis.from_url(node.url, decode_responses=True)

    async def run(self, node: StoreProcess, *words: str | int) -> Any:
        async with self.client(node) as client:
            return await client.execute_command(*words)  # type: ignore[no-untyped-call]

    async def count_errors(self, code: str) -> int:
        """How often the nodes that run have answered with an error of this code."""
        count = 0
        for node in self.nodes:
            stats = await self.run(node, "INFO", "errorstats")
            count += int(stats.get(f"errorstat_{code}", {"count": 0})["count"])
        return count

    # --- moving a slot from one primary to another, step by step ---

    async def begin_move(self, slot: int, source: StoreProcess, target: StoreProcess) -> None:
        names = [await self.run(node, "CLUSTER MYID") for node in (source, target)]
        await self.run(target, "CLUSTER SETSLOT", slot, "IMPORTING", names[0])
        await self.run(source, "CLUSTER SETSLOT", slot, "MIGRATING", names[1])

    async def move_keys(self, slot: int, source: StoreProcess, target: StoreProcess) -> None:
        keys = await self.run(source, "CLUSTER GETKEYSINSLOT", slot, 1000)
        where = ("127.0.0.1", target.port, "", 0, 5000)
        await self.run(source, "MIGRATE", *where, "AUTH", PASSWORD, "KEYS", *keys)

    async def finish_move(self, slot: int, source: StoreProcess, target: StoreProcess) -> None:
        name = await self.run(target, "CLUSTER MYID")
        for node in (target, source):
            await self.run(node, "CLUSTER SETSLOT", slot, "NODE", name)

    # --- the whole ---

    async def promote(self, replica: StoreProcess) -> None:
        """Has a replica take over from its primary, as for maintenance, and waits until it has."""
        await self.run(replica, "CLUSTER FAILOVER")
        await self.until_primary(replica)

    async def until_primary(self, node: StoreProcess) -> None:
        while (await self.run(node, "ROLE"))[0] != "master":  # noqa: ASYNC110 - a node sets no event
            await asyncio.sleep(POLL)

    async def until_agreed(self) -> None:
        """Waits until each node knows all others, and can serve keys."""
        for node in self.nodes:
            while True:
                info = await self.run(node, "CLUSTER INFO")
                if info["cluster_state"] == "ok" and int(info["cluster_known_nodes"]) == len(self.nodes):
                    break
                await asyncio.sleep(POLL)


@asynccontextmanager
async def clustered(
    binary: Path,
    folder: Path,
    replicas: Sequence[int] = (),
    make: Callable[..., StoreProcess] | None = None,
    certificates: Sequence[Path | None] = (),
    **settings: str,
) -> AsyncIterator[StoreCluster]:
    """A Cluster that can be used: three primaries, and a replica of each primary whose number is given.

    `make` makes each node from its folder, its port and its settings. `certificates`: with them hubs need
    TLS, and each node has one of them in turn; None for a node without TLS. The nodes then speak TLS among
    each other as well, if the server is built with it; otherwise a proxy before each node does it for hubs.
    """
    make = make or partial(StoreProcess, binary)
    has_own_tls = bool(certificates) and speaks_tls(binary)
    options = {
        "cluster_enabled": "yes",
        "cluster_node_timeout": str(NODE_TIMEOUT_MS),
        "cluster_require_full_coverage": "no",
        "cluster_allow_replica_migration": "no",
        "requirepass": PASSWORD,
        "masterauth": PASSWORD,
        "repl_diskless_sync_delay": "0",
        **settings,
    }
    cluster = StoreCluster()
    cluster.is_tls = bool(certificates)
    trusted = folder / "trusted.pem"
    trusted.write_bytes(b"".join(one.read_bytes() for one in certificates if one is not None))
    async with AsyncExitStack() as closing:
        for number in range(PRIMARIES + len(replicas)):
            part = folder / f"c{number}"
            part.mkdir()
            certificate = certificates[number % len(certificates)] if certificates else None
            own = {"cluster_port": str(free_port()), **options}
            if has_own_tls:
                port = free_port()
                node = make(part, **own, **_tls_settings(port, certificate, trusted))
                node.port = port
            elif certificate is not None:
                proxy = await closing.enter_async_context(_tls_proxy(part, certificate))
                node = make(part, port=free_port(), cluster_announce_client_port=str(proxy.port), **own)
                cluster.proxies[node] = proxy
            else:
                node = make(part, port=free_port(), **own)
            node.launch()
            closing.push(node)
            cluster.nodes.append(node)
        for node in cluster.nodes:
            await asyncio.to_thread(node.until_ready)
        for number, node in enumerate(cluster.primaries):
            first, past = (-(-SLOTS * edge // PRIMARIES) for edge in (number, number + 1))
            await cluster.run(node, "CLUSTER ADDSLOTSRANGE", first, past - 1)
            await cluster.run(node, "CLUSTER SET-CONFIG-EPOCH", number + 1)
        for node in cluster.nodes[1:]:
            bus = node.command[node.command.index("--cluster-port") + 1]
            await cluster.run(cluster.nodes[0], "CLUSTER MEET", "127.0.0.1", node.port, bus)
        if replicas:
            await cluster.until_agreed()
            await _follow(cluster, replicas)
        await cluster.until_agreed()
        yield cluster


def _tls_settings(port: int, certificate: Path | None, trusted: Path) -> dict[str, str]:
    assert certificate is not None, "a node of such a Cluster cannot do without TLS"
    return {
        "tls_port": str(port),
        "tls_cert_file": str(certificate),
        "tls_key_file": str(certificate),
        "tls_ca_cert_file": str(trusted),
        "tls_auth_clients": "no",
        "tls_cluster": "yes",
        "tls_replication": "yes",
    }


def _tls_proxy(folder: Path, certificate: Path) -> FaultProxy:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return FaultProxy(folder / "s.sock", tls=context)


async def _follow(cluster: StoreCluster, replicas: Sequence[int]) -> None:
    """Makes each replica follow the primary of this number, and waits until it does."""
    for number, replica in zip(replicas, cluster.replicas, strict=True):
        name = await cluster.run(cluster.nodes[number], "CLUSTER MYID")
        await cluster.run(replica, "CLUSTER REPLICATE", name)
    for replica in cluster.replicas:
        while (await cluster.run(replica, "ROLE"))[3] != "connected":  # noqa: ASYNC110
            await asyncio.sleep(POLL)
