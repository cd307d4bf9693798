"""Calls other than commits share one connection: any number at once, and none fails for lack of another."""

from __future__ import annotations

import asyncio

import pytest

from hub.store import calls
from hub.store.calls import SharedRedis
from hub.store.client import StoreUnavailable
from hub.store.store import first_token
from tests.harness.fault_proxy import Fault
from tests.harness.processes import StoreProcess
from tests.store.opening import behind_proxy, opened

pytestmark = pytest.mark.asyncio

MANY = 1000


async def test_a_thousand_releases_and_summaries_at_once(store_process: StoreProcess, prefix: str) -> None:
    """G8.4: they all reach a store whose answers are slow, over one connection, and none fails."""
    async with (
        opened(store_process, prefix) as (direct, _),
        behind_proxy(store_process, prefix) as (store, proxy),
    ):
        tokens = {f"room-{i}": first_token("one") for i in range(MANY)}
        creations = (
            direct.create(room, room.upper(), b"S", "waiting", b"", token, 0, 0)
            for room, token in tokens.items()
        )
        assert await asyncio.gather(*creations) == [True] * MANY
        before = proxy.count("EVAL")
        proxy.plan(Fault.HOLD_REPLY, command="EVAL")
        together = [
            *(asyncio.ensure_future(store.release(token, room)) for room, token in tokens.items()),
            *(asyncio.ensure_future(store.put_summary(room, 1, 0, b"summary")) for room in tokens),
        ]
        await proxy.commands("EVAL", before + 2 * MANY)  # all of them, before a single answer
        assert proxy.accepted == 1
        proxy.release()
        assert await asyncio.gather(*together) == [True] * (2 * MANY)
        assert (await direct.lobby(count=1)).total == MANY


async def test_a_lost_connection_fails_what_was_under_way_and_nothing_else(
    store_process: StoreProcess, prefix: str
) -> None:
    """They may or may not have taken effect, so repeating them is up to their callers."""
    async with behind_proxy(store_process, prefix) as (store, proxy):
        proxy.plan(Fault.HOLD_REPLY, command="GET")
        together = [asyncio.ensure_future(store.resolve("X")) for _ in range(20)]
        await proxy.happened(Fault.HOLD_REPLY)
        proxy.cut()
        for call in together:
            with pytest.raises(StoreUnavailable):
                await call
        assert await asyncio.gather(*(store.resolve("X") for _ in range(20))) == [None] * 20
        assert proxy.accepted == 2


async def test_a_call_that_is_given_up_leaves_the_others_alone(
    store_process: StoreProcess, prefix: str
) -> None:
    """Its answer still arrives, and must not be mistaken for another call's."""
    async with behind_proxy(store_process, prefix) as (store, proxy):
        proxy.plan(Fault.HOLD_REPLY, command="GET")
        first, second = (asyncio.ensure_future(store.resolve("X")) for _ in range(2))
        third = asyncio.ensure_future(store.call("ECHO", "third"))
        await proxy.happened(Fault.HOLD_REPLY)
        first.cancel()
        proxy.release()
        assert (await second, await third) == (None, b"third")


async def test_calls_are_bounded(
    store_process: StoreProcess, prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """G8.4: a store that hangs cannot fill the hub's memory."""
    monkeypatch.setattr(calls, "MAX_WAITING", 3)
    async with behind_proxy(store_process, prefix) as (store, proxy):
        proxy.plan(Fault.HOLD_REPLY, command="GET")
        waiting = [asyncio.ensure_future(store.resolve("X")) for _ in range(3)]
        await proxy.happened(Fault.HOLD_REPLY)
        with pytest.raises(StoreUnavailable, match="too many calls"):
            await store.resolve("X")
        proxy.release()
        assert await asyncio.gather(*waiting) == [None] * 3


async def test_a_connection_that_is_lost_as_it_opens(
    store_process: StoreProcess, prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever waited for it opens another: a call without a connection would take the next one's answer."""
    async with opened(store_process, prefix) as (store, _):
        client = store._client
        assert isinstance(client, SharedRedis)
        line = client._shared
        line.drop("for the test")
        open_line = line._open

        async def open_and_lose() -> None:
            await open_line()
            monkeypatch.undo()
            asyncio.get_running_loop().call_soon(line.drop, "lost at once")

        monkeypatch.setattr(line, "_open", open_and_lose)
        together = [asyncio.ensure_future(store.call("ECHO", word)) for word in ("first", "second")]
        await asyncio.wait(together)
        first, second = together
        assert isinstance(first.exception(), StoreUnavailable)
        assert second.result() == b"second"
        assert await store.call("ECHO", "third") == b"third"
