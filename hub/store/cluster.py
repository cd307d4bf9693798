"""A Redis or Valkey Cluster: its primaries, and the slots that each of them has.

Every key hashes to one of 16384 slots, and each slot belongs to a primary. redis-py reads the map of slots.
It is read again before each new connection, as Sentinels are asked before each. In between, a node that has
given a slot away says so itself (MOVED), and executes nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import redis.exceptions
from redis.asyncio.cluster import ClusterNode, NodesManager
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot

from hub.store.refusals import MapRefused, explain_first, is_stall, meaning

CLUSTER_PORT: Final = 6379
NODE_SECONDS: Final = 0.5
"""How long a node may take to answer."""
FRESH_SECONDS: Final = 0.2
"""A map this recent is good enough for a new connection: reading one takes the hub some 10 ms."""

Primary: TypeAlias = tuple[str, int]
"""The host and port of a primary."""
Follow: TypeAlias = Callable[[Collection[Primary]], None]
"""Gives up connections that lead to any other store than one of these."""


class _Refusal(NamedTuple):
    """Why a node says nothing of the Cluster."""

    node: Primary
    reason: str
    remedy: str | None
    """What it means and what to do, as the rest of a sentence that begins with the node."""


class _Answer(NamedTuple):
    """What a node says of the Cluster. Of two in the same epoch, one that can serve keys knows better."""

    epoch: int
    is_ok: bool
    node: Primary


class Cluster:
    """The primaries of a Cluster. `followers` are told of them whenever they have changed."""

    def __init__(self, hosts: Sequence[tuple[str, int]], options: dict[str, Any]) -> None:
        self.hosts = tuple(hosts)
        """The nodes that the operator has named."""
        self.followers: list[Follow] = []
        self.primaries: Collection[Primary] = ()
        """Those that have slots; none until the map has been read."""
        self._replicas: dict[Primary, set[Primary]] = {}
        """The replicas of each primary, by the map."""
        self.epoch = 0
        """The highest epoch seen. An answer of a lower one is from before a failover."""
        self._options = options
        """How redis-py connects to each node."""
        self._is_agreed = False
        """Whether most nodes knew of the latest failover when the map was read."""
        self._nodes: Sequence[Primary] = self.hosts
        """All that are known, those that the operator has named first."""
        self._slots: list[Primary] = []
        """The primary of each slot. One that is gone stays until another one has its slot."""
        self._read_at = 0.0
        """When the map was read, by the event loop's clock."""
        self._reading: asyncio.Future[None] | None = None
        """Done when the map being read is there, or cannot be read."""

    def find(self, slot: int) -> Primary:
        """The primary of a slot, once the map has been read."""
        return self._slots[slot]

    def move(self, slot: int, primary: Primary) -> None:
        """Notes that this primary has a slot, as a node has said; any others are read with the next map."""
        self._slots[slot] = primary
        if primary not in self.primaries:
            self.primaries = frozenset(self._slots)

    async def refresh(self, age: float = 0.0) -> None:
        """Reads the map, unless it is younger than `age` seconds. All who need it meanwhile wait for it.

        Raises ConnectionError if no node has it.
        """
        loop = asyncio.get_running_loop()
        if self._slots and loop.time() - self._read_at < age:
            return
        if self._reading is not None:
            await asyncio.shield(self._reading)
            return
        self._reading = reading = loop.create_future()
        reading.add_done_callback(lambda done: done.exception())  # nobody may be waiting for it
        try:
            slots = await self._read()
        except BaseException as error:
            kind = MapRefused if isinstance(error, MapRefused) else ConnectionError
            reading.set_exception(kind(str(error)))
            raise
        else:
            reading.set_result(None)
        finally:
            self._reading = None
        self._read_at = loop.time()
        if slots != self._slots:
            self._slots = slots
            self.primaries = frozenset(slots)
            for follow in self.followers:
                follow(self.primaries)

    async def agree_on(self, primary: Primary) -> bool:
        """Whether most nodes answer, know of the same latest failover, and name this one a primary."""
        try:
            await self.refresh()
        except OSError:
            return False
        return self._is_agreed and primary in self.primaries

    async def list_replicas(self) -> Mapping[Primary, Collection[Primary]]:
        """By primary, its replicas on the map, whether or not they follow. Raises ConnectionError."""
        await self.refresh()
        return self._replicas

    async def _read(self) -> list[Primary]:
        """The primary of each slot, from the nodes that know of the latest failover."""
        answers = await asyncio.gather(*(self._ask(host, port) for host, port in self._nodes))
        valid = [answer for answer in answers if isinstance(answer, _Answer) and answer.epoch >= self.epoch]
        if not valid:
            raise _explain([answer for answer in answers if isinstance(answer, _Refusal)])
        latest = max(valid)
        informed = [answer.node for answer in valid if answer[:2] == latest[:2]]
        manager = NodesManager(
            [ClusterNode(host, port, **self._options) for host, port in informed],
            require_full_coverage=False,
            connection_kwargs=self._options,
            dynamic_startup_nodes=False,
        )
        try:
            await manager.initialize()
        except redis.exceptions.RedisClusterException as error:
            raise _explain([_refuse(informed[0], error, is_first=not self._slots)]) from error
        finally:
            await manager.aclose("startup_nodes")
        owners = manager.slots_cache
        places = {node.name: (node.host, int(node.port)) for node in manager.nodes_cache.values()}
        missing = [slot for slot in range(REDIS_CLUSTER_HASH_SLOTS) if slot not in owners]
        if missing and not self._slots:
            raise ConnectionError(f"slot {missing[0]} of the Cluster belongs to no node")
        by_primary = {nodes[0].name: nodes for nodes in owners.values()}
        self._replicas = {
            places[primary]: {places[replica.name] for replica in nodes[1:]}
            for primary, nodes in by_primary.items()
        }
        self.epoch = latest.epoch
        self._is_agreed = latest.is_ok and 2 * len(informed) > len(self._nodes)
        self._nodes = [*dict.fromkeys((*self.hosts, *places.values()))]
        return [
            places[owners[slot][0].name] if slot in owners else self._slots[slot]
            for slot in range(REDIS_CLUSTER_HASH_SLOTS)
        ]

    async def _ask(self, host: str, port: int) -> _Answer | _Refusal:
        """A node's epoch, or why it gives none."""
        node = ClusterNode(host, port, **self._options)
        try:
            info: Any = await node.execute_command("CLUSTER INFO")
        except (redis.exceptions.RedisError, OSError, RuntimeError) as error:  # as in `Sentinels`
            return _refuse((host, port), error, is_first=not self._slots)
        finally:
            await node.disconnect()
        facts = dict(line.split(":", 1) for line in info.splitlines() if ":" in line)
        return _Answer(int(facts["cluster_current_epoch"]), facts["cluster_state"] == "ok", (host, port))

    def __str__(self) -> str:
        return ", ".join(f"{host}:{port}" for host, port in self.hosts)


def _refuse(node: Primary, error: BaseException, *, is_first: bool) -> _Refusal:
    """`is_first`: whether no map has been read yet."""
    causes: list[BaseException] = [error]
    while cause := causes[-1].__cause__ or causes[-1].__context__:  # redis-py keeps the reply there
        causes.append(cause)
    remedy = next(filter(None, map(meaning, causes)), None)
    if remedy is None and is_first:
        remedy = next((explain_first(cause, is_tls=True) for cause in causes if is_stall(cause)), None)
    return _Refusal(node, str(error) or f"{node[0]}:{node[1]} does not answer", remedy)


def _explain(refusals: Sequence[_Refusal]) -> ConnectionError:
    """The error for a map that no node gives. What can be remedied is said of one node for each remedy."""
    by_remedy = {one.remedy: one.node for one in reversed(refusals) if one.remedy}
    if by_remedy:
        return MapRefused("; ".join(f"{host}:{port} {said}" for said, (host, port) in by_remedy.items()))
    said = "; ".join(dict.fromkeys(one.reason for one in refusals))
    return ConnectionError(f"no node of the Cluster has its map: {said or 'all are behind'}")


def find_slot(key: str | bytes) -> int:
    """The slot of a key: the part in braces decides, if there is one."""
    return key_slot(key if isinstance(key, bytes) else key.encode())


def read_redirection(reply: str) -> tuple[bool, int, Primary] | None:
    """Whether a reply says that a slot has moved for good, the slot, and where it is; None for other replies.

    A reply without a host means the node that gave it: the host is then empty.
    """
    code, _, rest = reply.partition(" ")
    if code not in ("MOVED", "ASK"):
        return None
    kind = redis.exceptions.MovedError if code == "MOVED" else redis.exceptions.AskError
    error = kind(rest)
    return code == "MOVED", error.slot_id, (error.host, error.port)
