"""What a latecomer is sent does not depend on what was for the seat's earlier holder alone (G4.12)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import asdict

from games.almost.rules.game import ALMOST
from games.api import Seat
from games.kit.promises import audience
from hub.runtime.batch import NO_RESPONDER
from hub.runtime.subscribers import Subscribers
from hub.table.commands import Sit
from hub.telemetry.tasks import Tasks
from hub.wire import messages as m
from hub.wire.limits import Budget, TalkLimits
from hub.wire.tickets import Ticket
from tests.secrecy import in_process_hub
from tests.secrecy.in_process_hub import NOW, Client, InProcessHub, read
from tests.secrecy.pair import Leak, Pair, new_table

ASYNC = pytest.mark.asyncio
LEFT = Seat(1)


@pytest.fixture(autouse=True)
def _talk_without_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_process_hub, "TALK_LIMITS", TalkLimits(*[Budget(1000, 1000)] * 4))


async def begin(tasks: Tasks) -> Pair:
    """Two running tables that take latecomers."""
    pair = Pair(ALMOST, None, tasks)
    options: dict[str, Any] = {"whispers": True, "discussion": "untilReady", "timers": "off"}
    await pair.sit(new_table(ALMOST, 3, options), new_table(ALMOST, 3, options))
    pair.do(0, m.Manage, act=m.TakeLatecomers(on=True))
    pair.do(0, m.Manage, act=m.Start())
    await pair.check()
    return pair


async def keep_secrets(pair: Pair, count: int) -> None:
    """The first holder of the seat writes, whispers and is whispered to at one table, a number of times."""
    for number in range(count):
        pair.hide(LEFT, m.Note(0, 0, f"secret {number}"), None)
        pair.hide(LEFT, m.Say(0, 0, "table", f"secret {number}", None, 2), None)
        pair.hide(2, m.Say(0, 0, "table", f"secret answer {number}", None, LEFT), None)
        pair.hide(LEFT, _promise_in_private(number, 2), None)
        pair.hide(2, _promise_in_private(number, LEFT), None)
        pair.do(0, m.Say, channel="table", text=f"public {number}")
        await pair.check()


def _promise_in_private(number: int, to: int) -> m.MakePromise:
    terms: dict[str, int | str] = {"number": 1 + number % 10, "round": 1}
    return m.MakePromise(0, 0, "bid", terms, (Seat(to),), private=True, told=False)


async def come(hub: InProcessHub) -> Client:
    seat = hub.actor.room.table.seats[LEFT]
    hub.actor.perform(Sit("late", "Dan", 7, LEFT, b"k" * 16), NO_RESPONDER)
    await hub.settle()
    ticket = Ticket(hub.room, LEFT, "late", "Dan", 7, seat.seat_generation + 1, NOW)
    return Client(hub, hub.signer.ticket(ticket), LEFT)


async def leave_and_come(pair: Pair, *, restarted: bool) -> tuple[Client, Client]:
    pair.do(LEFT, m.Manage, act=m.FreeSeat(seat=LEFT))
    await pair.check()
    one, other = [await come(hub) for hub in pair.hubs]
    if restarted:
        for hub in pair.hubs:
            await hub.restart()
    for client in (one, other):
        await client.open()
    pair.same("what a latecomer sees", one.heard(), other.heard())
    return one, other


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("secrets", [3, 50])
@ASYNC
async def test_a_latecomer_sees_nothing_of_before(restarted: bool, secrets: int, tasks: Tasks) -> None:
    """G4.12: in the first view and after it, even after a restart, however much there was."""
    pair = await begin(tasks)
    await keep_secrets(pair, secrets)
    one, other = await leave_and_come(pair, restarted=restarted)
    (view,) = [message for message in one.messages() if message["t"] == "view"]
    assert "secret" not in repr(view)
    assert view["sections"]["note"] == {"text": ""}
    assert [talk["text"] for talk in view["talk"]][-1:] == [f"public {secrets - 1}"]
    assert view["lines"][-1][1] == "table.took_over"
    await go_on(pair, one, other)


async def go_on(pair: Pair, one: Client, other: Client) -> None:
    """The latecomer whispers and promises, and the round is played."""
    for client in (one, other):
        client.command(m.Say, channel="table", text="to Cy", to=2)
        for number in range(4):
            promise = asdict(_promise_in_private(number, 2))
            client.command(m.MakePromise, **{k: v for k, v in promise.items() if k not in ("session", "n")})
    for hub in pair.hubs:
        await hub.settle()
    pair.same("what comes next", one.heard(), other.heard())
    assert "to Cy" in repr(one.messages())
    await reveal(pair, (one, other))
    pair.same("what became of promises", one.heard(), other.heard())
    assert "promise.kept" in repr(one.messages())


async def reveal(pair: Pair, late: tuple[Client, Client]) -> None:
    """Everybody bids, and the promises about the round are judged."""
    for seat in (0, 2):
        for client in pair.clients[seat]:
            client.wire.closed = True
            client.heard()
            await client.open()
    for kind, fields in (("ready", {}), ("lock", {"number": 1})):
        prompt = {"ready": "ready:1", "lock": "bid:1"}[kind]
        for seat in (0, 2):
            pair.do(seat, m.Do, prompt=prompt, move={"move": kind, **fields})
        for client in late:
            client.command(m.Do, prompt=prompt, move={"move": kind, **fields})
        for hub in pair.hubs:
            await hub.settle()


@pytest.mark.parametrize("restarted", [False, True])
@ASYNC
async def test_a_leak_to_a_latecomer_is_found(
    restarted: bool, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted: the past is not hidden when the seat is taken over, or after a restart."""
    if restarted:
        remember = Subscribers._remember
        monkeypatch.setattr(Subscribers, "_remember", lambda self, message, _=None: remember(self, message))
    else:
        monkeypatch.setattr(Subscribers, "hide_past", lambda self, latecomers: None)
    pair = await begin(tasks)
    await keep_secrets(pair, 1)
    with pytest.raises(Leak):
        await leave_and_come(pair, restarted=restarted)


@pytest.mark.parametrize("lines_only", [True, False])
@ASYNC
async def test_a_leak_of_promises_to_a_latecomer_is_found(
    lines_only: bool, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted: private promises belong to seats, not to the people who held them."""
    if lines_only:
        monkeypatch.setattr("hub.table.room.find_audience", lambda room, promise: audience(promise))
    else:
        monkeypatch.setattr("hub.table.promises.has_changed_hands", lambda room, promise, seat: False)
    pair = await begin(tasks)
    await keep_secrets(pair, 3)
    with pytest.raises(Leak):
        await go_on(pair, *await leave_and_come(pair, restarted=False))


@ASYNC
async def test_others_keep_what_they_heard(tasks: Tasks) -> None:
    """The other side of a whisper keeps it."""
    pair = await begin(tasks)
    await keep_secrets(pair, 1)
    await leave_and_come(pair, restarted=True)
    third = pair.hubs[0].client(Seat(2))
    await third.open()
    assert "secret answer 0" in repr([read(data) for data in third.wire.out if isinstance(data, bytes)])
