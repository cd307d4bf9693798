"""Table time and windows, through outages, stalls, pauses and takeovers: the test controls the hubs' clock.

The clock is one file that all hubs in a test read, and no other clock counts. Time passes for a hub when the
test makes it send its heartbeats and fire its timers; a hub is stalled, away or dead while the clock jumps.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Mapping
from typing import Final, get_args

import msgspec
import pytest

from hub.store.store import Store
from hub.wire import messages
from tests.chaos.conftest import Hubs
from tests.chaos.test_takeover import end_lease, switch_hub
from tests.harness.defaults import DEFAULTS
from tests.harness.fault_proxy import Fault, FaultProxy
from tests.harness.faults import Clock, FaultyHub
from tests.harness.follower import settled, stored_log
from tests.harness.plain_http import plain_http
from tests.harness.players import Player, Table, everybody
from tests.harness.processes import StoreProcess

pytestmark = pytest.mark.asyncio

BIDDING: Final[Mapping[str, object]] = {"discussion": "none", "timers": "normal"}
"""Options for a table whose first window is a bid of thirty seconds."""
AWAY: Final = 25_000
WITHIN: Final = 1000
"""The milliseconds that may be lost in an outage (G5.5)."""


async def pass_time(clock: Clock, milliseconds: int, *hubs: FaultyHub) -> None:
    await asyncio.to_thread(clock.advance, milliseconds, *hubs)


async def time_left(player: Player) -> int:
    """The time left for the bid, as the hub reports it."""
    await player.ping()
    return player.knows.left("bid:1")


async def check_closed_once(store: StoreProcess, table: Table) -> None:
    """Check that the log closes the first bid's window once, and that the rest of the table is fine."""
    opened = await Store.open(store.url, forget_days=DEFAULTS.forget_days)
    try:
        await settled(opened, table.room, table.followers)
        entries = [logged.entry for logged in await stored_log(opened, table.room)]
        closed = [entry for entry in entries if entry and entry.window == "bid:1"]
        assert [entry.kind for entry in closed] == ["expire"]
    finally:
        await opened.close()


async def play_window_out(clock: Clock, hub: FaultyHub, store: StoreProcess, table: Table, rest: int) -> None:
    """Let the rest of the bid pass: its window is open until just before its end, and is then closed once."""
    await pass_time(clock, rest - WITHIN, hub)
    assert (await time_left(table.players[0])) <= 2 * WITHIN
    assert table.players[0].knows.window("bid:1")
    await pass_time(clock, 2 * WITHIN, hub)
    await everybody(table.players, lambda knows: knows.window("reveal:1"))
    await check_closed_once(store, table)


async def test_a_window_outlives_a_hub_that_is_down_for_25_of_30_seconds(
    hubs: Hubs, store: StoreProcess, clock: Clock
) -> None:
    """G5.3, G5.5, G5.6: after kill -9 and a restart, the window has its remaining time, and closes once."""
    hub = hubs(clock=clock)
    async with await Table.made(hub.url, options=BIDDING) as table:
        await table.start()
        await pass_time(clock, 3000, hub)
        before = await time_left(table.players[0])
        assert before == 27_000
        await asyncio.to_thread(hub.kill)
        clock.jump(AWAY)
        await asyncio.to_thread(hub.start)
        await table.back()
        after = await time_left(table.players[0])
        assert abs(after - before) <= WITHIN
        await play_window_out(clock, hub, store, table, after)


async def test_a_window_outlives_a_hub_stalled_for_25_of_30_seconds(
    hubs: Hubs, store: StoreProcess, clock: Clock
) -> None:
    """G5.4, G5.5: frozen and thawed, with nobody to take over; less than a second is lost."""
    hub = hubs(clock=clock)
    async with await Table.made(hub.url, options=BIDDING) as table:
        await table.start()
        await pass_time(clock, 3000, hub)
        before = await time_left(table.players[0])
        hub.freeze()
        clock.jump(AWAY)
        hub.thaw()
        await pass_time(clock, 1, hub)
        await everybody(table.players, lambda knows: knows.sections)
        after = await time_left(table.players[0])
        assert before - WITHIN <= after <= before
        await play_window_out(clock, hub, store, table, after)


async def test_another_hub_takes_over_from_a_stalled_one(
    hubs: Hubs, store: StoreProcess, clock: Clock
) -> None:
    """G5.3, G5.4, G5.5, G3.4: both reach the window's end; only one closes it."""
    one, two = hubs(clock=clock), hubs(clock=clock)
    async with await Table.made(one.url, options=BIDDING) as table:
        await table.start()
        await pass_time(clock, 3000, one)
        before = await time_left(table.players[0])
        one.freeze()
        clock.jump(AWAY)
        await end_lease(store, one)
        await asyncio.gather(*(switch_hub(player, two) for player in table.players))
        after = await time_left(table.players[0])
        assert abs(after - before) <= WITHIN
        await pass_time(clock, after - 500, two)
        one.thaw()  # its own clock says the window is long over
        await pass_time(clock, 1500, two, one)
        await everybody(table.players, lambda knows: knows.window("reveal:1"))
        await check_closed_once(store, table)


async def test_a_window_outlives_a_store_that_is_down_for_25_of_30_seconds(
    hubs: Hubs, store: StoreProcess, clock: Clock
) -> None:
    """G5.4, G5.5, G6.2: the hub keeps running without heartbeats; its time stops after a second."""
    hub = hubs(clock=clock)
    async with await Table.made(hub.url, options=BIDDING) as table:
        await table.start()
        await pass_time(clock, 3000, hub)
        before = await time_left(table.players[0])
        await asyncio.to_thread(store.stop)
        await pass_time(clock, AWAY, hub)
        during = await time_left(table.players[0])
        assert before - WITHIN <= during <= before
        await asyncio.to_thread(store.start)
        await pass_time(clock, 1, hub)
        after = await time_left(table.players[0])
        assert before - WITHIN - 1 <= after <= before
        # commits are resumed in real time: a refusal in doubt waits for one
        n = await table.players[0].send("do", prompt="bid:0", move={"move": "lock", "number": 2})
        await table.players[0].answered()
        assert table.players[0].knows.code(n) == "STALE_PROMPT"
        await play_window_out(clock, hub, store, table, after)


async def test_time_stops_in_a_pause_and_between_owners(
    hubs: Hubs, store: StoreProcess, clock: Clock
) -> None:
    """G5.6, R8: paused for half an hour, through a change of owner."""
    hub = hubs(clock=clock)
    async with await Table.made(hub.url, options=BIDDING) as table:
        await table.start()
        await pass_time(clock, 3000, hub)
        before = await time_left(table.players[0])
        await table.players[0].do("manage", act={"do": "pause"})
        await pass_time(clock, 30_000, hub)
        assert await time_left(table.players[1]) == before
        await asyncio.to_thread(hub.kill)
        clock.jump(1_800_000)
        await asyncio.to_thread(hub.start)
        await table.back()
        await pass_time(clock, 30_000, hub)
        assert await time_left(table.players[1]) == before
        await table.players[0].do("manage", act={"do": "resume"})
        after = await time_left(table.players[1])
        assert after == before
        await play_window_out(clock, hub, store, table, after)


async def test_a_command_received_in_time_counts_even_if_decided_late(
    hubs: Hubs, store: StoreProcess, clock: Clock
) -> None:
    """G5.1, G5.2: commands arrive before and after the end, while the store keeps the hub waiting."""
    async with FaultProxy(store.socket, folder=store.socket.parent) as proxy:
        hub = await asyncio.to_thread(hubs, proxy.url, clock)
        async with await Table.made(hub.url, options=BIDDING) as table:
            await table.start()
            early, late, holds = table.players
            await pass_time(clock, 29_000, hub)
            proxy.plan(Fault.HOLD_REPLY)
            await holds.send("do", prompt="bid:1", move={"move": "lock", "number": 2})
            await proxy.happened(Fault.HOLD_REPLY)
            in_time = await early.send("do", prompt="bid:1", move={"move": "lock", "number": 3})
            assert await time_left(early) == 1000
            await pass_time(clock, 1000, hub)
            too_late = await late.send("do", prompt="bid:1", move={"move": "lock", "number": 4})
            await late.ping()
            assert in_time in early.knows.pending
            assert too_late in late.knows.pending
            proxy.release()
            await asyncio.gather(early.answered(), late.answered(), holds.answered())
            assert early.knows.applied(in_time)
            assert late.knows.code(too_late) == "STALE_PROMPT"
            await everybody(table.players, lambda knows: knows.sections["score"]["rows"])
            (row,) = early.knows.sections["score"]["rows"]
            assert (row["bids"][0], row["bids"][2], row["missed"]) == (3, 2, [1])
            await check_closed_once(store, table)
            await asyncio.to_thread(hub.kill)


async def test_takeovers_never_set_time_back(hubs: Hubs, store: StoreProcess, clock: Clock) -> None:
    """G5.4, G5.5: killed eight times, up to a second after its last heartbeat; nobody loses more than a
    second each time."""
    hub = hubs(clock=clock)
    async with await Table.made(hub.url, options=BIDDING) as table:
        await table.start()
        at = 0
        for number in range(8):
            await pass_time(clock, 1000 + 137 * number, hub)
            await table.players[number % 3].move("bid:1", "bid", number=1 + number)
            await everybody(table.players, lambda knows: knows.window("bid:1"))
            clock.jump(min(137 * number, WITHIN))
            pong = await table.players[0].ping()
            assert pong >= at
            await asyncio.to_thread(hub.kill)
            clock.jump(5000)
            await asyncio.to_thread(hub.start)
            await table.back()
            at = table.players[0].knows.table_time
            assert pong <= at <= pong + WITHIN
        await play_window_out(clock, hub, store, table, await time_left(table.players[0]))


async def test_no_client_message_contains_a_time() -> None:
    """G5.7: a client's clock may be wrong by any amount; it never sends the hub a time."""
    fields = {field.name for kind in get_args(messages.ToHub) for field in msgspec.structs.fields(kind)}
    assert fields == {
        *("ticket", "session", "n", "prompt", "move", "act"),
        *("channel", "text", "phrase", "to"),
        *("kind", "terms", "private", "told"),
    }


async def test_a_hub_that_is_stopped_hands_over_its_tables(
    hubs: Hubs, store: StoreProcess, clock: Clock
) -> None:
    """R8, H9, G5.6: it reports not ready, hands over its tables and sends people to another hub, which
    continues."""
    async with FaultProxy(store.socket, folder=store.socket.parent) as proxy:
        one = await asyncio.to_thread(hubs, proxy.url, clock)
        two = hubs(clock=clock)
        async with await Table.made(one.url, options=BIDDING) as table:
            await table.start()
            await pass_time(clock, 3000, one)
            before = await time_left(table.players[0])
            async with plain_http(one.url) as http:
                assert (await http.get("/readyz")).status_code == 200
                proxy.plan(Fault.HOLD_COMMAND)
                kept = await table.players[0].send("do", prompt="bid:1", move={"move": "lock", "number": 3})
                await proxy.happened(Fault.HOLD_COMMAND)
                one.signal(signal.SIGTERM)
                while (ready := await http.get("/readyz")).status_code == 200:
                    pass
                assert (ready.status_code, ready.json()["code"]) == (503, "DRAINING")
            clock.jump(20_000)
            proxy.release()
            for player in table.players:
                assert await player.gone() == 4001
                await switch_hub(player, two)
            await asyncio.to_thread(one.ended)
            await table.players[0].answered()
            assert table.players[0].knows.applied(kept)
            assert abs(await time_left(table.players[1]) - before) <= WITHIN
            await play_window_out(clock, two, store, table, await time_left(table.players[1]))
