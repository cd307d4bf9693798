"""Two hubs that both believe they own a table: one freezes past its lease, and the other takes over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, TypeAlias

import pytest
import redis.asyncio

from hub.store.lease import LEASE_MS
from tests.chaos.conftest import Hubs
from tests.chaos.talking_table import TALKING, check, proposes
from tests.harness.fault_proxy import Fault, FaultProxy
from tests.harness.faults import Clock, FaultyHub
from tests.harness.follower import Follower
from tests.harness.plain_http import plain_http
from tests.harness.players import Player, Table, at_hub, everybody
from tests.harness.processes import StoreProcess

pytestmark = pytest.mark.asyncio


@pytest.fixture
def hubs(passive_hubs: Hubs) -> Hubs:
    return passive_hubs


MANY_BEATS: Final = 200
"""More heartbeats than a hub sends in a test."""
Silenced: TypeAlias = tuple[FaultyHub, FaultProxy]


async def end_lease(store: StoreProcess, hub: FaultyHub) -> None:
    """Do what three seconds without a heartbeat would do: the hub no longer counts as alive."""
    async with redis.asyncio.Redis.from_url(store.url) as client:
        alive = [key async for key in client.scan_iter("parley:{hub:*}:alive")]
        for key in alive:
            if await client.get(key) == hub.link_url.encode():
                await client.delete(key)


async def switch_hub(player: Player, hub: FaultyHub) -> None:
    """Move the player's connection to another hub."""
    player.address = at_hub(player.address, hub.url)
    await player.resume()


async def test_a_stale_owner_is_fenced(hubs: Hubs, store: StoreProcess) -> None:
    """G3.1, G3.2, G3.3, G3.4, G2.1: the lease runs out for real; nobody who stayed loses anything."""
    one, two = hubs(), hubs()
    async with await Table.made(one.url, options=TALKING) as table:
        await table.start()
        stays, *go = table.players
        await proposes(stays, 1, 2, 3)
        await stays.answered()
        one.freeze()
        await proposes(stays, 4, 5, 6)  # into a socket nobody is reading
        await asyncio.gather(*(switch_hub(player, two) for player in go))
        for player in go:
            await proposes(player, 7, 8, player.knows.seat or 0)
            await player.answered()
        one.thaw()
        assert await stays.gone() == 4001
        assert list(stays.knows.pending) != []
        await stays.resume()
        await stays.answered()
        await everybody(table.players, lambda knows: len(knows.lines) == len(table.players[0].knows.lines))
        assert {player.knows.run for player in table.players} == {go[0].knows.run}
        await check(store, table)


async def test_a_stale_owner_refuses_no_command(hubs: Hubs, store: StoreProcess, clock: Clock) -> None:
    """G1.3, G3.4: a command it would refuse may be valid under the table's new owner."""
    one, two = hubs(clock=clock), hubs(clock=clock)
    async with await Table.made(one.url, options=TALKING) as table:
        await table.start()
        stays, goes, _ = table.players
        one.freeze()
        await stays.send("do", prompt="plan:1", move={"move": "agree", "plan": 1})
        clock.jump(4000)
        await end_lease(store, one)
        await asyncio.gather(*(switch_hub(player, two) for player in table.players[1:]))
        await proposes(goes, 1, 2, 3)
        await goes.answered()
        one.thaw()
        assert await stays.gone() == 4001
        await stays.resume()
        await stays.answered()
        assert stays.knows.applied(0)
        await check(store, table)


async def test_a_stale_owner_closes_its_sockets_unprompted(hubs: Hubs, store: StoreProcess) -> None:
    """G3.4: nobody sends it anything, and no window ends; it closes its sockets all the same."""
    one, two = hubs(), hubs()
    async with await Table.made(one.url, options=TALKING) as table:
        await table.start()
        stays, *go = table.players
        one.freeze()
        await end_lease(store, one)
        await asyncio.gather(*(switch_hub(player, two) for player in go))
        await proposes(go[0], 1, 2, 3)
        await go[0].answered()
        one.thaw()
        assert await stays.gone() == 4001
        await stays.resume()
        assert stays.knows.lines == go[0].knows.lines
        await check(store, table)


async def test_a_stale_owner_cannot_welcome_a_client(hubs: Hubs, store: StoreProcess, clock: Clock) -> None:
    """G3.4, G6.1: a client that has seen the table go on is not shown its earlier state."""
    one, two = hubs(clock=clock), hubs(clock=clock)
    async with await Table.made(one.url, options=TALKING) as table:
        await table.start()
        first = table.players[0]
        for _ in range(3):
            one.freeze()
            clock.jump(4000)
            await end_lease(store, one)
            await asyncio.gather(*(switch_hub(player, two) for player in table.players))
            await proposes(first, 1, 2, 3)
            await first.answered()
            first.address = at_hub(first.address, one.url)
            coming = asyncio.create_task(first.resume())  # its hello arrives before the hub resumes
            one.thaw()
            await coming  # the follower fails if it is shown an epoch that has ended
            await check(store, table)
            one, two = two, one


@asynccontextmanager
async def without_heartbeats(hubs: Hubs, store: StoreProcess, clock: Clock) -> AsyncIterator[Silenced]:
    """A hub whose heartbeats `lose` can cut off, until `cancel_plans`."""
    async with FaultProxy(store.socket, folder=store.socket.parent) as proxy:
        hub = await asyncio.to_thread(hubs, proxy.url, clock)
        yield hub, proxy
        proxy.cancel_plans()
        await asyncio.to_thread(hub.kill)


async def lose(silenced: Silenced, store: StoreProcess, clock: Clock) -> None:
    """Freeze a hub until its lease has run out; when it resumes, no heartbeat tells it so."""
    hub, proxy = silenced
    for _ in range(MANY_BEATS):
        proxy.plan(Fault.CUT_BEFORE, command="EVAL")
    hub.freeze()
    clock.jump(LEASE_MS + 1000)
    await end_lease(store, hub)


async def test_a_stale_owner_tells_nobody_anything(hubs: Hubs, store: StoreProcess, clock: Clock) -> None:
    """G3.4, G3.7: it sees people leave and keeps that to itself: its sockets get a close, nothing else."""
    async with without_heartbeats(hubs, store, clock) as silenced:
        (one, proxy), two = silenced, hubs(clock=clock)
        async with await Table.made(one.url, options=TALKING) as table:
            await table.start()
            stays, *go = table.players
            await stays.ping()
            heard = len(stays.heard)
            await lose(silenced, store, clock)
            await asyncio.gather(*(switch_hub(player, two) for player in go))
            await proposes(go[0], 1, 2, 3)
            await go[0].answered()
            one.thaw()
            for _ in range(2):
                await stays.ping()  # by now the hub has seen the others leave
            proxy.cancel_plans()
            assert await stays.gone() == 4001
            assert [message["t"] for message in stays.heard[heard:]] == ["pong", "pong"]
            await stays.resume()
            await check(store, table)


async def test_a_ticket_that_a_stale_owner_does_not_know(
    hubs: Hubs, store: StoreProcess, clock: Clock
) -> None:
    """G3.8, R1: it is from the table's new owner; the old one does not refuse it, which would be final."""
    async with without_heartbeats(hubs, store, clock) as silenced:
        (one, proxy), two = silenced, hubs(clock=clock)
        async with await Table.made(one.url, options=TALKING) as table:
            mover = table.players[1]
            await lose(silenced, store, clock)
            await asyncio.gather(*(switch_hub(player, two) for player in table.players))
            await mover.do("manage", act={"do": "free_seat", "seat": 1})
            assert await mover.gone() == 4010
            async with plain_http(two.url) as http:
                bearer = {"authorization": f"Bearer {mover.token}"}
                place = (await http.post(f"/api/rooms/{table.room}/seats/1", headers=bearer)).json()
            mover.knows = Follower(place["ticket"])
            mover.address = at_hub(mover.address, one.url)
            coming = asyncio.create_task(mover.open())
            one.thaw()
            assert not await coming
            assert (mover.closed, mover.heard) == (4001, [])
            proxy.cancel_plans()
            await mover.resume()
            assert mover.knows.seat == 1


async def test_a_late_commit_is_fenced(hubs: Hubs, store: StoreProcess) -> None:
    """G3.1, G3.4, G1.1: the commit is sent before the owner freezes, and arrives after the takeover."""
    async with FaultProxy(store.socket, folder=store.socket.parent) as proxy:
        one, two = await asyncio.to_thread(hubs, proxy.url), hubs()
        async with await Table.made(one.url, options=TALKING) as table:
            await table.start()
            stays, goes, _ = table.players
            seen = len(stays.knows.lines)
            proxy.plan(Fault.HOLD_COMMAND)
            await proposes(stays, 1, 2, 3)
            await proxy.happened(Fault.HOLD_COMMAND)
            one.freeze()
            await end_lease(store, one)
            await asyncio.gather(*(switch_hub(player, two) for player in table.players[1:]))
            await proposes(goes, 4, 5, 6)
            await goes.answered()
            one.thaw()
            proxy.release()
            assert await stays.gone() == 4001
            assert len(stays.knows.lines) == seen
            await stays.resume()
            await stays.answered()
            await check(store, table)
            plans = stays.knows.sections["plans"]["plans"]
            assert [plan["bids"] for plan in plans] == [[4, 5, 6], [1, 2, 3]]
            await asyncio.to_thread(one.kill)
