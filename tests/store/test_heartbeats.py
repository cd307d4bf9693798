"""Heartbeats, and the table time at which a room's new owner resumes (G5)."""

from __future__ import annotations

import asyncio

import pytest

from games.api import Millis
from hub.store.hubs import HubIdentity
from hub.store.store import first_token
from tests.harness.fault_proxy import Fault
from tests.harness.owner import Owner
from tests.harness.processes import StoreProcess
from tests.store.contents import raw_client
from tests.store.opening import ONE, TWO, behind_proxy, opened, taken
from tests.store.resumption import resumed_at

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize(
    ("status", "committed", "beaten", "resumes"),
    [
        pytest.param("running", 2_000, 5_500, 14_500, id="lived on after its last commit"),
        pytest.param("running", 2_000, 1_700, 10_700, id="committed after its last beat"),
        pytest.param("running", 2_000, 900, 10_000, id="committed long after its last beat"),
        pytest.param("running", 2_000, None, 10_000, id="never beat"),
        pytest.param("paused", 2_000, 5_500, 10_000, id="paused"),
        pytest.param("waiting", 2_000, 5_500, 10_000, id="waiting"),
        pytest.param("finished", 2_000, 5_500, 10_000, id="finished"),
    ],
)
async def test_a_new_owner_resumes_where_the_old_one_was_last_alive(
    store_process: StoreProcess,
    prefix: str,
    status: str,
    committed: int,
    beaten: int | None,
    resumes: int,
) -> None:
    async with opened(store_process, prefix) as (store, pipe):
        one = Owner("one", store, pipe)
        await one.create("r")
        one.at, one.live = 10_000, committed
        await one.commit(b"a", status=status)
        if beaten is not None:
            await store.beat(ONE, beaten)
            await store.depart(ONE)
        assert taken(await store.claim("r", TWO, 77)).at == resumes
        expected = resumed_at(Millis(10_000), committed, beaten, running=status == "running")
        assert resumes == expected


async def test_time_continues_through_owners_that_never_commit(
    store_process: StoreProcess, prefix: str
) -> None:
    """Each owner's lifetime is measured from when it took the room, by its own clock."""
    async with opened(store_process, prefix) as (store, pipe):
        one = Owner("one", store, pipe)
        await one.create("r")
        one.at, one.live = 1_000, 100
        await one.commit(b"a")
        await store.beat(ONE, 400)
        await store.depart(ONE)
        assert taken(await store.claim("r", TWO, 50_000)).at == 2_300
        await store.beat(TWO, 51_000)
        await store.depart(TWO)
        await store.beat(ONE, 999_999)  # a late heartbeat from the first owner no longer changes anything
        await store.depart(ONE)
        assert taken(await store.claim("r", HubIdentity("three", "http://three"), 0)).at == 4_300


async def test_time_stands_still_while_a_room_is_released(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, pipe):
        one = Owner("one", store, pipe)
        await one.create("r")
        one.at, one.live = 1_000, 100
        await one.commit(b"a")
        await store.release(one.token, "r", at=1_600)
        await store.beat(ONE, 9_999)
        assert taken(await store.claim("r", TWO, 0)).at == 1_600
        await store.release("3:x:0", "r", at=99_999)
        got = taken(await store.claim("r", HubIdentity("two", "http://two"), 0))
        assert got.at == 1_600
        await store.release(got.token, "r", at=5)  # table time never goes back
        assert taken(await store.claim("r", TWO, 0)).at == 1_600


async def test_heartbeats_never_go_back(store_process: StoreProcess, prefix: str) -> None:
    """Not even if a delayed heartbeat arrives after a later one."""
    async with opened(store_process, prefix) as (store, pipe):
        one = Owner("one", store, pipe)
        await one.create("r")
        await store.beat(ONE, 900)
        await store.beat(ONE, 300)
        await store.depart(ONE)
        assert taken(await store.claim("r", TWO, 0)).at == 1_900


async def test_a_hub_that_claims_its_room_again_knows_its_own_clock(
    store_process: StoreProcess, prefix: str
) -> None:
    """G5.4, G5.6: nothing is added that its live clock has not counted."""
    async with opened(store_process, prefix) as (store, pipe):
        one = Owner("one", store, pipe)
        await one.create("r")
        one.at, one.live = 1_000, 100
        await one.commit(b"a")
        await store.beat(ONE, 400)
        assert taken(await store.claim("r", ONE, 650)).at == 1_550
        assert taken(await store.claim("r", ONE, 5_000)).at == 2_300


async def test_heartbeats_expire(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _), raw_client(store_process) as raw:
        await store.beat(ONE, 900)
        assert 2_000 < await raw.pttl(f"{prefix}{{hub:one}}:alive") <= 3_000
        assert await raw.ttl(f"{prefix}{{hub:one}}") > 6 * 86_400
        await store.create("r", "CODE", b"S", "waiting", b"", first_token("one"), 0, 0)
        await store.beat(ONE, 901)
        assert await raw.ttl(f"{prefix}{{hub:one}}:rooms") > 6 * 86_400


async def test_heartbeats_have_their_own_connection(store_process: StoreProcess, prefix: str) -> None:
    """The heartbeat gets through however many other calls hang."""
    async with behind_proxy(store_process, prefix) as (store, proxy):
        for _ in range(8):
            proxy.plan(Fault.HOLD_COMMAND, command="GET")
        hanging = [asyncio.ensure_future(store.resolve("X")) for _ in range(12)]
        await proxy.happened(Fault.HOLD_COMMAND, 8)
        await store.beat(ONE, 1)
        proxy.release()
        assert await asyncio.gather(*hanging) == [None] * 12


async def test_a_heartbeat_returns_whether_the_hub_still_counted_as_alive(
    store_process: StoreProcess, prefix: str
) -> None:
    async with opened(store_process, prefix) as (store, _):
        assert not (await store.beat(ONE, 1)).was_alive
        assert (await store.beat(ONE, 2)).was_alive
        await store.depart(ONE)
        assert not (await store.beat(ONE, 3)).was_alive
        assert (await store.beat(ONE, 2)).was_alive  # a late heartbeat does not mean that the hub had died
