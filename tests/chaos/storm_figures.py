"""Memory, descriptors and keys of a hub, its worker for slow bots and its store, from outside."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple, Self

from redis.asyncio import Redis, RedisCluster

KINDS: Final[Mapping[str, str]] = {
    "heads": r"parley:\{room:[^}]+\}:head",
    "logs": r"parley:\{room:[^}]+\}:log",
    "talk": r"parley:\{room:[^}]+\}:talk",
    "notes": r"parley:\{room:[^}]+\}:notes",
    "codes": r"parley:code:.+",
    "records": r"parley:record:.+",
    "people": r"parley:person:.+",
    "fleet": r"parley:\{hubs\}(:\w+)?",
    "hubs": r"parley:\{hub:[^}]+\}(:\w+)?",
    "addresses": r"parley:url:.+",
    "lobby": r"parley:\{lobby\}(:\w+)?",
}
"""The kinds of keys that a storm leaves in the store."""


MAX_GROWTH: Final = 1.2
SPARE_MB: Final = 2.0
SPARE_DESCRIPTORS: Final = 4


class Family(NamedTuple):
    """The processes of a hub: its own, its store's and its worker's (0 if there is none)."""

    hub: int
    store: int
    worker: int

    @classmethod
    def of(cls, hub: int) -> Self:
        children = Path(f"/proc/{hub}/task/{hub}/children").read_text().split()
        names = {_words(int(child)): int(child) for child in children}
        store = next((pid for words, pid in names.items() if "unixsocket" in words), 0)
        worker = next((pid for words, pid in names.items() if "hub.worker" in words), 0)
        return cls(hub, store, worker)


def _words(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()


class Figures(NamedTuple):
    """Memory in MB, and numbers. `descriptors` are the hub's without the sockets of its people."""

    hub: float
    worker: float
    store: float
    descriptors: float
    connections: float
    """Of the store."""
    overhead: float
    """Memory that the store uses beyond its keys."""
    keys: float
    rooms: float
    """Awake at the hub."""

    @classmethod
    async def read(cls, family: Family, metrics: str, store: Redis | RedisCluster) -> Self:
        sockets = sum(float(value) for value in re.findall(r"^parley_sockets\{.*\} (\S+)$", metrics, re.M))
        rooms = re.findall(r"^parley_rooms (\S+)$", metrics, re.M)
        memory: Any = await store.info("memory")
        clients: Any = await store.info("clients")
        held = sum((await key_bytes(store)).values())
        return cls(
            hub=_resident(family.hub),
            worker=_resident(family.worker) if family.worker else 0.0,
            store=_resident(family.store),
            descriptors=_count_descriptors(family.hub) - sockets,
            connections=clients["connected_clients"] - 1,
            overhead=(memory["used_memory"] - held) / 1e6,
            keys=held / 1e6,
            rooms=float(rooms[0]),
        )

    @classmethod
    def middle(cls, samples: Sequence[Figures]) -> Figures:
        """The median of each figure."""
        return cls(*map(median, zip(*samples, strict=True)))

    def leaks(self, later: Figures) -> Iterator[str]:
        """What grew by more than it may."""
        for name in ("hub", "worker", "overhead"):
            before, after = getattr(self, name), getattr(later, name)
            if before and after > before * MAX_GROWTH + SPARE_MB:
                yield f"memory ({name}) grew from {before:.1f} to {after:.1f} MB"
        for name in ("descriptors", "connections"):
            before, after = getattr(self, name), getattr(later, name)
            if after > before + SPARE_DESCRIPTORS:
                yield f"{name} grew from {before:.0f} to {after:.0f}"


def _count_descriptors(pid: int) -> int:
    return len([*Path(f"/proc/{pid}/fd").iterdir()])


def _resident(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.findall(r"^VmRSS:\s+(\d+) kB$", status, re.M)[0]) / 1024


async def key_bytes(store: Redis | RedisCluster) -> dict[str, int]:
    """The size of each key."""
    keys = [key.decode() async for key in store.scan_iter(count=1000)]
    async with store.pipeline(transaction=False) as pipe:
        for key in keys:
            pipe.memory_usage(key)
        sizes = await pipe.execute()
    return {key: size for key, size in zip(keys, sizes, strict=True) if size is not None}


class Keys(NamedTuple):
    """The store's keys: how many of each kind, and those that would stay for ever."""

    kinds: Counter[str]
    unknown: list[str]
    without_expiry: list[str]

    @classmethod
    async def read(cls, store: Redis | RedisCluster) -> Self:
        kinds: Counter[str] = Counter()
        unknown, without_expiry = [], []
        async for raw in store.scan_iter(count=1000):
            key = raw.decode()
            kind = next((kind for kind, form in KINDS.items() if re.fullmatch(form, key)), None)
            if kind is None:
                unknown.append(key)
            else:
                kinds[kind] += 1
            if await store.ttl(key) == -1:
                without_expiry.append(key)
        return cls(kinds, unknown, without_expiry)
