"""The store stops table time: everybody at the table sees that, and nothing uncommitted (G1, G5)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from games import GAMES
from games.almost.rules.game import ALMOST
from games.api import Seat
from hub.runtime import clock_notice
from hub.telemetry.tasks import Tasks
from hub.wire import messages as m
from tests.runtime.test_registry import Hub
from tests.secrecy.in_process_hub import Client
from tests.secrecy.pair import ROOM, new_table

pytestmark = pytest.mark.asyncio

RULES: Any = ALMOST
PLAN = {"move": "propose", "bids": [1, 2, 3]}


@pytest_asyncio.fixture
async def hub() -> AsyncIterator[Hub]:
    async with Tasks() as tasks:
        yield Hub(GAMES, tasks)
        assert tasks.failures == 0


async def started(hub: Hub) -> list[Client]:
    """A running game of three with everybody connected, and a watcher, who have read everything so far."""
    await hub.put(new_table(RULES, 3, {"discussion": "untilReady"}))
    clients = [hub.client(Seat(seat)) for seat in range(3)] + [hub.client(None)]
    for client in clients:
        await client.open()
    clients[0].command(m.Manage, act=m.Start())
    await hub.settle()
    for client in clients:
        client.heard()
    return clients


def frames(client: Client) -> list[dict[str, Any]]:
    return [message for message in client.messages() if message["t"] == "frame"]


def check_dense(client: Client) -> None:
    start = next(message["n"] for message in client.messages() if message["t"] == "view")
    numbers = [frame["n"] for frame in frames(client)]
    assert numbers == list(range(start + 1, start + 1 + len(numbers)))


def freeze(hub: Hub, frozen: bool = True) -> None:
    """Runs what follows, without an answer from the store."""
    hub.rooms.on_freeze(frozen)
    hub.clock.run_soon()


async def test_every_audience_is_told_that_table_time_stands_still_and_that_it_goes_on(hub: Hub) -> None:
    """G5.4, G4.8: one frame each, with the section `windows` alone."""
    clients = await started(hub)
    counts = [len(frames(client)) for client in clients]
    freeze(hub)
    freeze(hub)  # shown once
    for client, count in zip(clients, counts, strict=True):
        (frame,) = frames(client)[count:]
        assert list(frame["sections"]) == ["windows"]
        assert frame["now"] == hub.actor.table_time()
        assert (frame["sections"]["windows"]["live"], frame["sections"]["windows"]["stopped_by"]) == (
            False,
            "store",
        )
    freeze(hub, False)
    for client, count in zip(clients, counts, strict=True):
        frame = frames(client)[count + 1]
        assert frame["sections"]["windows"]["live"]
        assert "stopped_by" not in frame["sections"]["windows"]
        check_dense(client)


@pytest.mark.parametrize("thawed_first", [False, True])
async def test_nothing_uncommitted_is_shown(hub: Hub, thawed_first: bool) -> None:
    """G1.2: a plan that the store has not confirmed stays unseen, and appears with the right clock."""
    clients = await started(hub)
    clients[1].command(m.Do, prompt="plan:1", move=PLAN)
    hub.clock.run_soon()
    freeze(hub)
    for client in clients:
        assert list(frames(client)[-1]["sections"]) == ["windows"]
        assert not any(message["t"] == "verdict" for message in clients[2].messages())
    if thawed_first:
        freeze(hub, False)
    assert hub.store.answer()
    hub.pump()
    for client in clients:
        sections: dict[str, Any] = {}
        for frame in frames(client):
            sections |= frame["sections"]
        assert [plan["bids"] for plan in sections["plans"]["plans"]] == [[1, 2, 3]]
        assert sections["windows"]["live"] == thawed_first
        check_dense(client)


async def test_a_hub_that_may_have_lost_the_room_does_not_say_that_time_goes_on(hub: Hub) -> None:
    """G3.4: it first asks the store, and another owner's viewers learn nothing from it."""
    clients = await started(hub)
    freeze(hub)
    counts = [len(frames(client)) for client in clients]
    hub.rooms.verify_ownership()
    freeze(hub, False)
    assert [len(frames(client)) for client in clients] == counts
    hub.store.heads[ROOM].token = "9:other:x"
    hub.pump()
    assert [len(frames(client)) for client in clients] == counts
    assert [client.wire.out[-1] for client in clients] == [4001] * 4


async def test_a_hub_that_still_owns_the_room_then_says_so(hub: Hub) -> None:
    clients = await started(hub)
    freeze(hub)
    hub.rooms.verify_ownership()
    freeze(hub, False)
    hub.pump()
    for client in clients:
        assert frames(client)[-1]["sections"]["windows"]["live"]
        check_dense(client)


async def test_only_a_running_game_is_stopped_by_the_store(hub: Hub) -> None:
    """A paused one stands still anyway; if it is resumed meanwhile, it is shown as stopped by the store."""
    clients = await started(hub)
    clients[0].command(m.Manage, act=m.Pause())
    await hub.settle()
    counts = [len(frames(client)) for client in clients]
    freeze(hub)
    assert [len(frames(client)) for client in clients] == counts
    clients[0].command(m.Manage, act=m.Resume())
    hub.pump()
    for client in clients:
        windows = frames(client)[-1]["sections"]["windows"]
        assert (windows["live"], windows["stopped_by"]) == (False, "store")


async def test_a_room_opened_meanwhile_shows_it(hub: Hub) -> None:
    await started(hub)
    freeze(hub)
    hub.rooms._actors.clear()
    client = hub.client(Seat(1))
    await client.open()
    (view,) = [message for message in client.messages() if message["t"] == "view"]
    assert view["sections"]["windows"]["stopped_by"] == "store"


async def test_many_tables_are_told_in_many_turns_of_the_event_loop(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """G8.4: commands at other tables are handled in between."""
    monkeypatch.setattr(clock_notice, "CLOCKS_PER_TURN", 5)
    for _ in range(15):
        placed = await hub.create(play_now=True)
        hub.room = placed.room
        await hub.client(Seat(0)).open()
    await hub.settle()
    hub.rooms.on_freeze(True)
    told = []
    while hub.clock._soon:
        before = hub.metrics.frames_out
        hub.clock._soon.popleft()()
        told.append(hub.metrics.frames_out - before)
    assert told == [5, 5, 5]


async def test_a_pause_counts_from_when_it_was_received(hub: Hub) -> None:
    """G5.1, G5.4: although the store was slow and later times have been shown. No window ends before it."""
    clients = await started(hub)
    begun = hub.actor.table_time()
    clients[1].command(m.Do, prompt="plan:1", move=PLAN)
    hub.clock.run_soon()  # this is on its way to the store
    let_time_pass(hub, 100)
    clients[0].command(m.Manage, act=m.Pause())
    let_time_pass(hub, 2000)
    clients[2].send(m.Ping(1))
    hub.pump()
    times = [message["now"] - begun for message in clients[2].messages() if "now" in message]
    assert max(times) == 2100
    assert times[-1] == hub.actor.table_time() - begun == 100


def let_time_pass(hub: Hub, milliseconds: int) -> None:
    """Runs what is due, without an answer from the store."""
    until = hub.clock.now_ms() + milliseconds
    while hub.clock.fire_next(until):
        hub.clock.run_soon()
