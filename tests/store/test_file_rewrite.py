"""The store's append-only file is rewritten once a day, and when somebody is to be forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest
from redis.asyncio import Redis

from hub.clock import LoopClock
from hub.store.file_rewrite import DAY_SECONDS, FileUpkeep, rewrite_file
from hub.store.store import Store
from tests.harness.defaults import DEFAULTS
from tests.harness.processes import StoreProcess

pytestmark = pytest.mark.asyncio

REMOVED = b"text that was removed"


def folder(store: StoreProcess) -> Path:
    return store.socket.parent / "appendonlydir"


def files(store: StoreProcess) -> bytes:
    return b"".join(path.read_bytes() for path in folder(store).iterdir())


async def remove(own_store: StoreProcess) -> None:
    async with Redis.from_url(own_store.url) as redis:
        await redis.set("key", REMOVED)
        await redis.delete("key")
    await own_store.synced()
    assert REMOVED in files(own_store)


async def test_after_a_rewrite_the_text_is_gone(own_store: StoreProcess) -> None:
    store = await Store.open(own_store.url, forget_days=DEFAULTS.forget_days)
    await remove(own_store)
    assert await rewrite_file(store, LoopClock()) is None
    assert REMOVED not in files(own_store)
    await store.close()


async def test_a_store_that_refuses(own_store: StoreProcess) -> None:
    """The operator is told what to do there."""
    async with Redis.from_url(own_store.url) as redis:
        await redis.acl_setuser(
            "parley", enabled=True, nopass=True, keys=["*"], commands=["+@all", "-bgrewriteaof"]
        )
    store = await Store.open(f"unix://parley:x@{own_store.socket}", forget_days=DEFAULTS.forget_days)
    advice = await rewrite_file(store, LoopClock())
    assert advice is not None
    assert "run BGREWRITEAOF there" in advice
    await store.close()


async def test_once_a_day(own_store: StoreProcess) -> None:
    store = await Store.open(own_store.url, forget_days=DEFAULTS.forget_days)
    (base,) = folder(own_store).glob("*.base.*")
    written = base.stat().st_mtime
    clock, wall = LoopClock(), [written + DAY_SECONDS - 1]
    upkeep = FileUpkeep(store, folder(own_store), clock, lambda: wall[0])
    await upkeep.look()
    info = await store.call("INFO", "persistence")
    assert (info["aof_rewrites"], info["aof_rewrite_in_progress"]) == (0, 0)
    wall[0] += 2
    await upkeep.look()
    info = await store.call("INFO", "persistence")
    assert info["aof_rewrites"] + info["aof_rewrite_in_progress"] >= 1
    await store.close()
