"""Stores opened for a test, directly or behind a proxy that injects faults; and two hubs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from hub.store.cluster_pipe import Pipe, make_pipe
from hub.store.hubs import HubIdentity
from hub.store.store import Claim, Ownership, Store
from hub.telemetry.tasks import Tasks
from tests.harness.defaults import DEFAULTS
from tests.harness.fault_proxy import FaultProxy
from tests.harness.processes import StoreProcess

ONE = HubIdentity("one", "http://one")
TWO = HubIdentity("two", "http://two")


@asynccontextmanager
async def opened(
    store_process: StoreProcess, prefix: str, forget_days: int = DEFAULTS.forget_days
) -> AsyncIterator[tuple[Store, Pipe]]:
    store = await Store.open(store_process.url, prefix=prefix, forget_days=forget_days)
    async with Tasks() as tasks:
        pipe = make_pipe(store_process.url, tasks, prefix=prefix)
        await pipe.connect()
        try:
            yield store, pipe
        finally:
            await pipe.close()
            await store.close()


@asynccontextmanager
async def behind_proxy(store_process: StoreProcess, prefix: str) -> AsyncIterator[tuple[Store, FaultProxy]]:
    async with FaultProxy(store_process.socket, folder=store_process.socket.parent) as proxy:
        store = await Store.open(proxy.url, prefix=prefix, forget_days=DEFAULTS.forget_days)
        try:
            yield store, proxy
        finally:
            await store.close()


def taken(answer: Claim) -> Ownership:
    assert isinstance(answer, Ownership)
    return answer
