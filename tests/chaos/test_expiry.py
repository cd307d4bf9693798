"""Nothing about a table stays in the store for good, even if its hub was killed."""

from __future__ import annotations

import asyncio
import signal

import pytest
import redis.asyncio

from hub.runtime.deadlines import EMPTY_TIMEOUT_MS
from hub.store.client import DAY_MS, WAITING_DAYS
from tests.chaos.conftest import Hubs
from tests.chaos.talking_table import TALKING
from tests.harness.faults import Clock
from tests.harness.players import PATIENCE, Table
from tests.harness.processes import StoreProcess

pytestmark = pytest.mark.asyncio


async def kept_for_good(store: StoreProcess) -> tuple[int, list[str]]:
    """The number of keys, and the names of those without an expiry."""
    async with redis.asyncio.Redis.from_url(store.url) as raw:
        keys = [key async for key in raw.scan_iter("parley:*")]
        return len(keys), [key.decode() for key in keys if await raw.pttl(key) == -1]


@pytest.mark.parametrize("end", ["drain", "kill"])
async def test_every_key_of_a_table_expires(end: str, hubs: Hubs, store: StoreProcess) -> None:
    """R11: while it is played, and after its hub was stopped or killed."""
    hub = hubs()
    async with await Table.made(hub.url, options=TALKING, open=True) as table:
        await table.start()
        first = table.players[0]
        await first.do("say", channel="table", text="hello")
        await first.do("note", text="they bluff")
        count, kept = await kept_for_good(store)
        assert count >= 8, "head, log, talk, notes, code and the hub's three"
        assert kept == []
        if end == "drain":
            hub.signal(signal.SIGTERM)
            await asyncio.to_thread(hub.ended)
        else:
            await asyncio.to_thread(hub.kill)
        count, kept = await kept_for_good(store)
        assert count >= 6, "the room is still there"
        assert kept == []


async def test_a_game_that_begins_is_kept_for_longer(hubs: Hubs, store: StoreProcess) -> None:
    """R11: a table is kept for a week; once its game has begun, for as long as the operator says."""
    async with (
        asyncio.timeout(PATIENCE),
        await Table.made(hubs().url, options=TALKING, open=True) as table,
        redis.asyncio.Redis.from_url(store.url) as raw,
    ):
        head = f"parley:{{room:{table.room}}}:head"
        code = await raw.hget(head, "code")
        assert isinstance(code, bytes)
        assert 0 < await raw.pttl(head) <= WAITING_DAYS * DAY_MS
        await table.start()
        while await raw.pttl(head) < 89 * DAY_MS or await raw.pttl(b"parley:code:" + code) < 89 * DAY_MS:
            pass  # renewed soon after the game's first commit


async def test_every_key_of_a_sleeping_table_expires(hubs: Hubs, store: StoreProcess, clock: Clock) -> None:
    """R11: everybody leaves a table before its game, and it is put to sleep."""
    hub = hubs(clock=clock)
    async with await Table.made(hub.url, options=TALKING, open=True) as table:
        await table.players[0].do("say", channel="table", text="hello")
        for player in table.players:
            await player.drop()
        async with asyncio.timeout(PATIENCE), redis.asyncio.Redis.from_url(store.url) as raw:
            head = f"parley:{{room:{table.room}}}:head"
            while await raw.hget(head, "token") != b"1:":  # it was released
                clock.advance(EMPTY_TIMEOUT_MS, hub)
            assert await raw.pttl(head) > 0
        assert (await kept_for_good(store))[1] == []
