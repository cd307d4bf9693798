"""Calls to a store that cannot be reached."""

from __future__ import annotations

import pytest

from hub.store.client import StoreUnavailable
from hub.store.store import first_token
from tests.harness.fault_proxy import Fault
from tests.harness.processes import StoreProcess
from tests.store.contents import rooms_of
from tests.store.opening import ONE, behind_proxy

pytestmark = pytest.mark.asyncio


async def test_calls_are_not_retried(store_process: StoreProcess, prefix: str) -> None:
    """The client library would retry; here, repeating a call is up to its caller."""
    async with behind_proxy(store_process, prefix) as (store, proxy):
        proxy.plan(Fault.CUT_AFTER, command="EVAL")
        before = proxy.count("EVAL")
        with pytest.raises(StoreUnavailable):
            await store.put_summary("r", 1, 1, b"x")
        assert proxy.count("EVAL") == before + 1


async def test_an_unreachable_store(store_process: StoreProcess, prefix: str) -> None:
    async with behind_proxy(store_process, prefix) as (store, proxy):
        proxy.down = True
        proxy.cut()
        for call in (
            store.resolve("X"),
            store.claim("r", ONE, 0),
            store.beat(ONE, 1),
            store.log("r"),
            store.lobby(),
            rooms_of(store, "one"),
            store.release("1:one:0", "r"),
            store.create("r", "C", b"", "waiting", b"", first_token("one"), 0, 0),
        ):
            with pytest.raises(StoreUnavailable, match="the store at"):
                await call
        proxy.down = False
        assert await store.resolve("X") is None
