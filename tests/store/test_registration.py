"""Hubs register, and learn by the store's own time which others live and which have lapsed (R32)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pytest

from hub.store.hubs import FORGET_MS, HubDescription
from hub.store.lease import LEASE_MS
from hub.store.store import Store
from tests.harness.owner import Owner
from tests.harness.processes import StoreProcess
from tests.store.contents import raw_client
from tests.store.opening import ONE, TWO, opened

pytestmark = pytest.mark.asyncio

FIRST: Final = HubDescription(2, {"almost": 3}, 1)
SECOND: Final = HubDescription(8, {"almost": 3, "shares": 1}, 1)


async def pass_time(store_process: StoreProcess, store: Store, hub: str, milliseconds: int) -> None:
    """Have the hub's last registration be this much earlier."""
    async with raw_client(store_process) as raw:
        await raw.zincrby(store.keys.fleet()[0], -milliseconds, hub)


async def lives(store: Store) -> Mapping[str, HubDescription]:
    return (await store.register("one", FIRST)).living


async def test_hubs_see_each_other(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _):
        assert await store.register("one", FIRST) == (False, {"one": FIRST}, [])
        assert await store.register("two", SECOND) == (False, {"one": FIRST, "two": SECOND}, [])
        full = HubDescription(0, {"almost": 3}, 1)
        assert await store.register("one", full) == (True, {"one": full, "two": SECOND}, [])


async def test_a_hub_lapses_with_its_lease(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _):
        await store.register("two", SECOND)
        await pass_time(store_process, store, "two", LEASE_MS - 1000)
        assert (await store.register("one", FIRST)).lapsed == []
        await pass_time(store_process, store, "two", 1000)
        assert await store.register("one", FIRST) == (True, {"one": FIRST}, ["two"])
        assert await store.register("two", SECOND) == (False, {"one": FIRST, "two": SECOND}, [])


async def test_a_lapsed_hub_is_forgotten(store_process: StoreProcess, prefix: str) -> None:
    """R34: a minute after it has lapsed or left; until then, the others know which rules it has."""
    async with opened(store_process, prefix) as (store, _):
        for hub in ("two", "three", "four"):
            await store.register(hub, SECOND)
        await pass_time(store_process, store, "two", LEASE_MS + FORGET_MS + 1)
        await pass_time(store_process, store, "three", LEASE_MS + 1)
        for _ in range(2):  # a hub that has left may still read
            await store.unregister("four")
            await pass_time(store_process, store, "four", FORGET_MS // 4)
        fleet = await store.register("one", FIRST)
        assert (set(fleet.living), set(fleet.lapsed)) == ({"one"}, {"three", "four"})
        assert await store.list_descriptions() == {"one": FIRST, "three": SECOND, "four": SECOND}
        assert [hub for hub in ("one", "three", "four") if await store.is_registered(hub)] == ["one"]
        for hub in ("three", "four"):
            await pass_time(store_process, store, hub, FORGET_MS)
        assert await store.register("one", FIRST) == (True, {"one": FIRST}, [])
        assert set(await store.list_descriptions()) == {"one"}


async def test_a_hub_that_leaves_lapses_at_once(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _):
        await store.register("two", SECOND)
        await store.depart(TWO)
        assert (await store.register("one", FIRST)).lapsed == ["two"]


async def test_a_hub_that_never_registered_leaves_nothing(store_process: StoreProcess, prefix: str) -> None:
    """As with the bundled store, whose only hub takes no rooms unasked."""
    async with opened(store_process, prefix) as (store, _), raw_client(store_process) as raw:
        await store.beat(ONE, 1)
        await store.depart(ONE)
        assert await raw.exists(*store.keys.fleet()) == 0


async def test_the_stores_clock_is_set_back(store_process: StoreProcess, prefix: str) -> None:
    """The hub that registered before must still lapse."""
    async with opened(store_process, prefix) as (store, _):
        await store.register("two", SECOND)
        await pass_time(store_process, store, "two", -3_600_000)
        assert set(await lives(store)) == {"one", "two"}
        await pass_time(store_process, store, "two", LEASE_MS)
        assert set(await lives(store)) == {"one"}


async def test_registrations_expire(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _), raw_client(store_process) as raw:
        await store.register("one", FIRST)
        for key in store.keys.fleet():
            assert FORGET_MS - 10_000 < await raw.pttl(key) <= FORGET_MS


async def test_a_description_of_another_version(store_process: StoreProcess, prefix: str) -> None:
    """More fields do no harm; what cannot be understood takes no rooms."""
    async with opened(store_process, prefix) as (store, _), raw_client(store_process) as raw:
        await store.register("two", SECOND)
        await raw.hset(store.keys.fleet()[1], "two", b'{"cores": 4, "memory": 7}')
        assert (await lives(store))["two"] == HubDescription(4)
        await raw.hset(store.keys.fleet()[1], "two", b'{"cores": "many"}')
        assert (await lives(store))["two"] == HubDescription(0)


async def test_orphans_are_running_rooms_of_their_owner(store_process: StoreProcess, prefix: str) -> None:
    """R32: not those that wait for their people, nor those that others have taken."""
    async with opened(store_process, prefix) as (store, pipe):
        statuses = {
            "a": "running",
            "b": "paused",
            "c": "running",
            "d": "waiting",
            "e": "running",
            "f": "running",
        }
        for room, status in statuses.items():
            owner = Owner("one", store, pipe)
            await owner.create(room)
            await owner.commit(b"x", status=status)
            if room in ("e", "f"):
                await store.release(owner.token, room, stays_listed=room == "f")
        await store.claim("c", TWO, 0, evict=True)
        await store._list("one", "c")  # listed before a take that failed
        await store._list("one", "gone")
        assert await store.find_orphans("one", alive=False) == ["a", "f"]
        assert await store.find_orphans("one", alive=True) == ["f"]
        assert await store.find_orphans("two", alive=False) == ["c"]
        assert await store.read_head("gone") is None
