"""One seat's flood hurts only that seat (G8); the test steps the hub, so every run is the same."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
import structlog
from msgspec.structs import replace

from games.almost.rules.game import ALMOST, Almost
from games.api import Seat
from hub.net.connection import Connection
from hub.telemetry.tasks import Tasks
from hub.wire import codec
from hub.wire import messages as m
from tests.secrecy.in_process_hub import Client, HandWire, InProcessHub, read
from tests.secrecy.pair import new_table, registry

ASYNC = pytest.mark.asyncio


async def seated(tasks: Tasks, game: Any = ALMOST) -> tuple[InProcessHub, list[Client]]:
    hub = InProcessHub(registry(game), tasks)
    await hub.put(new_table(game, 3, {"discussion": "none"}))
    clients = [hub.client(Seat(seat)) for seat in range(3)]
    for client in clients:
        await client.open()
    return hub, clients


def codes(client: Client) -> Counter[str | None]:
    return Counter(message.get("code") for message in client.messages() if message["t"] == "verdict")


@ASYNC
async def test_a_full_mailbox_refuses_only_its_seat() -> None:
    """G8.3: the number of a seat's waiting commands is limited; other seats are not refused because of it."""
    async with Tasks() as tasks:
        hub, clients = await seated(tasks)
        tabs = [clients[2], hub.client(Seat(2)), hub.client(Seat(2))]
        for tab in tabs[1:]:
            await tab.open()
        for turn in range(100):
            tabs[turn % 3].command(m.Note, text=f"spam {turn}")
        clients[0].command(m.Say, channel="table", text="well, well")
        await hub.settle()
        codes_seen = sum(map(codes, tabs), Counter[str | None]())
        assert set(codes_seen) == {None, "BUSY"}
        assert codes_seen[None] == 32
        assert codes(clients[0]) == {None: 1}
        for tab in tabs:
            tab.command(m.Say, channel="table", text="again")
        await hub.settle()
        assert sum(map(codes, tabs), Counter[str | None]())[None] == 35


@ASYNC
async def test_a_hundred_tabs_of_one_seat_keep_nobody_out() -> None:
    """G8.3: a hundred connections with one ticket do not keep anybody else out."""
    async with Tasks() as tasks:
        hub, clients = await seated(tasks)
        wires = []
        for client in [clients[2]] * 100 + [clients[0]]:
            wire = HandWire(hub.clock)
            wire.listener = Connection(wire, hub.connection_context, hub.room)
            wire.hear(codec.encode(m.Hello(client.ticket)))
            wires.append(wire)
        await hub.settle()
        came = Counter(kinds(wire)[0] for wire in wires)
        assert came == {"welcome": 33, "error": 68}
        assert kinds(wires[-1])[0] == "welcome"
        assert all(wire.out[-1] == 1013 for wire in wires if kinds(wire)[0] == "error")


def kinds(wire: HandWire) -> list[str]:
    return [message["t"] for data in wire.out if isinstance(data, bytes) for message in read(data)]


class Faulty(Almost):
    """Rules that fail when asked for a preview."""

    def preview(self, state: Any, seat: Any, move: Any) -> Any:
        raise KeyError("7")


@ASYNC
async def test_a_failing_preview_is_refused_and_logged() -> None:
    """G8.7: one refusal, a line in the log that does not quote the move, and the socket stays open."""
    async with Tasks() as tasks:
        hub, clients = await seated(tasks, Faulty())
        clients[0].command(m.Manage, act=m.Start())
        await hub.settle()
        with structlog.testing.capture_logs() as logs:
            clients[1].send(m.Preview(0, "bid:1", {"move": "bid", "number": 7}))
            clients[1].send(m.Ping(1))
            await hub.settle()
        assert [message.get("code") for message in clients[1].messages()[-2:]] == ["BROKEN", None]
        assert [line["log_level"] for line in logs] == ["error"]
        assert hub.metrics.refused["BROKEN"] == 1


@ASYNC
async def test_bad_frames_are_limited_like_messages() -> None:
    """G8.2: all are answered if they come slowly; too many in a short time close the socket."""
    async with Tasks() as tasks:
        hub, clients = await seated(tasks)
        hub.connection_context = replace(hub.connection_context, rate=25, burst=50)
        slow, fast = hub.client(Seat(1)), hub.client(Seat(2))
        await slow.open()
        await fast.open()
        for _ in range(300):
            hub.advance(50)
            slow.wire.hear(b"\x80")
        assert not slow.wire.closed
        assert kinds(slow.wire).count("error") == 300
        for _ in range(200):
            fast.wire.hear(b"\x80")
        assert fast.wire.out[-1] == 4008
        assert kinds(fast.wire).count("error") <= 102
        assert clients
