"""The hubs and the store of a storm, the routes between them, and the faults that hit them.

Hubs on a shared store reach it, its Sentinels and one another only by routes. People reach each hub directly.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final, cast

from redis.asyncio import Redis, RedisCluster

from tests.chaos.storm_figures import Family
from tests.chaos.storm_schedule import Shape, TimedFault
from tests.chaos.storm_stores import StormStore, connect, open_cluster, open_single, open_watched
from tests.harness import other_build, routed_loop
from tests.harness.processes import HubProcess, free_port
from tests.harness.routes import Route
from tests.harness.wall_clocks import WallClock

SECRET: Final = "storm " * 8
BETWEEN_STARTS: Final = 0.5
"""Seconds until a hub that could not start tries again, as its supervisor would have it."""
STORES: Final = {"one": open_single, "sentinel": open_watched, "cluster": open_cluster}


class StormHub:
    """A hub that is started again whenever it has ended."""

    def __init__(
        self, name: str, process: HubProcess, clock: WallClock, read_log: Callable[[HubProcess], None]
    ):
        self.name = name
        self.process = process
        self.clock = clock
        self.starts = 0
        self._read_log = read_log
        self._busy = asyncio.Lock()
        """Held while it is not running as it should."""

    @property
    def is_hit(self) -> bool:
        return self._busy.locked()

    async def start(self) -> None:
        """Start it, as often as it takes: its store may be away."""
        while True:
            try:
                await asyncio.to_thread(self.process.start)
            except AssertionError:
                await asyncio.sleep(BETWEEN_STARTS)
            else:
                self.starts += 1
                return

    async def strike(self, fault: TimedFault) -> None:
        """Let this happen to it, until it is over."""
        async with self._busy:
            match fault.kind:
                case "kill hub":
                    await asyncio.to_thread(self.process.kill)
                    await self._come_back(fault.seconds)
                case "stop hub":
                    await asyncio.to_thread(self.process.stop)
                    await self._come_back(fault.seconds)
                case "upgrade hub":
                    await asyncio.to_thread(self.process.stop)
                    self.process.command[self.process.command.index("-m") + 1] = other_build.MODULE
                    await self._come_back(fault.seconds)
                case "freeze hub":
                    await asyncio.to_thread(self.process.freeze)
                    await asyncio.sleep(fault.seconds)
                    await asyncio.to_thread(self.process.thaw)
                case "step hub's clock":
                    self.clock.set_offset(fault.amount)
                case _:
                    raise AssertionError(fault)

    async def _come_back(self, seconds: float) -> None:
        self._read_log(self.process)
        await asyncio.sleep(seconds)
        await self.start()


class Fleet:
    """Hubs, and the store that they share or (`store` is None) that the only one of them has."""

    def __init__(self, hubs: Sequence[StormHub], store: StormStore | None, data: Path) -> None:
        self.hubs = hubs
        self.store = store
        self.routes: dict[str, list[Route]] = {}
        """By the names of both ends: `hub 0 to store`."""
        self.counts: Counter[str] = Counter()
        self._bundled = data / "store" / "store.sock"
        self._store_busy = asyncio.Lock()
        self._by_name = {hub.name: hub for hub in hubs}

    @property
    def urls(self) -> list[str]:
        """Where people reach the hubs, whether or not they run."""
        return [hub.process.url for hub in self.hubs]

    async def find_store_url(self) -> str:
        """The URL of the store for whoever checks it, by no route."""
        return f"unix://{self._bundled}" if self.store is None else await self.store.find_url()

    async def open_store(self) -> Redis | RedisCluster:
        return connect(await self.find_store_url())

    async def strike(self, fault: TimedFault) -> None:
        """Let this happen, until it is over. Whatever hits somebody who is down already is left out."""
        if " to " in fault.victim:
            await self._strike_routes(fault)
        elif fault.victim == "store":
            if self._store_busy.locked() or (self.store is None and self.hubs[0].is_hit):
                return
            async with self._store_busy:
                self.counts[fault.kind] += 1
                await self._strike_store(fault)
        elif not self._by_name[fault.victim].is_hit:
            self.counts[fault.kind] += 1
            await self._by_name[fault.victim].strike(fault)

    async def _strike_store(self, fault: TimedFault) -> None:
        if self.store is not None:
            await self.store.strike(fault, cast(Any, fault.kind))
        elif store := Family.of(self.hubs[0].process.pid).store:
            os.kill(store, signal.SIGKILL)

    async def _strike_routes(self, fault: TimedFault) -> None:
        self.counts[fault.kind] += 1
        routes = self.routes[fault.victim]
        for route in routes:
            match fault.kind:
                case "partition":
                    route.stall()
                case "hold replies":
                    route.stall(requests=False)
                case "lose replies":
                    route.lose_replies()
                case "delay":
                    route.delay(fault.amount)
                case "cut":
                    route.cut()
                case "refuse":
                    route.refuse()
                case "half-open":
                    route.abandon()
                case _:
                    raise AssertionError(fault)
        await asyncio.sleep(fault.seconds)
        for route in routes:
            route.heal()


@asynccontextmanager
async def open_fleet(
    shape: Shape,
    names: Sequence[str],
    folder: Path,
    read_log: Callable[[HubProcess], None],
    *,
    steps_clocks: bool,
    ack: str | None = None,
) -> AsyncIterator[Fleet]:
    """Hubs with these names, all of them running; a bundled store has one.

    `steps_clocks`: whether each hub has a clock of its own, which takes it some seconds more to start first;
    `ack`: what verdicts wait for, if not what this store needs.
    """
    async with AsyncExitStack() as closing:
        store: StormStore | None = None
        if shape != "bundled":
            store = await closing.enter_async_context(STORES[shape](folder))
        links = {name: free_port() for name in names}
        hubs, routes = [], {}
        for name in names:
            own_folder = folder / name.replace(" ", "")
            own_folder.mkdir()
            clock = WallClock(own_folder / "clock")
            settings, ports = {"ack": "fsync"}, dict[int, int]()
            variables: dict[str, str] = {}
            if store is not None:
                targets = {"store": store.ports} | {
                    other: [port] for other, port in links.items() if other != name
                }
                for target, target_ports in targets.items():
                    group = [await closing.enter_async_context(Route(port)) for port in target_ports]
                    routes[f"{name} to {target}"] = group
                    ports |= {route.target: route.port for route in group}
                settings = {
                    "ack": ack or store.ack,
                    "redis_url": store.url,
                    "secret": SECRET,
                    "hub_url": f"wss://127.0.0.1:{links[name]}",
                }
                variables = {routed_loop.VARIABLE: routed_loop.write_routes(ports)}
                variables |= clock.environment if steps_clocks else {}
            process = HubProcess(own_folder / "data", port=free_port(), **settings)
            process.environment |= variables
            hubs.append(StormHub(name, process, clock, read_log))
        fleet = Fleet(hubs, store, folder / "hub0" / "data")
        fleet.routes = routes
        await asyncio.gather(*(hub.start() for hub in hubs))
        yield fleet
