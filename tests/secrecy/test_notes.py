"""Notes stay with their writer (G4.6), talk stays with those who heard it, and logs contain neither (L1)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import structlog

from games.almost.rules.game import ALMOST
from games.api import Millis, Seat
from hub.runtime.batch import NO_RESPONDER
from hub.runtime.subscribers import RECENT
from hub.table.commands import Sit
from hub.table.salt_exchange import hash_salt
from hub.telemetry.tasks import Tasks
from hub.wire import messages as m
from hub.wire.limits import Budget, TalkLimits
from hub.wire.tickets import Person, Ticket
from tests.secrecy import in_process_hub
from tests.secrecy.in_process_hub import NOW, Client, InProcessHub
from tests.secrecy.pair import new_table, registry

ASYNC = pytest.mark.asyncio
SECRET = "the treasure is under the oak"
SALT = "5a17" * 16


@pytest.fixture(autouse=True)
def _talk_without_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_process_hub, "TALK_LIMITS", TalkLimits(*[Budget(1000, 1000)] * 4))


async def seated(tasks: Tasks, **options: Any) -> tuple[InProcessHub, list[Client]]:
    hub = InProcessHub(registry(ALMOST), tasks)
    await hub.put(new_table(ALMOST, 3, options))
    clients = [hub.client(Seat(seat)) for seat in range(3)]
    for client in clients:
        await client.open()
    return hub, clients


def everything(client: Client) -> str:
    return repr(client.messages())


async def newcomer(hub: InProcessHub, seat: int) -> Client:
    """Seats a new person, and returns their client."""
    person = Person("newcomer", "Newcomer", 7, 0)
    seat_generation = hub.actor.room.table.seats[seat].seat_generation + 1
    hub.actor.perform(Sit(person.id, person.name, 7, seat), NO_RESPONDER)
    await hub.settle()
    ticket = Ticket(hub.room, seat, person.id, person.name, 7, seat_generation, NOW)
    client = Client(hub, hub.signer.ticket(ticket), Seat(seat))
    await client.open()
    assert client.session is not None
    return client


@pytest.mark.parametrize("restarted", [False, True])
@ASYNC
async def test_the_next_person_in_a_seat_does_not_see_its_old_notes(restarted: bool, tasks: Tasks) -> None:
    """G4.6: a seat's notes are deleted when its person leaves, from the store too."""
    hub, clients = await seated(tasks)
    clients[1].command(m.Note, text=SECRET)
    clients[1].command(m.Manage, act=m.FreeSeat(seat=1))
    await hub.settle()
    if restarted:
        await hub.restart()
    assert SECRET not in everything(await newcomer(hub, 1))


@ASYNC
async def test_notes_follow_a_person_to_another_seat(tasks: Tasks) -> None:
    """G4.6, R1: a person who changes seats takes their notes with them; talk from the old seat is ignored."""
    hub, clients = await seated(tasks)
    clients[2].command(m.Manage, act=m.FreeSeat(seat=2))
    clients[1].command(m.Note, text=SECRET)
    await hub.settle()
    who = hub.person(1)
    hub.actor.perform(Sit(who.id, who.name, 1, 2), NO_RESPONDER)
    clients[1].command(m.Say, channel="table", text="from the old seat")
    await hub.settle()
    assert clients[1].wire.out[-1] == 4010
    assert SECRET not in everything(await newcomer(hub, 1))
    moved = hub.client(Seat(2), seat_generation=hub.actor.room.table.seats[2].seat_generation)
    moved.ticket = hub.signer.ticket(
        Ticket(hub.room, 2, who.id, who.name, 1, hub.actor.room.table.seats[2].seat_generation, NOW)
    )
    await moved.open()
    assert SECRET in everything(moved)
    assert "from the old seat" not in everything(moved)


@ASYNC
async def test_notes_follow_their_writers_when_seats_are_swapped(tasks: Tasks) -> None:
    """G4.6: after a swap, each has their own notes; the old sockets are never sent the other's."""
    hub, clients = await seated(tasks)
    for seat in (1, 2):
        clients[seat].command(m.Note, text=f"{SECRET} {seat}")
    await hub.settle()
    late = hub.client(Seat(1))
    late.begin()
    await asyncio.sleep(0)
    clients[0].command(m.Manage, act=m.SwapSeats(a=1, b=2))
    await hub.settle()
    for left, other in ((clients[1], 2), (late, 2), (clients[2], 1)):
        assert left.wire.out[-1] == 4010
        assert "table.swapped" not in everything(left)
        assert f"{SECRET} {other}" not in everything(left)
    for seat, other in ((1, 2), (2, 1)):
        who = hub.person(other)
        seat_generation = hub.actor.room.table.seats[seat].seat_generation
        ticket = hub.signer.ticket(Ticket(hub.room, seat, who.id, who.name, other, seat_generation, NOW))
        client = Client(hub, ticket, Seat(seat))
        await client.open()
        assert f"{SECRET} {other}" in everything(client)
        assert f"{SECRET} {seat}" not in everything(client)


@ASYNC
async def test_no_secret_appears_in_the_log_or_the_metrics(tasks: Tasks) -> None:
    """L1, M1: no secret gets into the log or the metrics, whatever goes wrong."""
    with structlog.testing.capture_logs() as logs:
        hub, clients = await seated(tasks, discussion="none")
        watcher = hub.client(None)
        await watcher.open()
        clients[1].command(m.Note, text=SECRET)
        clients[1].command(m.Say, channel="table", text=SECRET)
        clients[2].command(m.Manage, act=m.CommitSalt(hash_salt(SALT)))
        clients[0].command(m.Manage, act=m.Start())
        await hub.settle()
        clients[2].command(m.Manage, act=m.RevealSalt(SALT, hash_salt(SALT)))
        await hub.settle()
        assert hub.actor.room.table.salts[2] == SALT
        clients[2].command(m.Do, prompt=SECRET, move={"move": "bid", "number": 7, SECRET: SECRET})
        watcher.command(m.Say, channel="watchers", text=SECRET)
        clients[1].wire.hear(SECRET.encode())
        await hub.settle()
        hub.advance(200_000)
        await hub.restart()
        figures = hub.metrics.text().decode()
    text = repr(logs)
    for secret in (
        SECRET,
        SALT,
        hash_salt(SALT),
        "Name 1",
        "person 1",
        *[client.ticket for client in clients],
    ):
        assert secret not in text
        assert secret not in figures
    assert hub.room not in figures


@ASYNC
async def test_whispers_do_not_displace_public_talk(tasks: Tasks) -> None:
    """G4.6: however many whispers there were, public talk is still shown after a takeover."""
    hub, clients = await seated(tasks, whispers=True)
    clients[0].command(m.Manage, act=m.Start())
    clients[0].command(m.Say, channel="table", text="heard by all")
    for turn in range(300):
        clients[1].command(m.Say, channel="table", text=f"{SECRET} {turn}", to=2)
        hub.pump()
    await hub.settle()
    await hub.restart()
    for seat, heard in ((Seat(0), 1), (Seat(2), RECENT), (None, 1)):
        client = hub.client(seat)
        await client.open()
        talk = client.messages()[1]["talk"]
        assert len(talk) == heard
        assert (SECRET in repr(talk)) == (seat == Seat(2))
        assert (talk[0].get("text") == "heard by all") == (seat != Seat(2))


@ASYNC
async def test_a_whole_view_is_bounded(tasks: Tasks) -> None:
    """G8.8: however much was said, a view is at most 16 KB, and contains the latest talk."""
    hub, clients = await seated(tasks)
    for turn in range(90):
        clients[turn % 3].command(m.Say, channel="table", text=f"{turn} " + "🐙" * 480)
        clients[0].command(m.Manage, act=m.Lock(locked=turn % 2 == 0))
        hub.pump()
    clients[2].command(m.Note, text="é" * 2048)
    await hub.settle()
    with structlog.testing.capture_logs() as logs:
        for seat in (*map(Seat, range(3)), None):
            client = hub.client(seat)
            await client.open()
            welcome = client.wire.out[0]
            assert isinstance(welcome, bytes)
            assert len(welcome) < m.MAX_VIEW + 200
            view = client.messages()[1]
            assert view["talk"][-1]["text"].startswith("89 ")
            assert view["lines"][-1][1] == "table.unlocked"
    assert logs == []
    assert Millis(hub.actor.table_time()) == 0
