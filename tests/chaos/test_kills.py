"""Hubs killed with -9 at every step around a commit, a take, a session, a window's end and a drain.

Each point is tried once, and three times at length; those around a commit are then hit at a different commit
each time. After each kill the hub is restarted, and everybody reconnects and resends the commands that have
had no verdict. Then `settled` looks for anything that was lost, duplicated or sent too early.
"""

from __future__ import annotations

import asyncio
import itertools
import signal
from collections.abc import Callable

import httpx
import pytest

from tests.chaos.conftest import Hubs
from tests.chaos.talking_table import TALKING, check
from tests.harness.faults import Clock, FaultyHub
from tests.harness.follower import Follower
from tests.harness.players import Player, Table, everybody
from tests.harness.processes import StoreProcess

pytestmark = pytest.mark.asyncio


@pytest.fixture
def hubs(passive_hubs: Hubs) -> Hubs:
    return passive_hubs


KILLS = pytest.mark.parametrize("kills", [1, pytest.param(3, marks=pytest.mark.at_length)])
"""How often the hub is killed in a test."""

_serial = itertools.count()


async def proposes(player: Player) -> None:
    """Send a plan that nobody has proposed yet and a talk message about it, without waiting."""
    high, low = divmod(next(_serial), 100)
    await player.send("do", prompt="plan:1", move={"move": "propose", "bids": [1 + high, 1 + low, 100]})
    await player.send("say", channel="table", text=f"plan {high}-{low}")
    await player.send("manage", act={"do": "lock", "locked": True})


async def send_from_everybody(table: Table) -> None:
    await asyncio.gather(*(proposes(player) for player in table.players))


async def restart_and_reconnect(hub: FaultyHub, table: Table) -> None:
    """Wait until the hub is dead, start it again and reconnect everybody."""
    await asyncio.to_thread(hub.ended)
    for player in table.players:
        await player.gone()
    await asyncio.to_thread(hub.start)
    await table.back()


@pytest.mark.parametrize(
    "point",
    [
        "before the commit",
        "commit queued",
        "commit sent",
        "store has answered",
        "before the verdict",
        "verdict made",
        "first audience told",
        "all told",
        "after the commit",
    ],
)
@pytest.mark.parametrize("passings", [(2,), pytest.param((1, 2, 4), marks=pytest.mark.at_length)])
async def test_killed_around_a_commit(
    passings: tuple[int, ...], point: str, hubs: Hubs, store: StoreProcess
) -> None:
    """G1.1, G1.2, G1.5, G2.1, G6.1, G7.1"""
    hub = hubs()
    async with await Table.made(hub.url, options=TALKING) as table:
        await table.start()
        for passing in passings:
            hub.arm(point, passing)
            while all(player.closed is None for player in table.players):
                await send_from_everybody(table)
                await asyncio.gather(*(wait_for_verdicts(player) for player in table.players))
            await restart_and_reconnect(hub, table)
            await check(store, table)
        assert len(table.players[0].knows.runs) == 1 + len(passings)
        await send_from_everybody(table)
        await asyncio.gather(*(player.answered() for player in table.players))
        await check(store, table)


@KILLS
@pytest.mark.parametrize("point", ["before the take", "taken", "log read", "loaded"])
async def test_killed_while_taking_over_a_room(
    kills: int, point: str, hubs: Hubs, store: StoreProcess
) -> None:
    """G2.1, G3.2, G6.1: the owner that eventually takes the room answers the commands sent until then."""
    hub = hubs()
    async with await Table.made(hub.url, options=TALKING) as table:
        await table.start()
        for _ in range(kills):
            await asyncio.to_thread(hub.kill)
            for player in table.players:
                await player.gone()
            await send_from_everybody(table)
            await asyncio.to_thread(hub.start)
            hub.arm(point)
            assert not any(await asyncio.gather(*(player.open() for player in table.players)))
            await restart_and_reconnect(hub, table)
            await check(store, table)
        epochs = [int(run.partition(":")[0]) for run in table.players[0].knows.runs]
        assert len(epochs) == 1 + kills
        assert epochs[-1] == 1 + kills + kills * (point != "before the take")


@KILLS
@pytest.mark.parametrize("point", ["attach decided", "attached", "welcomed"])
async def test_killed_while_a_client_connects(
    kills: int, point: str, hubs: Hubs, store: StoreProcess
) -> None:
    """G2.2, G2.1, G6.1: a second client connects to a seat while the others are busy."""
    hub = hubs()
    async with await Table.made(hub.url, options=TALKING) as table:
        await table.start()
        first = table.players[0]
        gone: list[Follower] = []
        sessions = [first.knows.session]
        for _ in range(kills):
            hub.arm(point)
            await send_from_everybody(table)
            second = Player("second client", first.token, {"socket": first.address})
            second.knows = Follower(first.knows.ticket)
            table.players.append(second)
            await second.open()
            await restart_and_reconnect(hub, table)
            assert second.knows.session not in sessions
            sessions.append(second.knows.session)
            await send_from_everybody(table)
            await asyncio.gather(*(player.answered() for player in table.players))
            await check(store, table, *gone)
            await second.drop()
            table.players.remove(second)
            gone.append(second.knows)


@KILLS
@pytest.mark.parametrize(
    "point",
    ["window's end", "window closed", "commit queued", "store has answered", "verdict made", "all told"],
)
async def test_killed_at_a_windows_end(
    kills: int, point: str, hubs: Hubs, store: StoreProcess, clock: Clock
) -> None:
    """G5.2, G5.3, G6.1, G7.1: the window closes once, whichever owner closes it."""
    hub = hubs(clock=clock)
    options = {"mode": "banbury", "timers": "fast", "banburyRounds": kills}
    async with await Table.made(hub.url, options=options) as table:
        await table.start()
        for number in range(1, kills + 1):
            for player in table.players[:2]:
                await player.move(f"bid:{number}", "bid", number=number + (player.knows.seat or 0))
            await everybody(table.players, lambda knows: knows.window("bid"))
            hub.arm(point)
            await asyncio.to_thread(clock.advance, 20_000, hub)
            await restart_and_reconnect(hub, table)
            # the first to reconnect may find that the window was extended for a seat not yet back (GEN-6)
            await pass_time_while(clock, hub, table, lambda knows: knows.window("bid"))
            assert table.players[0].knows.sections["score"]["rows"][-1]["bids"][:2] == [number, number + 1]
            await check(store, table)
            await pass_time_while(clock, hub, table, lambda knows: knows.window("reveal"))
        assert table.players[0].knows.status == "finished"


async def pass_time_while(
    clock: Clock, hub: FaultyHub, table: Table, holds: Callable[[Follower], object]
) -> None:
    """Let time pass until this no longer holds for anybody."""
    while any(holds(player.knows) for player in table.players):
        await asyncio.to_thread(clock.advance, 1000, hub)
        await asyncio.gather(*(player.ping() for player in table.players))


@KILLS
@pytest.mark.parametrize(
    "point", ["drain begins", "before the release", "handed over", "released", "drained"]
)
async def test_killed_while_draining(kills: int, point: str, hubs: Hubs, store: StoreProcess) -> None:
    """R8, G2.1, G6.1"""
    hub = hubs()
    async with await Table.made(hub.url, options=TALKING) as table:
        await table.start()
        for _ in range(kills):
            hub.arm(point)
            await send_from_everybody(table)
            hub.signal(signal.SIGTERM)
            await restart_and_reconnect(hub, table)
            await check(store, table)


@KILLS
@pytest.mark.parametrize("point", ["before creating", "created"])
async def test_killed_while_a_room_is_created(
    kills: int, point: str, hubs: Hubs, store: StoreProcess
) -> None:
    """G6.1, R9: the client that requested it gets no answer, and creates another."""
    hub = hubs()
    for _ in range(kills):
        hub.arm(point)
        with pytest.raises(httpx.TransportError):
            await Table.made(hub.url)
        await asyncio.to_thread(hub.ended)
        await asyncio.to_thread(hub.start)
        async with await Table.made(hub.url) as table:
            await table.start()
            await check(store, table)


async def wait_for_verdicts(player: Player) -> None:
    """Wait until every command has its verdict, or the connection breaks."""
    await player.until(lambda: not player.knows.pending or player.closed is not None, or_closed=True)
