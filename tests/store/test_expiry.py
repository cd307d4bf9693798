"""Every key of a room expires with it, whatever happens to its owner."""

from __future__ import annotations

import pytest
import redis.asyncio

from hub.store.client import DAY_MS, WAITING_DAYS
from hub.store.hubs import CLOCK_KEPT_MS
from hub.store.pipe import Result
from hub.store.store import RENEWED_MS, Store, first_token
from tests.harness.owner import Owner
from tests.harness.processes import StoreProcess
from tests.store.contents import raw_client
from tests.store.opening import ONE, opened

pytestmark = pytest.mark.asyncio

TALK = [(b"all:0", b"t")]
NOTES = [(0, b"n")]
ALMOST_DUE = 60_000
"""An expiry that has nearly run out, in milliseconds."""


class Keys:
    """All keys of the rooms of one test, as the store has them."""

    def __init__(self, raw: redis.asyncio.Redis, prefix: str) -> None:
        self._raw = raw
        self._prefix = prefix

    async def names(self) -> list[str]:
        """Their names without the prefix, sorted."""
        found = [key.decode() async for key in self._raw.scan_iter(f"{self._prefix}*")]
        return sorted(name.removeprefix(self._prefix) for name in found)

    async def expiries(self) -> dict[str, int]:
        """The milliseconds left to each key; -1 for a key without an expiry."""
        return {name: await self._raw.pttl(self._prefix + name) for name in await self.names()}

    async def age(self) -> None:
        """Lets almost all the time that each key has left pass."""
        for name in await self.names():
            assert await self._raw.pexpire(self._prefix + name, ALMOST_DUE)

    async def pass_time(self) -> None:
        """Lets all the time that each expiring key has left pass."""
        for name, left in (await self.expiries()).items():
            if left >= 0:
                await self._raw.pexpire(self._prefix + name, 0)


ROOM_KEYS = [f"{{room:r}}:{part}" for part in ("head", "log", "notes", "talk")]


async def test_all_keys_expire_from_the_first_commit_on(store_process: StoreProcess, prefix: str) -> None:
    """R11: talk and notes are new keys, and get the expiry that the room has; nothing needs a release."""
    async with opened(store_process, prefix) as (store, pipe), raw_client(store_process) as raw:
        keys, owner = Keys(raw, prefix), Owner("one", store, pipe)
        await owner.create("r", "CODE")
        created = await keys.expiries()
        assert set(created) == {"code:CODE", "{hub:one}:rooms", "{room:r}:head", "{room:r}:log"}
        assert min(created.values()) > 0
        for more in ({}, {"talk": TALK}, {"notes": NOTES}):
            assert await owner.commit(b"a", **more) is Result.APPLIED
            left = await keys.expiries()
            assert min(left.values()) > 0, left
        assert [name for name in await keys.names() if name.startswith("{room")] == ROOM_KEYS
        head = await raw.pexpiretime(f"{prefix}{{room:r}}:head")
        for name in ROOM_KEYS[1:]:
            assert abs(await raw.pexpiretime(prefix + name) - head) <= 5_000, name
        await keys.pass_time()
        assert await keys.names() == []


async def test_a_commit_does_not_renew(store_process: StoreProcess, prefix: str) -> None:
    """Commits do not pay for renewal: a key that a commit creates expires with the head."""
    async with opened(store_process, prefix) as (store, pipe), raw_client(store_process) as raw:
        keys, owner = Keys(raw, prefix), Owner("one", store, pipe)
        await owner.create("r")
        await keys.age()
        await owner.commit(b"a", talk=TALK, notes=NOTES)
        left = await keys.expiries()
        assert all(0 < left[name] <= ALMOST_DUE for name in ROOM_KEYS)


@pytest.mark.parametrize("step", ["renew", "release", "take"])
async def test_renewing(store_process: StoreProcess, prefix: str, step: str) -> None:
    """The whole room lives on after its owner renewed it, released it, or another took it."""
    async with opened(store_process, prefix) as (store, pipe), raw_client(store_process) as raw:
        keys, owner = Keys(raw, prefix), Owner("one", store, pipe)
        await owner.create("r", "CODE")
        await owner.commit(b"a", talk=TALK, notes=NOTES)
        await keys.age()
        if step == "renew":
            assert await store.renew(owner.token, "r", "CODE")
        elif step == "release":
            assert await store.release(owner.token, "r")
        else:
            await Owner("two", store, pipe).take("r")
        left = await keys.expiries()
        assert {left[name] > 89 * DAY_MS for name in ROOM_KEYS} == {True}, left
        if step != "release":
            assert left["code:CODE"] > max(left[name] for name in ROOM_KEYS)


@pytest.mark.parametrize("step", ["create", "renew", "release", "take"])
@pytest.mark.parametrize(("days", "expected"), [(90, WAITING_DAYS), (0, WAITING_DAYS), (2, 2)])
async def test_a_table_whose_game_never_began(
    store_process: StoreProcess, prefix: str, step: str, days: int, expected: int
) -> None:
    """R11: it is kept for a week at most, with its code: tables that nobody plays at do not fill a store."""
    async with opened(store_process, prefix, days) as (store, pipe), raw_client(store_process) as raw:
        keys, owner = Keys(raw, prefix), Owner("one", store, pipe)
        await owner.create("r", "CODE", status="waiting")
        await owner.commit(b"a", talk=TALK, notes=NOTES, status="waiting")
        if step != "create":
            await keys.age()
        if step == "renew":
            assert await store.renew(owner.token, "r", "CODE")
        elif step == "release":
            assert await store.release(owner.token, "r")
        elif step == "take":
            await Owner("two", store, pipe).take("r")
        left = await keys.expiries()
        for name in ROOM_KEYS:
            assert expected * DAY_MS - ALMOST_DUE < left[name] <= expected * DAY_MS, name
        if step != "release":
            assert 0 < left["code:CODE"] - left["{room:r}:head"] < RENEWED_MS + ALMOST_DUE


async def test_a_game_that_began_is_kept_for_longer(store_process: StoreProcess, prefix: str) -> None:
    """R11: from the renewal at its start, and its code too."""
    async with opened(store_process, prefix) as (store, pipe), raw_client(store_process) as raw:
        keys, owner = Keys(raw, prefix), Owner("one", store, pipe)
        await owner.create("r", "CODE", status="waiting")
        await owner.commit(b"a", talk=TALK, notes=NOTES)
        assert await store.renew(owner.token, "r", "CODE")
        left = await keys.expiries()
        assert min(left[name] for name in [*ROOM_KEYS, "code:CODE"]) > 89 * DAY_MS


async def test_a_code_outlives_its_released_room(store_process: StoreProcess, prefix: str) -> None:
    """A release leaves the code's expiry alone: the last renewal set it late enough."""
    async with opened(store_process, prefix) as (store, pipe), raw_client(store_process) as raw:
        keys, owner = Keys(raw, prefix), Owner("one", store, pipe)
        await owner.create("r", "CODE")
        left = await keys.expiries()
        assert left["code:CODE"] - left["{room:r}:head"] > DAY_MS // 2 - ALMOST_DUE


async def test_only_the_owner_renews(store_process: StoreProcess, prefix: str) -> None:
    """A renewal does not bring back a room that is gone, or its code."""
    async with opened(store_process, prefix) as (store, pipe), raw_client(store_process) as raw:
        keys, owner = Keys(raw, prefix), Owner("one", store, pipe)
        await owner.create("r", "CODE")
        await keys.age()
        assert not await store.renew(first_token("two"), "r", "CODE")
        assert max((await keys.expiries()).values()) <= ALMOST_DUE
        await keys.pass_time()
        assert not await store.renew(owner.token, "r", "CODE")
        assert await owner.commit(b"a", talk=TALK, notes=NOTES) is Result.FENCED
        assert not await store.release(owner.token, "r")
        assert await keys.names() == []


async def test_rooms_may_be_kept_for_good(store_process: StoreProcess, prefix: str) -> None:
    """A setting of 0; rooms that had an expiry lose it when they are next used."""
    async with opened(store_process, prefix) as (store, pipe), raw_client(store_process) as raw:
        keys, owner = Keys(raw, prefix), Owner("one", store, pipe)
        await owner.create("r", "CODE")
        await owner.commit(b"a", talk=TALK)
        forever = await Store.open(store_process.url, prefix=prefix, forget_days=0)
        try:
            assert await forever.renew(owner.token, "r", "CODE")
            assert await owner.commit(b"b", notes=NOTES) is Result.APPLIED
            left = await keys.expiries()
            assert {left[name] for name in [*ROOM_KEYS, "code:CODE"]} == {-1}
        finally:
            await forever.close()


async def test_a_dead_hubs_lists_expire(store_process: StoreProcess, prefix: str) -> None:
    """Also the list that a hub started after its last heartbeat."""
    async with opened(store_process, prefix) as (store, pipe), raw_client(store_process) as raw:
        keys, owner = Keys(raw, prefix), Owner("one", store, pipe)
        await store.beat(ONE, 1)
        await owner.create("r")
        left = await keys.expiries()
        for name in ("{hub:one}", "{hub:one}:alive", "{hub:one}:rooms"):
            assert 0 < left[name] <= CLOCK_KEPT_MS, name
