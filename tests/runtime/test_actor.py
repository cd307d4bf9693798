"""A table on a real store, with time advanced by the test: absence, emptiness, pauses, bots, hand-over."""

from __future__ import annotations

import asyncio
from typing import Any, Final, cast

import pytest
from structlog.testing import capture_logs

from games.almost.rules.game import Almost
from games.almost.rules.values import Agree
from games.api import Bot, Character, Decision, Observation, PromptId, Seat
from hub.net import connection, connection_state
from hub.runtime.bots import HEAD_START_MS
from hub.runtime.journal import SNAPSHOT_EVERY
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
from tests.harness.small_hub import ClientLine, SmallHub, manual_clock

pytestmark = pytest.mark.asyncio

MINUTE = 60_000


async def running(
    hub: SmallHub, people: int = 3, *, bots: str | None = None, **options: Any
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


async def test_a_line_that_keeps_breaking_uses_up_its_grace(store: StoreProcess, hub: SmallHub) -> None:
    """R5: also if another hub continues the table in the meantime."""
    room, (host, guest, *_) = await running(hub, discussion="untilReady")
    guest.drop()
    await hub.advance(30_000)
    guest = await hub.come(guest.follower)
    guest.drop()
    await hub.advance(20_000)
    guest = await hub.come(guest.follower)
    await hub.settle()
    assert not substitute(host, 1)
    used = hub.rooms._actors[room].room.table.seats[1].used_grace
    assert used is not None
    assert 49_000 <= used.used <= 50_000

    other = await SmallHub("two", hub.clock).open(store.url, "a:")
    await hub.task(hub.rooms.drain())
    host = await other.come(host.follower)
    assert other.rooms._actors[room].room.table.seats[1].used_grace == used
    await other.advance(MINUTE - used.used + 1000)
    assert substitute(host, 1)
    await other.close()


async def test_a_seat_that_waits_for_the_whole_game(hub: SmallHub) -> None:
    """R5"""
    _, followers = await hub.table(grace="game", discussion="untilReady")
    host, guest, *_ = [await hub.come(follower) for follower in followers]
    await host.do("manage", act={"do": "start"})
    assert host.follower.sections["table"]["grace"] == "game"
    guest.drop()
    await hub.advance(10 * MINUTE)
    assert not substitute(host, 1)


async def test_a_seat_shows_why_a_bot_plays_it(hub: SmallHub) -> None:
    """R5: a page takes the seat back by itself only if its person did not ask for the bot."""
    _, (host, guest, *others) = await running(hub, discussion="untilReady")

    def shown() -> tuple[bool, bool, bool]:
        seat = host.follower.sections["table"]["seats"][1]
        return seat["substitute"], seat["asked"], seat["vacant"]

    await guest.do("manage", act={"do": "stand_in"})
    assert shown() == (True, True, False)
    await guest.do("manage", act={"do": "take_back"})
    assert shown() == (False, False, False)
    guest.drop()
    await hub.advance(MINUTE + 100)
    assert shown() == (True, False, False)
    n = await others[0].do("manage", act={"do": "take_back"})
    assert others[0].follower.code(n) == "NOT_NOW", "nobody takes another person's seat back"
    assert shown() == (True, False, False)
    guest = await hub.come(guest.follower)
    two = [guest.send_command("manage", act={"do": "take_back"}) for _ in range(2)]
    await guest.until(lambda: not guest.follower.pending)
    assert (guest.follower.applied(two[0]), guest.follower.code(two[1])) == (True, "NOT_NOW")
    await guest.do("manage", act={"do": "free_seat", "seat": 1})
    await hub.settle()
    assert shown() == (True, False, True)


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
    await hub.advance(10 * MINUTE)
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

    def decide(self, observation: Observation, character: Character, dice: Any) -> Decision[Any] | None:
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


@pytest.mark.parametrize("quick", [False, True])
async def test_a_bot_answers_quick_prompts_in_a_third_of_the_time(
    quick: bool, hub: SmallHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hub.runtime.bots.PACE_MS", (900, 900))
    _, followers = await hub.table(2, discussion="untilReady")
    host, _ = [await hub.come(follower) for follower in followers]
    (actor,) = hub.rooms._actors.values()
    actor.bot = Supporter(hasty=True)
    if quick:
        monkeypatch.setattr(Supporter, "quick", frozenset({"ready"}))
    await host.do("manage", act={"do": "start"})
    for _ in range(4):
        await hub.advance(100)
    assert hub.metrics.refused["GAME"] == quick, "it has answered, and wrongly"


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
    tab.connection._state = connection_state.Joining(ticket, b"", None, [])
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


# --- a host who is gone ---


def host_of(line: ClientLine) -> int | None:
    seat: int | None = line.follower.sections["table"]["host"]
    return seat


async def test_somebody_connected_follows_a_host_who_is_gone(hub: SmallHub) -> None:
    """R3: in the waiting room, and again in the game; everybody is told, and nobody gets it back."""
    _, followers = await hub.table(3)
    host, away, guest = [await hub.come(follower) for follower in followers]
    away.drop()
    host.drop()
    await hub.advance(29_000)
    assert host_of(guest) == 0
    await hub.advance(1_500)
    assert host_of(guest) == 2, "nobody who is away becomes host, however long they have been seated"
    assert [line[1:3] for line in guest.follower.lines.values()][-1] == [
        "table.new_host",
        {"name": "Person C", "seat": 2},
    ]
    back = await hub.come(host.follower)
    await hub.advance(MINUTE)
    assert host_of(back) == 2
    n = await back.do("manage", act={"do": "start"})
    assert back.follower.code(n) == "NOT_HOST"
    await guest.do("manage", act={"do": "start"})
    await guest.do("manage", act={"do": "pause"})
    guest.drop()
    await hub.advance(30_500)
    assert (host_of(back), back.follower.sections["table"]["status"]) == (0, "paused")
    await back.do("manage", act={"do": "resume"})
    assert back.follower.sections["table"]["status"] == "running"


async def test_a_new_owner_counts_a_hosts_absence_afresh(hub: SmallHub, store: StoreProcess) -> None:
    """R3: after kill -9, a host has the whole time to come back, and so has a host at a table that slept."""
    _, followers = await hub.table(2)
    host, guest = [await hub.come(follower) for follower in followers]
    host.drop()
    await hub.advance(29_000)
    hub.die()
    other = await SmallHub("two", hub.clock).open(store.url, "a:", after=hub)
    try:
        guest = await other.come(guest.follower)
        await other.advance(29_000)
        assert host_of(guest) == 0
        await other.advance(1_500)
        assert host_of(guest) == 1
    finally:
        await other.close()


async def test_whoever_finds_a_table_without_its_host_waits_no_longer(hub: SmallHub) -> None:
    """R3: what counts is how long the host has been gone, not how long somebody has waited."""
    _, followers = await hub.table(2)
    host = await hub.come(followers[0])
    host.drop()
    await hub.advance(40_000)
    guest = await hub.come(followers[1])
    assert host_of(guest) == 0
    await hub.advance(10)
    assert host_of(guest) == 1


# --- votes ---


def logged(line: ClientLine, count: int) -> list[str]:
    """The keys of the last lines that this client has read."""
    return [key.removeprefix("table.") for _, key, *_ in list(line.follower.lines.values())[-count:]]


async def call_vote(line: ClientLine, kind: str, seat: int | None = None) -> str | None:
    n = await line.do("manage", act={"do": "call_vote", "kind": kind, "seat": seat})
    return line.follower.code(n)


async def vote(line: ClientLine, *, yes: bool, number: int = 1) -> str | None:
    n = await line.do("manage", act={"do": "vote", "number": number, "yes": yes})
    return line.follower.code(n)


async def test_a_vote_to_pause_and_resume(hub: SmallHub) -> None:
    """R20: it ends when there is a majority, or after 20 seconds, also while table time is stopped."""
    _, (host, guest, other) = await running(hub, discussion="untilReady")
    assert await call_vote(guest, "pause") is None
    section = host.follower.sections["vote"]
    assert (section["yes"], section["needed"], section["left"]) == (1, 2, 20_000)
    assert (section["may_vote"], section["own"]) == (True, None)
    assert guest.follower.sections["vote"]["own"] is True
    assert await vote(other, yes=True) is None
    assert "vote" not in host.follower.sections
    assert host.follower.sections["table"]["paused_for"] == "vote"
    assert logged(host, 3) == ["vote_called", "vote_passed", "paused_vote"]
    assert await call_vote(other, "resume") is None
    await hub.advance(19_900)
    assert host.follower.sections["vote"]["number"] == 2
    await hub.advance(200)
    assert logged(host, 2) == ["vote_called", "vote_failed"]
    assert host.follower.sections["table"]["status"] == "paused"
    assert await call_vote(guest, "resume") == "CALLED_LATELY"


async def test_whoever_comes_back_keeps_the_seat(hub: SmallHub) -> None:
    """R20: a vote for a bot lapses as soon as the seat's person is back; it shows the time left."""
    _, (host, guest, other) = await running(hub, discussion="untilReady")
    guest.drop()
    await hub.advance(900)
    assert await call_vote(host, "bot", 1) is None
    await hub.advance(5_000)
    other.drop()
    await hub.advance(100)
    other = await hub.come(other.follower)
    assert 14_000 < other.follower.sections["vote"]["left"] <= 15_000
    guest = await hub.come(guest.follower)
    await hub.advance(10)
    assert not substitute(host, 1)
    assert logged(host, 2) == ["vote_called", "vote_lapsed"]
    guest.drop()
    await hub.advance(900)
    assert await call_vote(other, "bot", 1) is None
    assert await vote(host, yes=True, number=2) is None
    await hub.advance(19_000)
    assert not substitute(host, 1)
    await hub.advance(1_100)
    assert substitute(host, 1)


async def test_a_vote_outlives_its_hub(hub: SmallHub, store: StoreProcess) -> None:
    """R20, G6: after kill -9 the votes are kept, and the time starts afresh on the next hub."""
    _, (host, guest, other) = await running(hub, discussion="untilReady")
    assert await call_vote(guest, "end") is None
    await hub.advance(19_000)
    hub.die()
    for line in (host, guest, other):
        line.drop()
    second = await SmallHub("two", hub.clock).open(store.url, "a:", after=hub)
    try:
        lines = [await second.come(line.follower) for line in (host, guest, other)]
        await second.advance(19_000)
        section = lines[1].follower.sections["vote"]
        assert (section["number"], section["yes"], section["own"]) == (1, 1, True)
        assert await vote(lines[2], yes=True) is None
        for line in lines:
            table = line.follower.sections["table"]
            assert (table["status"], table["abandoned"], table["record"]) == ("finished", True, True)
            assert table["seed"] is not None
            assert "result" not in line.follower.sections
            assert line.follower.sections["prompts"]["prompts"] == []
        lines[0].drop()
        third = await second.come(lines[0].follower)
        assert third.follower.sections["choices"]["choices"] == {}
    finally:
        await second.close()


async def test_two_calls_and_two_votes_at_once(hub: SmallHub) -> None:
    """R20: of two calls one begins a vote, and of two last votes one decides it; each has its verdict."""
    _, (host, guest, other) = await running(hub, discussion="untilReady")
    calls = [line.send_command("manage", act={"do": "call_vote", "kind": "end"}) for line in (host, guest)]
    await host.until(lambda: not host.follower.pending)
    await guest.until(lambda: not guest.follower.pending)
    assert [host.follower.code(calls[0]), guest.follower.code(calls[1])] == [None, "VOTE_RUNNING"]
    votes = [
        line.send_command("manage", act={"do": "vote", "number": 1, "yes": True}) for line in (guest, other)
    ]
    await guest.until(lambda: not guest.follower.pending)
    await other.until(lambda: not other.follower.pending)
    assert [guest.follower.code(votes[0]), other.follower.code(votes[1])] == [None, "NO_SUCH_VOTE"]
    assert logged(host, 3) == ["vote_called", "vote_passed", "abandoned"]
    assert len([key for key in logged(host, 99) if key == "abandoned"]) == 1
