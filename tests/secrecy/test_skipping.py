"""Skipping to the end, as sockets see it: who may, two at once, another hub goes on, the record (R25)."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any, Final

import msgspec
import pytest

from games import GAMES
from games.api import Millis, Seat
from games.kit.characters import unnamed
from games.sucker.rules.game import SUCKER
from hub.runtime.batch import NO_RESPONDER
from hub.table import actions, seating
from hub.table.commands import Sit
from hub.table.records import Verified, verify
from hub.table.room import Change
from hub.telemetry.tasks import Tasks
from hub.wire import messages as m
from tests.secrecy.in_process_hub import Client, InProcessHub
from tests.secrecy.pair import CODE, ROOM, SEED

ASYNC = pytest.mark.asyncio
FIRST_OUT: Final = 3
NEXT_OUT: Final = 2
STAYS: Final = 1
"""What becomes of these seats in the one game that all tests here play, until they skip."""


@pytest.fixture(autouse=True)
def same_random_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that play in silence as substitutes (`wait`) play the same game every time, whoever sits where."""
    monkeypatch.setattr("hub.runtime.bots.actions.choose_level", lambda levels: levels[0])
    drawing = random.Random
    monkeypatch.setattr("hub.runtime.actor.random.Random", lambda: drawing(5))
    monkeypatch.setattr("hub.runtime.bots.secrets.token_bytes", lambda size: b"c" * size)


async def play(hub: InProcessHub, *people: int, **options: Any) -> list[Client]:
    """A game of So Long Sucker; bots play for these people, too, until the first one of all is out."""
    chosen = msgspec.convert({"timers": "off", **options}, SUCKER.Options)
    room = actions.create(SUCKER, ROOM, CODE, 4, chosen, SEED, name_keys=[bytes(16)] * 4, open=False)
    for seat in range(4):
        change = (
            seating.sit(room, f"person {seat}", f"Name {seat}", seat, seat, Millis(0))
            if seat in people
            else seating.add_bot(room, seat, "easy", GAMES["sucker"].bot.levels, Millis(0))
        )
        assert isinstance(change, Change)
        room = change.room
    await hub.put(room)
    clients = [hub.client(Seat(seat)) for seat in people]
    for client in clients:
        await client.open()
    clients[people.index(min(people))].command(m.Manage, act=m.Start())
    await hub.settle()
    for client in clients:
        client.command(m.Manage, act=m.StandIn())
    await wait(hub, FIRST_OUT)
    return clients


async def wait(hub: InProcessHub, seat: int) -> None:
    """Lets the bots play until this seat is out.

    Meanwhile each plays as a substitute does, and says nothing: characters play differently, and talk.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hub.runtime.bots.find_character", lambda _, level: unnamed(level))
        patch.setattr("hub.runtime.bots.may_answer", lambda *_: False)
        while hub.state.stage.alive[seat]:
            hub.advance(500)
            await hub.settle()
            assert hub.state.stage.phase != "end"


async def skip(hub: InProcessHub, clients: Iterable[Client]) -> list[str | None]:
    """They skip to the end at the same moment; the codes of the verdicts."""
    for client in clients:
        client.command(m.Manage, act=m.SkipToEnd())
    hub.pump()
    return [read(client, "verdict")[-1].get("code") for client in clients]


def read(client: Client, kind: str) -> list[dict[str, Any]]:
    return [message for message in client.messages() if message["t"] == kind]


def view(client: Client) -> dict[str, Any]:
    sections: dict[str, Any] = {}
    for message in client.messages():
        sections |= message.get("sections", {})
    return {name: section for name, section in sections.items() if section is not None}


@ASYNC
async def test_the_bots_finish_without_waiting(tasks: Tasks) -> None:
    """R25, V1: no time passes until the result is shown, and the record verifies."""
    hub = InProcessHub(GAMES, tasks)
    (ann,) = await play(hub, FIRST_OUT)
    watcher = hub.client(None)
    await watcher.open()
    assert view(watcher)["out_seats"] == {"seats": [FIRST_OUT]}
    before = hub.clock.now_ms()
    assert await skip(hub, [ann]) == [None]
    hub.advance(0)
    await hub.settle()
    assert hub.clock.now_ms() == before
    for client in (ann, watcher):
        shown = view(client)
        assert shown["table"]["status"] == "finished"
        assert not shown["table"]["abandoned"]
        assert "out_seats" not in shown
        assert shown["result"]["outcome"]["winners"]
        lines = [line[1] for message in read(client, "frame") for line in message.get("lines", ())]
        assert lines.count("table.skipped") == 1
    record = await hub.finish(hub.rooms.record(hub.room, None))
    assert isinstance(record, bytes)
    assert isinstance(verify(record, GAMES), Verified)


@ASYNC
async def test_another_hub_goes_on_without_waiting(tasks: Tasks) -> None:
    """R25: skipping is committed with the table."""
    hub = InProcessHub(GAMES, tasks)
    (ann,) = await play(hub, FIRST_OUT)
    number = hub.state.stage.number
    assert await skip(hub, [ann]) == [None]
    while hub.state.stage.number < number + 3:
        assert hub.clock.fire_next(hub.clock.now_ms())
        hub.pump()
    await hub.restart()
    assert hub.actor.room.table.skipping
    before = hub.clock.now_ms()
    await ann.open()
    hub.advance(0)
    await hub.settle()
    assert (hub.state.stage.phase, hub.clock.now_ms()) == ("end", before)


@ASYNC
async def test_who_may_not_skip(tasks: Tasks) -> None:
    """R25: nobody still in the game, and nobody while another person is, even if a bot plays for them."""
    hub = InProcessHub(GAMES, tasks)
    ann, bea = await play(hub, FIRST_OUT, STAYS)
    watcher = hub.client(None)
    await watcher.open()
    assert await skip(hub, [ann, bea, watcher]) == ["OTHERS_PLAY", "NOT_OUT", "NOT_SEATED"]
    assert not hub.actor.room.table.skipping
    number = hub.state.stage.number
    hub.advance(0)
    assert hub.state.stage.number == number, "the bots still take their time"
    bea.command(m.Manage, act=m.FreeSeat(seat=STAYS))
    await hub.settle()
    ann.command(m.Manage, act=m.Pause())
    assert await skip(hub, [ann]) == ["NOT_NOW"]
    ann.command(m.Manage, act=m.Resume())
    assert await skip(hub, [ann]) == [None]


@ASYNC
async def test_two_skip_at_once(tasks: Tasks) -> None:
    """R25: both are out, and the log says it once."""
    hub = InProcessHub(GAMES, tasks)
    ann, bea = await play(hub, FIRST_OUT, NEXT_OUT)
    assert await skip(hub, [bea, ann]) == ["NOT_OUT", "OTHERS_PLAY"]
    await wait(hub, NEXT_OUT)
    assert await skip(hub, [ann, bea]) == [None, None]
    hub.advance(0)
    await hub.settle()
    lines = [line[1] for message in read(ann, "frame") for line in message.get("lines", ())]
    assert lines.count("table.skipped") == 1
    assert hub.state.stage.phase == "end"


@ASYNC
async def test_it_ends_with_the_round(tasks: Tasks) -> None:
    """R25: the next round asks everybody, and its bots take their time."""
    hub = InProcessHub(GAMES, tasks)
    (ann,) = await play(hub, FIRST_OUT, rounds=2)
    ann.command(m.Manage, act=m.TakeBack())
    assert await skip(hub, [ann]) == [None]
    hub.advance(0)
    await hub.settle()
    assert hub.state.stage.phase == "review"
    shown = view(ann)
    assert (shown["table"]["status"], shown["table"]["skipping"]) == ("running", False)
    assert "continue:1" in {p["id"] for p in shown["prompts"]["prompts"] if FIRST_OUT in p["seats"]}


@ASYNC
async def test_it_ends_when_somebody_takes_over_a_bots_seat(tasks: Tasks) -> None:
    """R25, R16"""
    hub = InProcessHub(GAMES, tasks)
    (ann,) = await play(hub, FIRST_OUT)
    assert await skip(hub, [ann]) == [None]
    hub.actor.perform(Sit("dan", "Dan", 5, STAYS, bytes(16)), NO_RESPONDER)
    hub.pump()
    assert hub.actor.room.table.seats[STAYS].person == "dan"
    assert not hub.actor.room.table.skipping
    assert await skip(hub, [ann]) == ["OTHERS_PLAY"]
