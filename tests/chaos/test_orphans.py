"""R32: the running rooms of a dead hub are taken by the others without a visitor, and their windows go on."""

from __future__ import annotations

import asyncio
import itertools
import signal
from contextlib import AsyncExitStack
from typing import Final

import pytest
import redis.asyncio

from hub.store.store import Store
from tests.chaos.conftest import Hubs
from tests.chaos.talking_table import TALKING, check, proposes
from tests.harness.defaults import DEFAULTS
from tests.harness.faults import Clock, FaultyHub
from tests.harness.plain_http import plain_http
from tests.harness.players import PATIENCE, Table, at_hub, everybody
from tests.harness.processes import StoreProcess

pytestmark = pytest.mark.asyncio

TABLES: Final = 12
POLL: Final = 0.1
"""The pause between two looks at a hub's metrics: another process sets no event."""


async def metric(hub: FaultyHub, name: str) -> float:
    async with plain_http(hub.url) as http:
        text = (await http.get("/metrics")).text
    return sum(float(line.rpartition(" ")[2]) for line in text.splitlines() if line.startswith(name))


async def count(name: str, *hubs: FaultyHub) -> list[float]:
    return await asyncio.gather(*(metric(hub, name) for hub in hubs))


async def until_taken(rooms: int, *hubs: FaultyHub) -> list[float]:
    """Wait until these hubs together have taken this number of rooms without a visitor."""
    async with asyncio.timeout(PATIENCE):
        while sum(shares := await count("parley_orphans_total", *hubs)) < rooms:  # noqa: ASYNC110
            await asyncio.sleep(POLL)
    return shares


async def until_acquainted(store: StoreProcess, hubs: int) -> None:
    """Wait until this many hubs take rooms and each knows about the others.

    Otherwise one that registers late is given rooms that were made before, or gets none of a dead hub's.
    """
    reader = await Store.open(store.url, forget_days=DEFAULTS.forget_days)
    seen: dict[str, int] = {}
    async with asyncio.timeout(PATIENCE):
        while True:
            described = await reader.list_descriptions()
            registered = {name: one.clock_ms for name, one in described.items() if one.cores}
            if len(registered) == hubs:
                seen = seen or registered
                if all(registered[name] > seen[name] for name in seen):  # it has read the others' since
                    break
            await asyncio.sleep(POLL)
    await reader.close()


async def epoch(store: StoreProcess, room: str) -> int:
    async with redis.asyncio.Redis.from_url(store.url) as raw:
        token = await raw.hget(f"parley:{{room:{room}}}:head", "token")
    assert isinstance(token, bytes)
    return int(token.partition(b":")[0])


async def leave(table: Table) -> None:
    for player in table.players:
        await player.drop()


async def test_the_rooms_of_a_killed_hub_are_divided_and_taken_once(hubs: Hubs, store: StoreProcess) -> None:
    """R32, G3.2, G6.1: nobody is connected, and nobody asks for them."""
    one, two, three = hubs(), hubs(), hubs()
    await until_acquainted(store, 3)
    async with AsyncExitStack() as tables:
        made = [
            await tables.enter_async_context(await Table.made(one.url, options=TALKING))
            for _ in range(TABLES)
        ]
        for table in made:
            await table.start()
            await proposes(table.players[0], 1, 2, 3)
            await table.players[0].answered()
            await leave(table)
        waiting = await tables.enter_async_context(await Table.made(one.url, options=TALKING))
        await leave(waiting)
        await asyncio.to_thread(one.kill)
        shares = await until_taken(TABLES, two, three)
        assert sum(shares) == TABLES
        assert all(shares)
        assert [await epoch(store, table.room) for table in made] == [2] * TABLES
        assert await epoch(store, waiting.room) == 1, "it waits for a visitor"
        assert await count("parley_rooms ", two, three) == shares
        for table in made:
            for player in table.players:
                player.address = at_hub(player.address, two.url)
            await table.back()
            await check(store, table)
        assert [await epoch(store, table.room) for table in made] == [2] * TABLES


async def test_windows_close_though_nobody_comes(hubs: Hubs, store: StoreProcess, clock: Clock) -> None:
    """R32, G5.3: the bids' window of the table ends at its time, once."""
    one, two = hubs(clock=clock), hubs(clock=clock)
    options = {"mode": "banbury", "timers": "fast", "banburyRounds": 3}
    async with await Table.made(one.url, options=options) as table:
        await table.start()
        for player in table.players[:2]:
            await player.move("bid:1", "bid", number=1 + (player.knows.seat or 0))
        await everybody(table.players, lambda knows: knows.window("bid"))
        await leave(table)
        await asyncio.to_thread(one.kill)
        await until_taken(1, two)
        assert await metric(two, "parley_windows_closed_total") == 0
        await asyncio.to_thread(clock.advance, 40_000, two)  # an extension for who is away, and the rest
        async with asyncio.timeout(PATIENCE):
            while not await metric(two, "parley_windows_closed_total"):  # noqa: ASYNC110
                await asyncio.sleep(POLL)
        assert await epoch(store, table.room) == 2


async def test_a_hub_that_stops_hands_over_at_once(hubs: Hubs, store: StoreProcess) -> None:
    """R8, R32: its tables go on while it is still shutting down, though nobody is connected."""
    one, two = hubs(), hubs()
    async with AsyncExitStack() as tables:
        made = [
            await tables.enter_async_context(await Table.made(one.url, options=TALKING)) for _ in range(3)
        ]
        for table in made:
            await table.start()
            await leave(table)
        one.signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE):
            while await metric(two, "parley_takeovers_total") < len(made):  # noqa: ASYNC110
                await asyncio.sleep(POLL)
        assert [await epoch(store, table.room) for table in made] == [2] * len(made)
        await asyncio.to_thread(one.ended)
        for table in made:
            for player in table.players:
                player.address = at_hub(player.address, two.url)
            await table.back()
            await check(store, table)


async def test_a_hub_that_joins_gets_its_share(hubs: Hubs, store: StoreProcess) -> None:
    """R33, G6.1: while people play, each room once; whoever is sent away comes back through the first hub."""
    one = hubs()
    async with AsyncExitStack() as tables:
        made = [
            await tables.enter_async_context(await Table.made(one.url, options=TALKING))
            for _ in range(TABLES)
        ]
        for table in made:
            await table.start()
        two = await asyncio.to_thread(hubs)
        bids, turns = itertools.count(1), itertools.cycle(range(3))
        async with asyncio.timeout(PATIENCE):
            while not await metric(two, "parley_rooms "):
                seat = next(turns)
                for player in (table.players[seat] for table in made):
                    if player.closed is not None:
                        await player.resume()
                    await proposes(player, next(bids) % 100, 2, 3)
                await asyncio.sleep(POLL)
            while sum(await count("parley_rooms ", one, two)) < TABLES:  # noqa: ASYNC110
                await asyncio.sleep(POLL)
        for table in made:
            await table.back()
            await check(store, table)
        epochs = [await epoch(store, table.room) for table in made]
        given, rooms = await metric(one, "parley_rooms_given_total"), await count("parley_rooms ", one, two)
        assert sorted(set(epochs)) == [1, 2]
        assert rooms == [epochs.count(1), epochs.count(2)] == [TABLES - given, given]
