"""Summaries for the lobby, and records of finished games."""

from __future__ import annotations

import pytest

from hub.store.lobby import LISTED_MS
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
        assert (await store.lobby()).summaries == {"r": b"new run"}
        assert not await store.put_summary("r", 1, 99, b"")
        assert await store.put_summary("r", 2, 3, b"")
        assert (await store.lobby()).summaries == {}
        assert not await store.put_summary("r", 2, 2, b"late")
        assert (await store.lobby()).summaries == {}
        assert await store.put_summary("r", 2, 4, b"back")
        assert (await store.lobby()).summaries == {"r": b"back"}


async def test_summaries_may_be_any_bytes(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _):
        rooms = {f"r{n}": bytes([n, 32, 10, 0, 255 - n]) for n in range(200)}
        for room, summary in rooms.items():
            await store.put_summary(room, 1, 10**12, summary)
        assert await store.lobby() == (200, rooms)


async def test_old_and_removed_summaries_expire(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _), raw_client(store_process) as raw:
        await store.put_summary("old", 1, 1, b"")
        await store.put_summary("abandoned", 1, 1, b"y")
        await raw.zadd(f"{prefix}{{lobby}}:gone", {"old": 1000})
        await raw.zadd(f"{prefix}{{lobby}}:listed", {"abandoned": 1000})
        assert await store.lobby() == (0, {}), "it is not shown, even before the next write removes it"
        await store.put_summary("new", 1, 1, b"x")
        assert await raw.hkeys(f"{prefix}{{lobby}}") == [b"new"]
        assert await raw.zcard(f"{prefix}{{lobby}}:gone") == 0
        assert await raw.zrange(f"{prefix}{{lobby}}:listed", 0, -1) == [b"new"]
        for part in ("", ":listed"):
            assert 0 < await raw.pttl(f"{prefix}{{lobby}}{part}") <= LISTED_MS


async def test_the_same_summary_keeps_its_place(store_process: StoreProcess, prefix: str) -> None:
    """G4.13: a delayed table moves up only when its summary changes; its summary is still renewed."""
    async with opened(store_process, prefix) as (store, _), raw_client(store_process) as raw:
        await store.put_summary("r", 1, 1, b"a line")
        listed = f"{prefix}{{lobby}}:listed"
        seconds, _ = await raw.time()
        recent, old = seconds * 1000 - LISTED_MS // 3, seconds * 1000 - LISTED_MS * 2 // 3
        for score, summary, moves in (
            (recent, b"a line", False),
            (old, b"a line", True),
            (recent, b"x", True),
        ):
            await raw.zadd(listed, {"r": score})
            assert await store.put_summary("r", 1, 2, summary)
            assert (await raw.zscore(listed, "r") != score) == moves
        assert not await store.put_summary("r", 1, 1, b"old"), "the version was written all the same"


async def test_the_lobby_is_read_in_pages(store_process: StoreProcess, prefix: str) -> None:
    """The room that was written last comes first."""
    async with opened(store_process, prefix) as (store, _), raw_client(store_process) as raw:
        for n in range(7):
            await store.put_summary(f"r{n}", 1, 1, b"%d" % n)
        seconds, _ = await raw.time()
        times = {f"r{n}": seconds * 1000 + (60_000 if n == 2 else n) for n in range(7)}
        await raw.zadd(f"{prefix}{{lobby}}:listed", times)
        assert await store.lobby(0, 3) == (7, {"r2": b"2", "r6": b"6", "r5": b"5"})
        assert await store.lobby(6, 3) == (7, {"r0": b"0"})
        assert await store.lobby(7, 3) == (7, {})


async def test_records(store_process: StoreProcess, prefix: str) -> None:
    async with opened(store_process, prefix) as (store, _), raw_client(store_process) as raw:
        await store.keep_record("r", b"\x00record", 90)
        await store.keep_record("q", b"record", 0)
        assert await store.record("r") == b"\x00record"
        assert await store.record("q") is None
        assert 89 * 86_400 < await raw.ttl(f"{prefix}record:r") <= 90 * 86_400
