"""Creating rooms in the store, and finding them by their codes."""

from __future__ import annotations

import asyncio

import pytest

from hub.store.client import StoreUnavailable
from hub.store.pipe import Result
from hub.store.store import Missing, first_token, incarnation_of
from tests.harness.fault_proxy import Fault
from tests.harness.owner import Owner
from tests.harness.processes import StoreProcess
from tests.store.contents import delete_room, rooms_of
from tests.store.opening import TWO, behind_proxy, opened

pytestmark = pytest.mark.asyncio


async def test_create_and_find(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _):
        token = first_token("one")
        assert await store.create("r", "CODE", b"S", "waiting", b"a table", token, 0, 0)
        assert await store.resolve("CODE") == "r"
        assert await store.resolve("EDOC") is None
        assert await store.snapshot("r") == b"S"
        assert (await store.lobby()).summaries == {"r": b"a table"}
        assert await rooms_of(store, "one") == ["r"]
        assert incarnation_of(token) == "one"


async def test_ids_and_codes_are_unique(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _):
        assert await store.create("r", "CODE", b"S", "waiting", b"", first_token("one"), 0, 0)
        assert not await store.create("r", "OTHER", b"T", "waiting", b"", first_token("two"), 0, 0)
        assert not await store.create("q", "CODE", b"T", "waiting", b"", first_token("two"), 0, 0)
        assert await store.snapshot("r") == b"S"
        assert await store.snapshot("q") is None
        assert await store.resolve("CODE") == "r"
        assert await rooms_of(store, "two") == []
        assert (await store.lobby()).summaries == {}


async def test_one_of_many_concurrent_creations_gets_the_code(
    store_process: StoreProcess, prefix: str
) -> None:
    async with opened(store_process, prefix) as (store, _):
        created = await asyncio.gather(
            *(store.create(f"r{n}", "CODE", b"", "waiting", b"", first_token("one"), 0, 0) for n in range(8))
        )
        assert sum(created) == 1
        assert await store.resolve("CODE") == f"r{created.index(True)}"


async def test_creation_is_repeated_after_a_lost_reply(store_process: StoreProcess, prefix: str) -> None:
    """Repeated with the same token, the call finds what it has already written."""
    async with behind_proxy(store_process, prefix) as (store, proxy):
        for command, at in (("SET", 0), ("EVAL", 0), ("SET", 1)):
            room, token = f"{command}{at}", first_token("one")
            proxy.plan(Fault.CUT_AFTER, command=command, skip=at)
            with pytest.raises(StoreUnavailable):
                await store.create(room, room, b"S", "waiting", b"", token, 0, 0)
            assert await store.create(room, room, b"S", "waiting", b"", token, 0, 0)
            assert await store.resolve(room) == room


async def test_a_deleted_room(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, pipe):
        owner = Owner("one", store, pipe)
        await owner.create("r", "CODE")
        await owner.commit(b"a", talk=[(b"all:0", b"t")], notes=[(0, b"n")])
        await delete_room(store, "r")
        assert await store.resolve("CODE") is None
        assert await store.claim("r", TWO, 0) == Missing()
        assert await store.log("r") == []
        assert await store.talk("r") == {}
        assert await store.notes("r") == {}
        assert await owner.commit(b"b") is Result.FENCED
        assert await store.snapshot("r") is None
        await delete_room(store, "r")
