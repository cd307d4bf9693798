"""A hub that may have lost a room tells nobody anything about it until the store has answered (G3)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final

import pytest
import pytest_asyncio

from games import GAMES
from games.almost.rules.game import ALMOST
from games.api import Seat
from hub.runtime.ownership_check import MAX_WAITING
from hub.runtime.placement import Placed, Unavailable
from hub.runtime.presence import PRESENCE_SECONDS
from hub.runtime.registry import MAX_LATE_MS
from hub.runtime.verdicts import VERDICT_SECONDS
from hub.telemetry.tasks import Tasks
from hub.wire import messages as m
from tests.runtime.test_registry import Hub
from tests.runtime.test_stopped_clock import started
from tests.secrecy.in_process_hub import Client
from tests.secrecy.pair import ROOM

pytestmark = pytest.mark.asyncio

RULES: Any = ALMOST
OTHER: Final = "9:other:x"
TALK: Final = m.Say(0, 7, "watchers", text="anybody?")


@pytest_asyncio.fixture
async def hub() -> AsyncIterator[Hub]:
    async with Tasks() as tasks:
        yield Hub(GAMES, tasks)
        assert tasks.failures == 0


async def settled(hub: Hub) -> list[Client]:
    """The same as `started`, once everybody has been told who is connected."""
    clients = await started(hub)
    hub.advance(round(PRESENCE_SECONDS * 1000) + 1)
    for client in clients:
        client.heard()
    return clients


def find_again(hub: Hub) -> None:
    """The lease holds again, as after a heartbeat that was confirmed."""
    hub.lease.lost = False
    hub.rooms.verify_ownership()


class Answer:
    """Waits for the store to confirm that the hub owns the room."""

    def __init__(self) -> None:
        self.said = ""

    def answer(self, n: int, refusal: Any) -> None:
        self.said += "confirmed"

    def abandoned(self) -> None:
        self.said += "abandoned"


async def test_without_a_lease_nobody_is_told_who_is_connected(hub: Hub) -> None:
    """G3.7: it is told once the store has confirmed that the hub still owns the room."""
    clients = await settled(hub)
    hub.lease.lost = True
    clients[1].lose()
    hub.client(None).begin()
    hub.advance(round(PRESENCE_SECONDS * 1000) + 1)
    assert clients[0].heard() == []
    hub.lease.lost = False
    hub.rooms.verify_ownership()
    hub.clock.run_soon()
    assert clients[0].heard() == []
    assert hub.store.answer()
    await hub.settle()
    (frame,) = [message for message in clients[0].messages() if message["t"] == "frame"][-1:]
    assert frame["sections"]["presence"]["connected"] == [True, False, True]


async def test_no_later_time_is_shown_while_the_room_may_be_lost(hub: Hub) -> None:
    """G5.4: its other owner might take it back. Afterwards the time in between has passed, since a new owner
    would have let it pass, too (G5.5)."""
    for client in await settled(hub):
        client.lose()
    actor = hub.rooms._actors[ROOM]
    shown = actor.table_time()
    hub.rooms.verify_ownership()
    hub.clock.run_soon()
    hub.clock.move(2000)
    assert actor.read_seats_time() == actor.read_shown_time() == shown, "the store has not answered"
    assert hub.store.answer()
    await hub.settle()
    hub.advance(500)
    assert actor.read_seats_time() == actor.read_shown_time() == shown + 2500


async def test_a_lost_room_closes_its_sockets_and_says_nothing_else(hub: Hub) -> None:
    """G3.4, G3.7: whatever happens in the meantime: people go and come, and the clock stands still."""
    clients = await settled(hub)
    hub.lease.lost = True
    hub.store.heads[ROOM].token = OTHER
    clients[2].lose()
    hub.rooms.on_freeze(True)
    newcomer, watcher = hub.client(Seat(2)), hub.client(None)
    newcomer.begin()
    watcher.begin()
    for _ in range(3):
        await asyncio.sleep(0)
        hub.clock.run_soon()
    assert [client.heard() for client in clients] == [[]] * 4
    find_again(hub)
    hub.rooms.on_freeze(False)
    await hub.settle()
    assert [client.heard() for client in (*clients[:2], clients[3])] == [[4001]] * 3
    assert [client.heard() for client in (newcomer, watcher)] == [[4001]] * 2
    assert hub.rooms._actors == {}


async def test_a_taken_room_is_asked_for_alone(hub: Hub) -> None:
    """G3.7: the note that it was, or is about to be, taken names its token."""
    kept, lost = await hub.create(), await hub.create()
    commits = len(hub.store.commits)
    token = hub.rooms._actors[lost.room].token
    hub.store.heads[lost.room].token = OTHER
    hub.rooms.verify_taken({token, "1:hub0:another"})
    await hub.settle()
    assert list(hub.rooms._actors) == [kept.room]
    assert len(hub.store.commits) == commits


async def test_a_room_that_was_not_taken_goes_on(hub: Hub) -> None:
    """G3.7: whoever noted it was killed before taking it. What people have sent meanwhile counts."""
    clients = await settled(hub)
    hub.rooms.verify_taken({hub.actor.token})
    clients[1].command(m.Do, prompt="plan:1", move={"move": "propose", "bids": [1, 2, 3]})
    clients[2].lose()
    assert clients[0].heard() == []
    await hub.settle()
    sections: dict[str, Any] = {}
    for message in clients[0].messages():
        sections |= message.get("sections", {})
    assert [plan["bids"] for plan in sections["plans"]["plans"]] == [[1, 2, 3]]
    assert sections["presence"]["connected"] == [True, True, False]


async def test_an_older_commit_does_not_end_the_doubt(hub: Hub) -> None:
    """G3.7: the store may have confirmed it before the room was taken."""
    clients = await settled(hub)
    clients[0].command(m.Do, prompt="plan:1", move={"move": "propose", "bids": [1, 2, 3]})
    hub.clock.run_soon()
    hub.rooms.verify_ownership()
    clients[2].lose()
    assert hub.store.answer()
    assert hub.actor.in_doubt
    assert not any("presence" in message.get("sections", {}) for message in new_messages(clients[1]))
    hub.store.heads[ROOM].token = OTHER
    await hub.settle()
    assert clients[1].heard()[-1] == 4001


def new_messages(client: Client) -> list[dict[str, Any]]:
    before = client._read
    client.wire.out, out = client.wire.out[before:], client.wire.out
    try:
        return client.messages()
    finally:
        client.wire.out = out


async def test_watchers_do_not_talk_to_each_other_while_they_may_be_elsewhere(hub: Hub) -> None:
    """G3.7"""
    clients = await settled(hub)
    hub.rooms.verify_ownership()
    clients[3].send(TALK)
    (verdict,) = new_messages(clients[3])
    assert (verdict["t"], verdict["code"]) == ("verdict", "BUSY")
    await hub.settle()
    clients[3].heard()
    clients[3].send(TALK)
    assert [message["t"] for message in new_messages(clients[3])] == ["talk", "verdict"]


async def test_a_ticket_that_is_newer_than_what_the_hub_knows(hub: Hub) -> None:
    """G3.8: the hub has lost the room and does not know it yet: the client comes again."""
    await settled(hub)
    hub.store.heads[ROOM].token = OTHER
    newer = hub.client(Seat(1), seat_generation=2)
    await newer.open()
    assert newer.heard() == [4001]
    assert hub.metrics.tickets_refused == {}


async def test_a_stale_ticket_is_refused_by_the_owner(hub: Hub) -> None:
    """G3.8"""
    await settled(hub)
    stale = hub.client(Seat(1), seat_generation=2)
    stale.begin()
    await asyncio.sleep(0)
    hub.clock.run_soon()
    assert stale.heard() == []
    await hub.settle()
    assert stale.messages()[-1]["code"] == "BAD_TICKET"
    assert stale.heard()[-1] == 4003


async def test_a_ticket_refused_when_its_session_is_decided(hub: Hub) -> None:
    """G3.8: the seat changed hands in the commit before; then the room was lost."""
    clients = await settled(hub)
    clients[1].command(m.Manage, act=m.FreeSeat(1))
    late = hub.client(Seat(1))
    late.begin()
    await asyncio.sleep(0)
    hub.clock.run_soon()
    assert hub.store.answer()
    hub.store.heads[ROOM].token = OTHER
    await hub.settle()
    assert late.heard() == [4001]


@pytest.mark.parametrize("lost", [False, True])
async def test_nobody_is_placed_from_a_room_that_another_hub_may_own(hub: Hub, lost: bool) -> None:
    """G3.7: over HTTP, a ticket is made from the room's state; the next owner would refuse an older one."""
    await settled(hub)
    hub.lease.lost = True
    entering = asyncio.ensure_future(hub.rooms.enter(ROOM, hub.person(1)))
    await asyncio.sleep(0)
    assert not entering.done()
    if lost:
        hub.store.heads[ROOM].token = OTHER
        with pytest.raises(Unavailable, match="moved to another hub"):
            await hub.finish(entering)
    else:
        assert isinstance(await hub.finish(entering), Placed)


async def test_a_request_does_not_wait_for_the_store_for_ever(hub: Hub) -> None:
    """H8"""
    await settled(hub)
    hub.lease.lost = True
    entering = asyncio.ensure_future(hub.rooms.enter(ROOM, hub.person(1)))
    await asyncio.sleep(0)
    hub.clock.advance(VERDICT_SECONDS)
    with pytest.raises(Unavailable, match="does not answer"):
        await entering
    await hub.settle()


async def test_nobody_is_called_back_by_a_hub_that_may_have_lost_the_room(hub: Hub) -> None:
    """R27: the room's owner does that."""
    clients = await settled(hub)
    called: list[str] = []
    hub.actor._summons._summon = lambda person, code, name: called.append(person)
    hub.lease.lost = True
    clients[1].lose()
    hub.advance(20_000)
    assert called == []
    find_again(hub)
    await hub.settle()
    hub.advance(20_000)
    assert called == ["person 1"]


async def test_those_who_wait_are_answered_once_and_are_limited(hub: Hub) -> None:
    """G8.3: each exactly once, whether the room is kept or lost."""
    await settled(hub)
    answers = [Answer() for _ in range(MAX_WAITING + 1)]
    assert [hub.actor.confirm_ownership(answer) for answer in answers] == [True] * MAX_WAITING + [False]
    await hub.settle()
    assert [answer.said for answer in answers] == ["confirmed"] * MAX_WAITING + [""]
    before, after = Answer(), Answer()
    hub.actor.confirm_ownership(before)
    hub.clock.run_soon()  # its commit is in flight
    hub.actor.confirm_ownership(after)
    hub.actor.stop("fault")
    assert (before.said, after.said) == ("abandoned", "abandoned")


async def test_a_hub_that_stops_sends_those_who_wait_elsewhere(hub: Hub) -> None:
    """R8"""
    await settled(hub)
    hub.actor.halt()
    answer = Answer()
    assert hub.actor.confirm_ownership(answer)
    assert answer.said == "abandoned"
    await hub.settle()


@pytest.mark.parametrize(("late", "commits"), [(MAX_LATE_MS, 0), (MAX_LATE_MS + 1, 1)])
async def test_the_store_learns_that_table_time_began_late(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, late: int, commits: int
) -> None:
    """G5.5: what passes between a claim and the beginning is not lost again at the next takeover."""
    await settled(hub)
    read_log = hub.store.log

    async def read_slowly(room: str) -> list[bytes]:
        hub.clock.move(late)
        return await read_log(room)

    monkeypatch.setattr(hub.store, "log", read_slowly)
    hub.rooms._actors.clear()
    before = hub.store.heads[ROOM].seq
    await hub.finish(hub.rooms.find(ROOM))
    head, actor = hub.store.heads[ROOM], hub.actor
    assert head.seq - before == commits
    assert actor.table_time() - head.at == hub.clock.now_ms() - head.live - (late if not commits else 0)
