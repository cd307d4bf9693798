"""A commit pipe to a store, with a proxy that injects faults between the two."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from hub.store.pipe import CommitPipe, Hooks
from hub.store.store import Store
from hub.telemetry.tasks import Tasks
from tests.harness.defaults import DEFAULTS
from tests.harness.fault_proxy import FaultProxy
from tests.harness.manual_clock import ManualClock
from tests.harness.owner import Owner
from tests.harness.processes import StoreProcess

TIMEOUT = 2.0


class Bench:
    """A store, a proxy in front of it, a pipe through the proxy, and an owner of a room."""

    def __init__(
        self, store: Store, proxy: FaultProxy, pipe: CommitPipe, clock: ManualClock, tasks: Tasks
    ) -> None:
        self.store = store
        self.proxy = proxy
        self.pipe = pipe
        self.clock = clock
        self.tasks = tasks
        self.owner = Owner("one", store, pipe)
        self.resent = 0
        self.pipelines: list[int] = []
        self.latencies: list[float] = []
        self.health: list[bool] = []

    def listen(self, hooks: Hooks) -> None:
        def resent(count: int) -> None:
            self.resent += count

        hooks.health = self.health.append
        hooks.pipeline = self.pipelines.append
        hooks.latency = self.latencies.append
        hooks.resent = resent

    async def owners(self, count: int) -> list[Owner]:
        """Creates this many hubs, each with its own room: `r0`, `r1`..."""
        owners = [Owner(f"hub{n}", self.store, self.pipe) for n in range(count)]
        for n, owner in enumerate(owners):
            assert await owner.create(f"r{n}")
        return owners

    async def logs(self, count: int) -> list[list[bytes]]:
        return [await self.store.log(f"r{n}") for n in range(count)]

    async def again(self) -> None:
        """Let the pipe reconnect after it has noticed a lost connection."""
        await self.clock.wake()

    async def unanswered(self) -> None:
        """Let the pipe time out without an answer (twice, since it may have had one just before)."""
        self.clock.advance(2 * TIMEOUT)
        await self.again()


@asynccontextmanager
async def bench(store_process: StoreProcess, prefix: str, *, ack: str = "everysec") -> AsyncIterator[Bench]:
    clock = ManualClock()
    async with (
        Tasks(_fail) as tasks,
        FaultProxy(store_process.socket, folder=store_process.socket.parent) as proxy,
    ):
        store = await Store.open(store_process.url, prefix=prefix, forget_days=DEFAULTS.forget_days)
        hooks = Hooks()
        pipe = CommitPipe(proxy.url, tasks, prefix=prefix, timeout=TIMEOUT, clock=clock, hooks=hooks)
        bench = Bench(store, proxy, pipe, clock, tasks)
        bench.listen(hooks)
        await pipe.connect()
        assert await bench.owner.create("r")
        try:
            yield bench
        finally:
            await pipe.close()
            await store.close()


def _fail(name: str, error: BaseException, _needed: bool) -> None:
    raise AssertionError(f"{name} failed") from error
