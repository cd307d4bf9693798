"""A host without a seat is sent what watchers are sent and the host's lists, byte for byte (R26, G4).

So whatever is kept from watchers is kept from them, too. Two tables in lockstep try that as well.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
import pytest
from msgspec.structs import replace

from games import GAMES
from games.almost.rules.game import ALMOST
from games.api import Seat
from hub.runtime.subscribers import Subscribers
from hub.table.room import Room
from hub.table.views import HOST_SECTIONS, Views
from hub.telemetry.tasks import Tasks
from hub.wire import messages as m
from hub.wire.tickets import Ticket
from tests.secrecy.in_process_hub import NOW, Client, InProcessHub, read
from tests.secrecy.pair import CODE, Leak, Pair, new_table, registry

ASYNC = pytest.mark.asyncio
HOST: Final = "person 99"
"""Whoever comes without a seat in these tests (tests/secrecy/in_process_hub.py)."""
SEATS: Final = 4
pack: Final = msgspec.msgpack.Encoder(order="deterministic").encode


def hosted(game: Any = ALMOST, **options: Any) -> Room:
    """A waiting table that somebody hosts without a seat."""
    room = new_table(game, SEATS, options)
    return replace(room, table=replace(room.table, open=False, host=HOST, host_name="Tess"))


def received(client: Client) -> list[bytes]:
    """What a client was sent since the last call, without what tells the host's lists and their frames."""
    messages = [message for data in client.heard() if isinstance(data, bytes) for message in read(data)]
    kept: list[bytes] = []
    for message in messages:
        if message["t"] == "verdict":
            continue
        if message["t"] in ("frame", "view"):
            del message["n"]
            sections = message.pop("sections", {})
            others = {name: data for name, data in sections.items() if name not in HOST_SECTIONS}
            if not others and not message.get("lines") and message["t"] == "frame":
                continue
            message["sections"] = others
        if message["t"] == "welcome":
            del message["session"]
        kept.append(pack(message))
    return kept


class Evening:
    """One table with a host without a seat, a watcher, and somebody in every seat."""

    def __init__(self, key: str, tasks: Tasks) -> None:
        self.game = GAMES[key].game
        self.hub = InProcessHub(registry(self.game), tasks)
        self.seats: list[Client] = []
        self.compared = 0

    async def begin(self) -> None:
        await self.hub.put(hosted(self.game))
        self.host, self.watcher = self.hub.client(None), self.somebody(8)
        for client in (self.host, self.watcher):
            await client.open()
        assert self.host.session is not None
        assert self.watcher.session is None
        self.seats = [self.hub.client(Seat(seat)) for seat in range(SEATS)]
        for client in (self.host, self.watcher):
            client.heard()
        for seat in self.seats:
            await seat.open()
        await self.check()

    def somebody(self, number: int) -> Client:
        """A client of a person without a seat."""
        who = self.hub.person(number)
        ticket = Ticket(self.hub.room, None, who.id, who.name, who.colour, 0, NOW)
        return Client(self.hub, self.hub.signer.ticket(ticket), None)

    async def check(self) -> None:
        await self.hub.settle()
        one, other = received(self.host), received(self.watcher)
        self.compared += len(other)
        if one != other:
            raise Leak(f"{one} / {other}")

    async def check_whole_views(self) -> None:
        """Compares what both are sent when they come."""
        fresh = self.hub.client(None), self.somebody(8)
        for client in fresh:
            await client.open()
        one, other = map(received, fresh)
        assert one
        if one != other:
            raise Leak(f"{one} / {other}")

    async def play(self, seconds: int) -> None:
        """Bots play for everybody, who whisper and write notes meanwhile."""
        self.host.command(m.Manage, act=m.Start())
        await self.check()
        for i, seat in enumerate(self.seats):
            seat.command(m.Note, text=f"note {i}")
            seat.command(m.Say, channel="table", text=f"whisper {i}", to=(i + 1) % SEATS)
            seat.command(m.Say, channel="table", text=f"said {i}")
            seat.command(m.Manage, act=m.StandIn())
        await self.check()
        for second in range(seconds):
            self.hub.advance(1000)
            await self.check()
            if second == seconds // 2:
                await self.hub.finish(self.hub.rooms.ask(CODE, self.hub.person(7), None))
                self.host.command(m.Manage, act=m.Pause())
                await self.check()
                await self.check_whole_views()
                self.host.command(m.Manage, act=m.Resume())
        await self.check_whole_views()


@pytest.mark.parametrize("key", GAMES)
@ASYNC
async def test_a_host_without_a_seat_sees_what_watchers_see(key: str, tasks: Tasks) -> None:
    """R26, G4.3: every frame, line and message, and whole views."""
    evening = Evening(key, tasks)
    await evening.begin()
    await evening.play(40)
    assert evening.compared > 20
    told = {name for message in evening.host.messages() for name in message.get("sections", {})}
    assert {"knocks", "watchers"} <= told


@ASYNC
async def test_secrets_change_nothing_for_a_host_without_a_seat(tasks: Tasks) -> None:
    """G4.1: two tables where people draft and whisper differently."""
    pair = await play_and_look_again(tasks)
    for hub in pair.hubs:
        assert hub.actor.room.table.status == "running"


async def play_and_look_again(tasks: Tasks) -> Pair:
    pair = await play_differently(tasks)
    pair.eyes.append(await pair.connect(None))
    await pair.check()
    return pair


async def play_differently(tasks: Tasks) -> Pair:
    pair = Pair(ALMOST, None, tasks)
    table = hosted(discussion="none", talkWhileBidding=True, whispers=True, timers="off")
    await pair.sit(table, table)
    for client in pair.eyes[0]:
        assert client.session is not None
        client.command(m.Manage, act=m.Start())
    await pair.check()
    pair.hide(1, m.Do(0, 0, "bid:1", {"move": "bid", "number": 3}), None)
    await pair.check()
    pair.hide(2, m.Say(0, 0, "table", "a secret", None, 3), m.Note(0, 0, "a note"))
    await pair.check()
    return pair


@ASYNC
async def test_leaks_to_a_host_without_a_seat_are_found(
    tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted: a seat's sections in the whole view, and a whisper."""
    sections, say = Views.list_host_sections, Subscribers.say

    def with_a_seat(self: Any) -> list[bytes]:
        return [*sections(self), *self.list_sections(Seat(1))]

    def to_the_host(self: Any, message: m.TalkMessage) -> None:
        say(self, message if message.to is None else replace(message, to=None))

    for target, name, planted in (
        (Views, "list_host_sections", with_a_seat),
        (Subscribers, "say", to_the_host),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(target, name, planted)
            with pytest.raises(Leak):
                await play_and_look_again(tasks)


@ASYNC
async def test_a_former_host_loses_the_lists(tasks: Tasks) -> None:
    """G4.13, R26: nothing more is sent to whoever is not host any more; a socket left open would show it."""
    evening = Evening("almost", tasks)
    await evening.begin()
    evening.host.command(m.Manage, act=m.HandOver(seat=0))
    await evening.hub.settle()
    assert evening.host.heard()[-1] == 4003
    evening.host.wire.closed = False  # from now on it records whatever is sent to it
    await evening.hub.finish(evening.hub.rooms.ask(CODE, evening.hub.person(7), None))
    evening.seats[1].command(m.Manage, act=m.Ready(True))
    evening.hub.advance(1000)
    await evening.hub.settle()
    assert any("knocks" in message.get("sections", {}) for message in evening.seats[0].messages())
    assert not any("knocks" in message.get("sections", {}) for message in evening.watcher.messages())
    assert evening.host.heard() == []
