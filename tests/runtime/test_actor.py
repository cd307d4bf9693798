"""A table on a real store, with time advanced by the test: absence, emptiness, pauses, bots, hand-over."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Final, cast

import pytest
import pytest_asyncio
from structlog.testing import capture_logs

from games.almost.rules.game import Almost
from games.almost.rules.values import Agree
from games.api import Bot, Decision, Observation, PromptId, Seat
from hub.net import connection, connection_state
from hub.runtime.bots import HEAD_START_MS
from hub.runtime.journal import SNAPSHOT_EVERY
from hub.store.binary import find_binary
from hub.store.store import Store
from hub.table.commands import Attach
from hub.table.room import Room, Snapshots
from hub.wire import codec
from hub.wire import messages as m
from hub.wire.tickets import Ticket
from tests.harness.defaults import DEFAULTS
from tests.harness.fault_proxy import Fault, FaultProxy
from tests.harness.follower import Follower, settled
from tests.harness.processes import StoreProcess
from tests.harness.small_hub import ClientLine, SmallHub, manual_clock, stepping

pytestmark = pytest.mark.asyncio

MINUTE = 60_000


@pytest_asyncio.fixture
async def store() -> AsyncIterator[StoreProcess]:
    binary = await find_binary()
    with (
        tempfile.TemporaryDirectory(prefix="parley-") as folder,
        StoreProcess(binary, Path(folder)) as process,
    ):
        yield process


@pytest.fixture(autouse=True)
def _steps() -> Iterator[None]:
    with stepping():
        yield


@pytest_asyncio.fixture
async def hub(store: StoreProcess) -> AsyncIterator[SmallHub]:
    hub = await SmallHub("one", manual_clock()).open(store.url, "a:")
    yield hub
    await hub.close()


async def running(
    hub: SmallHub, people: int = 3, *, bots: str | None = None, **options: str
) -> tuple[str, list[ClientLine]]:
    """A table whose game has begun, with everybody connected."""
    room, followers = await hub.table(people, bots=bots, **options)
    lines = [await hub.come(follower) for follower in followers]
    await lines[0].do("manage", act={"do": "start"})
    return room, lines


def substitute(line: ClientLine, seat: int) -> bool:
    return bool(line.follower.sections["table"]["seats"][seat]["substitute"])


async def ping_table_time(line: ClientLine) -> int:
    """Sends a ping and returns the table time in the answer."""
    line.say(b"\x82\xa1t\xa4ping\xa1n\x01")
    return line.follower.table_time


# --- absence ---


async def test_a_bot_plays_for_an_absent_person(hub: SmallHub) -> None:
    """R5: a substitute plays after a minute of table time, until the person in the seat takes it back."""
    _, (host, guest, *_) = await running(hub, discussion="untilReady")
    guest.drop()
    await hub.advance(MINUTE - 1000)
    assert not substitute(host, 1)
    await hub.advance(1100)
    assert substitute(host, 1)
    back = await hub.come(guest.follower)
    n = await back.move("plan:1", "propose", bids=[1, 2, 3])
    assert back.follower.code(n) == "BOT_PLAYS"
    await back.do("manage", act={"do": "take_back"})
    assert not substitute(host, 1)
    n = await back.move("plan:1", "propose", bids=[1, 2, 3])
    assert back.follower.applied(n)
    await hub.advance(2 * MINUTE)
    assert not substitute(host, 1), "a connected person is not away"


async def test_a_pause_stops_the_minute_of_absence(hub: SmallHub) -> None:
    """R5, G5.6"""
    _, (host, guest, *_) = await running(hub, discussion="untilReady")
    guest.drop()
    await hub.advance(MINUTE // 2)
    await host.do("manage", act={"do": "pause"})
    await hub.advance(5 * MINUTE)
    await host.do("manage", act={"do": "resume"})
    await hub.advance(MINUTE // 2 - 1000)
    assert not substitute(host, 1)
    await hub.advance(1100)
    assert substitute(host, 1)


# --- empty tables ---


async def test_an_empty_table_pauses_sleeps_and_wakes_with_its_time_left(
    hub: SmallHub, store: StoreProcess
) -> None:
    """R6, R7, G5.6"""
    room, lines = await running(hub, discussion="timed", timers="relaxed")
    left = lines[0].follower.left("discuss")
    await hub.advance(1000)
    for line in lines:
        line.drop()
    await hub.advance(MINUTE - 1000)
    assert hub.metrics.rooms == 1
    await hub.advance(2000)
    assert hub.metrics.rooms == 0
    await hub.advance(60 * MINUTE)
    back = await hub.come(lines[0].follower)
    await hub.settle()
    assert back.follower.status == "running"
    await ping_table_time(back)
    assert left - 1000 - MINUTE - 1100 <= back.follower.left("discuss") <= left - 1000 - MINUTE + 1100
    opened = await Store.open(store.url, prefix="a:", forget_days=DEFAULTS.forget_days)
    try:
        await settled(opened, room, [line.follower for line in lines])
    finally:
        await opened.close()


async def test_a_person_who_returns_as_an_empty_table_pauses_finds_it_running(
    hub: SmallHub, store: StoreProcess
) -> None:
    """R6: this holds whichever of the two reaches the store first."""
    async with FaultProxy(store.socket, folder=store.socket.parent) as proxy:
        slow = await SmallHub("two", manual_clock()).open(proxy.url, "b:")
        try:
            _, lines = await running(slow, discussion="untilReady")
            for line in lines:
                line.drop()
            await slow.advance(MINUTE - 500)
            proxy.plan(Fault.HOLD_REPLY)
            fresh = Follower(lines[0].follower.ticket)
            line = slow.line(fresh)
            line.say(fresh.opened())
            await proxy.happened(Fault.HOLD_REPLY)  # the store has the session before the minute ends
            slow.clock.move(600)
            slow.clock.fire()
            await slow.task(slow.lease.beat())
            proxy.release()
            await line.until(lambda: line.shown)
            await slow.settle()
            assert fresh.status == "running"
        finally:
            await slow.close()


# --- pauses ---


async def test_table_time_does_not_run_back_while_the_store_is_slow(
    hub: SmallHub, store: StoreProcess
) -> None:
    """G5.4, G5.6: the table is paused and resumed while the store is slow, with commands in between."""
    async with FaultProxy(store.socket, folder=store.socket.parent) as proxy:
        slow = await SmallHub("two", manual_clock()).open(proxy.url, "b:")
        try:
            room, (host, guest, other) = await running(slow, discussion="untilReady")
            proxy.plan(Fault.HOLD_REPLY)
            host.send_command("do", prompt="plan:1", move={"move": "propose", "bids": [1, 1, 1]})
            await proxy.happened(Fault.HOLD_REPLY)
            for line, act in ((host, "pause"), (host, "resume")):
                line.send_command("manage", act={"do": act})
                slow.clock.move(300)
                await slow.beat()
            guest.send_command("do", prompt="plan:1", move={"move": "propose", "bids": [2, 2, 2]})
            proxy.release()
            await slow.settle()
            other.send_command("do", prompt="plan:1", move={"move": "propose", "bids": [3, 3, 3]})
            await slow.settle()
            opened = await Store.open(store.url, prefix="b:", forget_days=DEFAULTS.forget_days)
            try:
                await settled(opened, room, [line.follower for line in (host, guest, other)])
            finally:
                await opened.close()
        finally:
            await slow.close()


# --- bots ---


async def test_bots_continue_on_a_new_owner(hub: SmallHub, store: StoreProcess) -> None:
    """R4, G6.1: they do so even if nobody does anything there."""
    _, followers = await hub.table(1, bots="normal", discussion="none", timers="off")
    host = await hub.come(followers[0])
    await host.do("manage", act={"do": "start"})
    await host.move("bid:1", "lock", number=3)
    hub.die()
    second = await SmallHub("one", hub.clock).open(store.url, "a:", after=hub)
    try:
        back = await second.come(followers[0])
        await second.advance(10_000)
        assert back.follower.sections["score"]["rows"], "the bots have bid"
    finally:
        await second.close()


class Supporter(Bot[Any]):
    """A bot that supports plan 1 as soon as it sees a plan, or at once even if there is none."""

    levels: tuple[str, ...] = ("easy", "normal")

    def __init__(self, *, hasty: bool) -> None:
        self.hasty = hasty

    def decide(self, observation: Observation, level: str, dice: Any) -> Decision[Any] | None:
        plans: Any = observation.sections["plans"]
        return Decision(PromptId("plan:1"), Agree(1)) if self.hasty or plans.plans else None


@pytest.mark.parametrize(("hasty", "defects"), [(False, 0), (True, 1)], ids=["too late", "wrong"])
async def test_only_a_bots_own_mistake_is_logged_as_a_defect(
    hasty: bool, defects: int, hub: SmallHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GEN-4: not a move that was right until somebody was faster, whose command was being stored."""
    monkeypatch.setattr("hub.runtime.bots.PACE_MS", (1000, 1000))
    _, followers = await hub.table(2, discussion="untilReady")
    host, guest = [await hub.come(follower) for follower in followers]
    for actor in hub.rooms._actors.values():
        actor.bot = Supporter(hasty=hasty)
    await host.do("manage", act={"do": "start"})
    if not hasty:
        await guest.move("plan:1", "propose", bids=[1, 2, 3])
    await hub.advance(1000 - HEAD_START_MS)
    with capture_logs() as logged:
        n = guest.send_command("do", prompt="plan:1", move={"move": "withdraw"})
        hub.clock.move(HEAD_START_MS)
        hub.clock.fire()
        await hub.settle()
    assert guest.follower.applied(n) is not hasty
    assert hub.metrics.refused["GAME"] == 1 + hasty
    assert [entry["event"] for entry in logged].count("a bot's move was refused") == defects


# --- hand-over ---


async def test_a_room_is_released_before_its_sockets_are_closed(hub: SmallHub, store: StoreProcess) -> None:
    """R8, G5.6: otherwise their clients would be sent back; table time stops when the room is released."""
    async with FaultProxy(store.socket, folder=store.socket.parent) as proxy:
        leaving = await SmallHub("leaving", hub.clock).open(proxy.url, "b:")
        other = await SmallHub("other", hub.clock).open(store.url, "b:")
        try:
            room, lines = await running(leaving, discussion="timed")
            left = lines[0].follower.left("discuss")
            proxy.plan(Fault.HOLD_COMMAND, command="EVAL")
            draining = leaving.task(leaving.rooms.drain())
            await proxy.happened(Fault.HOLD_COMMAND)
            assert [line.code for line in lines] == [None, None, None]
            proxy.release()
            await draining
            assert [line.code for line in lines] == [4001, 4001, 4001]
            hub.clock.move(20_000)
            for line in lines:
                back = await other.come(line.follower)
                assert back.shown, "the other hub lets them in at the first try"
            assert abs(lines[0].follower.left("discuss") - left) <= 1000
            opened = await Store.open(store.url, prefix="b:", forget_days=DEFAULTS.forget_days)
            try:
                await settled(opened, room, [line.follower for line in lines])
            finally:
                await opened.close()
        finally:
            await other.close()
            await leaving.close()


async def test_a_command_during_a_hand_over_is_answered_by_the_next_owner(
    hub: SmallHub, store: StoreProcess
) -> None:
    """R8, G2.1, G2.5: a hub that is shutting down sends no verdict at all, not even BUSY."""
    room, (host, *_) = await running(hub, discussion="untilReady")
    for actor in hub.rooms._actors.values():
        actor.halt()
    n = host.send_command("do", prompt="plan:1", move={"move": "propose", "bids": [1, 2, 3]})
    await hub.task(hub.rooms.drain())
    assert list(host.follower.pending) == [n]
    second = await SmallHub("other", hub.clock).open(store.url, "a:")
    try:
        back = await second.come(host.follower)
        await back.until(lambda: not back.follower.pending)
        assert back.follower.applied(n)
        opened = await Store.open(store.url, prefix="a:", forget_days=DEFAULTS.forget_days)
        try:
            await settled(opened, room, [back.follower])
        finally:
            await opened.close()
    finally:
        await second.close()


async def test_snapshots_are_stored_regularly_and_before_a_hand_over(
    hub: SmallHub, store: StoreProcess
) -> None:
    """G6.1, G7.1: a snapshot is stored every so often, after anything but a move, and before a hand-over."""
    room, (host, *_) = await running(hub, discussion="untilReady")
    opened = await Store.open(store.url, prefix="a:", forget_days=DEFAULTS.forget_days)

    async def behind() -> int:
        head = opened.keys.room(room)[0]
        snapped, sequence = await cast(Any, opened._client.hmget(head, "snapped", "seq"))
        return int(sequence) - int(snapped)

    try:
        assert await behind() == 0
        seen = []
        for _ in range(SNAPSHOT_EVERY):
            for move in ("ready", "unready"):
                await host.move("ready:1", move)
                seen.append(await behind())
        assert max(seen) == SNAPSHOT_EVERY
        assert seen.count(0) == 1
        await host.do("say", channel="table", text="hello")
        assert await behind() == 0
        await host.move("ready:1", "ready")
        assert await behind() == 1
        await settled(opened, room, [host.follower])
        await hub.task(hub.rooms.drain())
        assert await behind() == 0
        await settled(opened, room, [host.follower])
    finally:
        await opened.close()


# --- commands during a commit ---


class Gate:
    """Holds a hub's commits back until it is opened."""

    def __init__(self, hub: SmallHub) -> None:
        self._submit = hub.pipe.submit
        self._held: list[tuple[Any, Any]] = []
        hub.pipe.submit = lambda commit, done: self._held.append((commit, done))  # type: ignore[method-assign]
        self._hub = hub

    def open(self) -> None:
        self._hub.pipe.submit = self._submit  # type: ignore[method-assign]
        for commit, done in self._held:
            self._hub.within(self._submit, commit, done)


PROPOSE: Final = {"move": "propose", "bids": [1, 2, 3]}


async def let_ticks_run() -> None:
    """Lets the calls in this tick and the next ones run."""
    for _ in range(4):
        await asyncio.sleep(0)


@pytest.mark.parametrize("moment", ["decided", "waiting"])
async def test_a_hand_over_includes_commands_in_progress(hub: SmallHub, moment: str) -> None:
    """G6.1: this includes commands decided in the same tick, or waiting for a commit to finish."""
    room, (host, guest, _) = await running(hub, discussion="untilReady")
    actor = hub.rooms._actors[room]
    await host.move("plan:1", "propose", bids=[1, 2, 3])
    gate = Gate(hub)
    if moment == "waiting":
        host.send_command("do", prompt="plan:1", move=PROPOSE)
        await let_ticks_run()
    guest.send_command("do", prompt="plan:1", move=PROPOSE)
    actor.halt()
    gate.open()
    await hub.settle()
    assert actor.idle
    assert actor._journal.behind == 0


async def test_a_pause_during_a_commit_keeps_the_time_left(hub: SmallHub) -> None:
    """G5.4: a window keeps the time it had left, although its end has passed by the time both are decided."""
    _, (host, guest, _) = await running(hub, discussion="timed")
    await hub.advance(host.follower.left("discuss") - 400)
    gate = Gate(hub)
    guest.send_command("do", prompt="plan:1", move=PROPOSE)
    await let_ticks_run()
    host.send_command("manage", act={"do": "pause"})
    hub.clock.move(800)
    host.send_command("manage", act={"do": "resume"})
    gate.open()
    await hub.settle()
    assert host.follower.left("discuss") > 300


async def test_a_tab_joins_in_the_commit_that_removes_a_section(
    hub: SmallHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """G4.1: nothing else is rendered between rendering an update and showing it."""
    room, (host, guest, _) = await running(hub, discussion="untilReady")
    actor = hub.rooms._actors[room]
    assert actor.room.position is not None
    before, public = actor.room.position.state.plans, Almost.public

    def without_time_control(self: Any, state: Any) -> Any:
        sections = public(self, state)
        return (
            sections
            if state.plans is before
            else {name: sections[name] for name in sections if name != "time_control"}
        )

    monkeypatch.setattr(Almost, "public", without_time_control)
    gate = Gate(hub)
    host.send_command("do", prompt="plan:1", move=PROPOSE)
    tab = hub.line(Follower(host.follower.ticket))
    ticket = hub.signer.read_ticket(host.follower.ticket, 1_800_000_000.0)
    assert tab.connection is not None
    assert isinstance(ticket, Ticket)
    tab.connection._state = connection_state.Joining(ticket, [])
    attach = Attach(Seat(0), ticket.person, ticket.seat_generation, None)
    hub.within(actor.perform, attach, connection.AttachResponder(tab.connection, actor, Seat(0)))
    await let_ticks_run()
    n = guest.send_command("do", prompt="plan:1", move=PROPOSE)
    gate.open()
    await hub.settle()
    assert guest.follower.applied(n)
    assert not actor.stopped
    assert "time_control" not in guest.follower.sections


async def test_notes_stay_with_their_writers_when_seats_are_swapped(hub: SmallHub) -> None:
    """G4.1: seats are swapped and swapped back, the second time by a tab that joins in the same commit."""
    room, followers = await hub.table(3)
    host, guest, other = [await hub.come(follower) for follower in followers]
    await guest.do("note", text="the guest's")
    await other.do("note", text="the other's")
    gate = Gate(hub)
    guest.send_command("say", channel="table", text="x")
    await let_ticks_run()
    host.send_command("manage", act={"do": "swap_seats", "a": 1, "b": 2})
    tab = hub.line(Follower(host.follower.ticket))
    tab.follower.feed = lambda data: {"t": "not followed"}  # type: ignore[method-assign]
    tab.say(codec.encode(m.Hello(host.follower.ticket, host.follower.session)))
    tab.say(codec.encode(m.Manage(host.follower.session or 0, 101, m.SwapSeats(1, 2))))
    await let_ticks_run()
    gate.open()
    await hub.settle()
    actor = hub.rooms._actors[room]
    assert actor._notes == ["", "the guest's", "the other's"]


async def test_a_change_that_cannot_be_stored_is_discarded(
    hub: SmallHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """G8.7: a fault in the rules pauses the table and leaves its state intact."""
    _, (host, guest, _) = await running(hub, discussion="untilReady")
    packed = Snapshots.pack
    faults = [OverflowError("an integer of 65 bits")]

    def fails(self: Any, room: Room) -> bytes:
        if faults:
            raise faults.pop()
        return packed(self, room)

    monkeypatch.setattr(Snapshots, "pack", fails)
    n = host.send_command("say", channel="table", text="x")
    await hub.settle()
    codes = [verdict["code"] for (_, number), verdict in host.follower.verdicts.items() if number == n]
    assert codes == ["BROKEN"]
    assert host.follower.sections["table"]["paused_for"] == "fault"
    await host.do("manage", act={"do": "resume"})
    await guest.do("say", channel="table", text="y")
