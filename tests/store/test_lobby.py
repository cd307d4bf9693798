"""Summaries for the lobby, and records of finished games."""

from __future__ import annotations

import pytest

from tests.harness.processes import StoreProcess
from tests.store.contents import raw_client
from tests.store.opening import opened

pytestmark = pytest.mark.asyncio


async def test_an_older_summary_never_wins(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _):
        assert await store.put_summary("r", 1, 5, b"five")
        assert not await store.put_summary("r", 1, 4, b"four")
        assert await store.put_summary("r", 1, 5, b"five again")
        assert await store.put_summary("r", 2, 1, b"new run")
        assert not await store.put_summary("r", 1, 9, b"old run")
        assert await store.lobby() == {"r": b"new run"}
        assert not await store.put_summary("r", 1, 99, b"")
        assert await store.put_summary("r", 2, 3, b"")
        assert await store.lobby() == {}
        assert not await store.put_summary("r", 2, 2, b"late")
        assert await store.lobby() == {}
        assert await store.put_summary("r", 2, 4, b"back")
        assert await store.lobby() == {"r": b"back"}


async def test_summaries_may_be_any_bytes(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _):
        rooms = {f"r{n}": bytes([n, 32, 10, 0, 255 - n]) for n in range(200)}
        for room, summary in rooms.items():
            await store.put_summary(room, 1, 10**12, summary)
        assert await store.lobby() == rooms


async def test_removed_summaries_expire(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _), raw_client(store_process) as raw:
        await store.put_summary("old", 1, 1, b"")
        await raw.zadd(f"{prefix}{{lobby}}:gone", {"old": 1000})
        await store.put_summary("new", 1, 1, b"x")
        assert await raw.hkeys(f"{prefix}{{lobby}}") == [b"new"]
        assert await raw.zcard(f"{prefix}{{lobby}}:gone") == 0


async def test_records(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _), raw_client(store_process) as raw:
        await store.keep_record("r", b"\x00record", 90)
        await store.keep_record("q", b"record", 0)
        assert await store.record("r") == b"\x00record"
        assert await store.record("q") is None
        assert 89 * 86_400 < await raw.ttl(f"{prefix}record:r") <= 90 * 86_400
