"""A connection: its states from hello to close, with no socket and no store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import msgpack  # type: ignore[import-untyped]
import msgspec
import pytest
import pytest_asyncio
from msgspec.structs import replace

from games.api import Millis, Refusal, Seat
from hub.net import command_budget
from hub.net.connection import HELLO_SECONDS, MAX_EARLY_MESSAGES
from hub.net.websocket import SLOW_READER
from hub.runtime.placement import Elsewhere, GameEnded, NoSuchRoom, OtherVersion, Unavailable
from hub.store.hubs import HubIdentity
from hub.table import seating
from hub.table.commands import Attach
from hub.table.room import Change
from hub.telemetry.tasks import Tasks
from hub.wire import messages as m
from hub.wire.limits import Limiter, Opener
from hub.wire.tickets import Signer, Ticket
from tests.harness.defaults import DEFAULTS
from tests.net.recording_hub import (
    BURST,
    PER_PERSON,
    PER_PLACE,
    RATE,
    SITE_BURST,
    SITE_RATE,
    WATCHERS,
    Hub,
    turns,
)

pytestmark = pytest.mark.asyncio


@pytest_asyncio.fixture
async def hub() -> AsyncIterator[Hub]:
    async with Tasks() as tasks:
        yield Hub(tasks)
        assert tasks.failures == 0


# --- hello ---


async def test_a_seat_is_welcomed_once_its_session_is_committed(hub: Hub) -> None:
    socket = hub.connect()
    socket.say(m.Hello(hub.ticket(), session=3))
    hub.finder.gate.set()
    await turns()
    [(attach, responder)] = hub.actor.attaching
    assert attach == Attach(Seat(0), "p-ann", 1, 3)
    assert (socket.kinds, hub.actor.following) == ([], [])
    responder.answer(3, None)
    assert socket.transport.messages == [
        {"t": "welcome", "epoch": "1:hub:x", "room": "r", "seat": 0, "session": 3}
    ]
    assert hub.actor.following == [socket.connection]
    assert (hub.metrics.seats, hub.metrics.watchers) == (1, 0)


async def test_a_watcher_is_welcomed_at_once(hub: Hub) -> None:
    socket = hub.connect()
    await socket.enter(None)
    assert (socket.last["seat"], socket.last["session"]) == (None, None)
    assert (hub.metrics.seats, hub.metrics.watchers) == (0, 1)
    assert hub.actor.attaching == []


async def test_a_turn_decides_so_many_commands(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    """G8.22: those beyond are refused at once, whichever socket sends them; the next turn decides again."""
    monkeypatch.setattr(command_budget, "COMMANDS_PER_TURN", 2)
    ann, other = hub.connect(), hub.connect()
    await ann.enter(0)
    await other.enter(0)
    ann.say(m.Note(5, 1, "a"))
    ann.say(m.Note(5, 2, "b"))
    other.say(m.Note(5, 3, "c"))
    assert [command.n for _, command, _ in hub.actor.commands] == [1, 2]
    assert (other.last["n"], other.last["code"]) == (3, "BUSY")
    assert hub.metrics.limited == {"turn": 1}
    hub.clock.run_soon()
    other.say(m.Note(5, 3, "c"))
    assert [command.n for _, command, _ in hub.actor.commands] == [1, 2, 3]


async def test_questions_keep_no_command_from_being_decided(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """G8.22: they change nothing, but each takes longer than a command."""
    monkeypatch.setattr(command_budget, "QUESTIONS_PER_TURN", 2)
    monkeypatch.setattr("hub.net.connection.preview", lambda *_: Refusal("NO_PREVIEW", "GEN-3"))
    ann = hub.connect()
    await ann.enter(0)
    codes = []
    for n in range(3):
        ann.say(m.Preview(n, "turn:1", {}))
        codes.append(ann.last["code"])
    assert codes == ["NO_PREVIEW", "NO_PREVIEW", "BUSY"]
    assert hub.metrics.limited == {"turn": 1}
    ann.say(m.Note(5, 3, "a"))
    assert [command.n for _, command, _ in hub.actor.commands] == [3]


async def test_a_person_may_ask_so_much_over_all_sockets(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    """G8.24: a guest with many sockets must not use up a core."""
    monkeypatch.setattr("hub.net.connection.preview", lambda *_: Refusal("NO_PREVIEW", "GEN-3"))
    monkeypatch.setattr(hub.context.commands, "_people", Limiter(1, 2))
    codes = []
    for n in range(PER_PLACE):
        socket = hub.connect()
        await socket.enter(0)
        socket.say(m.Preview(n, "turn:1", {}))
        codes.append(socket.last["code"])
    assert codes == ["NO_PREVIEW", "NO_PREVIEW", "BUSY"]
    assert hub.metrics.limited == {"questions": 1}


@pytest.mark.parametrize(
    "message", [m.Ping(1), m.Say(0, 1, "table", text="hi")], ids=lambda message: type(message).__name__
)
async def test_the_first_message_is_hello(hub: Hub, message: m.ToHub) -> None:
    socket = hub.connect()
    socket.say(message)
    assert (socket.last["code"], socket.transport.code) == ("HELLO_FIRST", 4000)


async def test_a_socket_without_a_hello_times_out(hub: Hub) -> None:
    silent, welcomed, joining = hub.connect(), hub.connect(), hub.connect()
    joining.say(m.Hello(hub.ticket()))
    await welcomed.enter()
    hub.clock.advance(HELLO_SECONDS + 1)
    assert (silent.last["code"], silent.transport.code) == ("HELLO_FIRST", 4000)
    assert welcomed.transport.code is joining.transport.code is None


async def test_a_second_hello_is_an_error(hub: Hub) -> None:
    socket = hub.connect()
    await socket.enter()
    socket.say(m.Hello(hub.ticket()))
    assert (socket.last["code"], socket.transport.code) == ("HELLO_TWICE", 4000)
    assert socket.transport.reason == socket.last["advice"] != m.CLOSE_CODES[4000]


@pytest.mark.parametrize(
    ("first", "code"),
    [
        ({"t": "hello", "ticket": "x", "mood": "good"}, "BAD_FIELDS"),
        ({"t": "hello"}, "BAD_FIELDS"),
        ({"t": "hello", "ticket": "x", "session": -1}, "BAD_FIELDS"),
        ({"t": "greetings"}, "UNKNOWN_KIND"),
        ({}, "UNKNOWN_KIND"),
    ],
)
async def test_a_hello_that_cannot_be_read(hub: Hub, first: dict[str, Any], code: str) -> None:
    """G8.6: closed at once, with the error that says what is wrong."""
    socket = hub.connect()
    socket.connection.message(msgpack.packb(first))
    assert (socket.last["code"], socket.transport.code) == (code, 4000)
    assert socket.transport.reason == socket.last["advice"]
    assert socket.kinds == ["error"]


@pytest.mark.parametrize(
    ("ticket", "problem"),
    [
        ("nonsense", "malformed"),
        (Signer(bytes(32), DEFAULTS.token_days).ticket(Ticket("r", 0, "p", "P", 1, 1, 0)), "forged"),
    ],
)
async def test_a_bad_ticket(hub: Hub, ticket: str, problem: str) -> None:
    """The client learns only that it is bad; the metrics count the reason."""
    socket = hub.connect()
    socket.say(m.Hello(ticket))
    assert (socket.last["code"], socket.transport.code) == ("BAD_TICKET", 4003)
    assert problem not in str(socket.last)
    assert hub.metrics.tickets_refused == {problem: 1}


@pytest.mark.parametrize("changed", [{"seat_generation": 0}, {"person": "p-bob"}, {"seat": 9}])
async def test_a_ticket_for_a_seat_that_changed_hands(hub: Hub, changed: dict[str, Any]) -> None:
    """G3.8: it is refused once the store has confirmed that this hub owns the room."""
    socket = hub.connect()
    socket.say(m.Hello(hub.ticket(**changed)))
    hub.finder.gate.set()
    await turns()
    assert (socket.kinds, socket.transport.code) == ([], None)
    hub.actor.asking[0].answer(0, None)
    assert (socket.last["code"], socket.transport.code) == ("BAD_TICKET", 4003)
    assert hub.actor.attaching == []
    assert hub.metrics.tickets_refused == {"stale": 1}


async def test_a_seat_that_changes_hands_before_the_commit(hub: Hub) -> None:
    socket = hub.connect()
    socket.say(m.Hello(hub.ticket()))
    hub.finder.gate.set()
    await turns()
    hub.actor.attaching[0][1].answer(0, Refusal("BAD_TICKET", "GEN-13"))
    assert (socket.kinds, socket.transport.code) == ([], None)
    hub.actor.asking[0].answer(0, None)
    assert (socket.last["code"], socket.transport.code) == ("BAD_TICKET", 4003)
    assert hub.actor.following == []


@pytest.mark.parametrize("closes_first", [False, True])
async def test_a_ticket_is_not_refused_by_a_hub_that_has_lost_the_room(hub: Hub, closes_first: bool) -> None:
    """G3.8: it may be newer than what that hub knows, so the client comes again."""
    early, late = hub.connect(), hub.connect()
    early.say(m.Hello(hub.ticket(seat_generation=2)))
    late.say(m.Hello(hub.ticket()))
    hub.finder.gate.set()
    await turns()
    hub.actor.attaching[0][1].answer(0, Refusal("BAD_TICKET", "GEN-13"))
    for socket, responder in zip((early, late), hub.actor.asking, strict=True):
        if closes_first:
            socket.connection.closed(1001)
            responder.answer(0, None)
        else:
            responder.abandoned()
        assert (socket.kinds, socket.transport.code) == ([], None if closes_first else 4001)
    assert hub.metrics.tickets_refused == {}


async def test_too_many_who_wait_for_the_store_come_again(hub: Hub) -> None:
    """G8.3"""
    hub.actor.accepts = False
    socket = hub.connect()
    socket.say(m.Hello(hub.ticket(seat_generation=2)))
    hub.finder.gate.set()
    await turns()
    assert (socket.last["code"], socket.transport.code) == ("BUSY", 1013)


async def test_a_watcher_is_not_shown_a_room_that_another_hub_may_own(hub: Hub) -> None:
    """G3.7"""
    hub.actor.in_doubt = True
    lost, welcomed = hub.connect(), hub.connect()
    for socket in (lost, welcomed):
        await socket.ask(None)
        assert (socket.kinds, socket.transport.code) == ([], None)
    hub.actor.asking[0].abandoned()
    hub.actor.asking[1].answer(0, None)
    assert (lost.kinds, lost.transport.code) == ([], 4001)
    assert welcomed.kinds == ["welcome"]


@pytest.mark.parametrize("question", [m.Preview(1, "p", {}), m.Coach(1, "p"), m.AskPromises(1)])
async def test_a_question_is_not_answered_from_a_room_that_another_hub_may_own(
    hub: Hub, question: m.ToHub
) -> None:
    """G3.7"""
    socket = hub.connect()
    await socket.enter()
    hub.actor.in_doubt = True
    socket.say(question)
    assert (socket.last["t"], socket.last["code"]) == ("verdict", "BUSY")


@pytest.mark.parametrize(
    ("error", "kind", "code"),
    [
        (NoSuchRoom("r"), "error", 4004),
        (OtherVersion(), "error", 4012),
        (GameEnded(), "error", 4018),
        (Unavailable("come back"), "error", 1013),
    ],
    ids=lambda value: type(value).__name__,
)
async def test_a_room_that_cannot_be_opened(hub: Hub, error: Exception, kind: str, code: int) -> None:
    socket = hub.connect()
    hub.finder.error = error
    socket.say(m.Hello(hub.ticket()))
    hub.finder.gate.set()
    await turns()
    assert (socket.kinds, socket.transport.code) == ([kind], code)


async def test_a_defect_closes_the_socket() -> None:
    """It must not be left without an answer; the task's failure is counted all the same."""
    async with Tasks() as tasks:
        hub = Hub(tasks)
        socket = hub.connect()
        hub.finder.error = IndexError("a planted defect")
        socket.say(m.Hello(hub.ticket()))
        hub.finder.gate.set()
        await turns()
        assert (socket.kinds, socket.transport.code) == (["error"], 1013)
        assert tasks.failures == 1


async def test_a_relayed_socket_is_not_relayed_again(hub: Hub) -> None:
    """R8: one hop at most; its client comes again and is taken to the new owner."""
    socket = hub.connect()
    hub.finder.error = Elsewhere(HubIdentity("b", "wss://b.example:8421"))
    socket.say(m.Hello(hub.ticket()))
    hub.finder.gate.set()
    await turns()
    assert (socket.kinds, socket.transport.code) == ([], 4001)


async def test_a_table_that_may_not_be_watched(hub: Hub) -> None:
    room = hub.actor.room
    hub.actor.room = msgspec.structs.replace(room, table=msgspec.structs.replace(room.table, watching=False))
    socket = hub.connect()
    socket.say(m.Hello(hub.ticket(None)))
    hub.finder.gate.set()
    await turns()
    assert (socket.kinds, socket.transport.code) == ([], None)
    hub.actor.asking[0].answer(0, None)
    assert (socket.last["code"], socket.transport.code) == ("WATCHING_CLOSED", 4013)


async def test_a_table_with_too_many_waiting_commands(hub: Hub) -> None:
    hub.actor.accepts = False
    socket = hub.connect()
    socket.say(m.Hello(hub.ticket()))
    hub.finder.gate.set()
    await turns()
    assert (socket.last["code"], socket.transport.code) == ("BUSY", 1013)


async def test_a_room_lost_before_the_welcome(hub: Hub) -> None:
    """If the actor abandons the room or stops before the welcome, the client is sent to the new owner."""
    abandoned, late = hub.connect(), hub.connect()
    for socket in (abandoned, late):
        socket.say(m.Hello(hub.ticket()))
    hub.finder.gate.set()
    await turns()
    first, second = (responder for _, responder in hub.actor.attaching)
    first.abandoned()
    hub.actor.stopped = True
    second.answer(5, None)
    assert abandoned.transport.code == late.transport.code == 4001
    assert hub.actor.following == []


async def test_a_socket_that_closes_before_the_welcome(hub: Hub) -> None:
    """A socket that closes during the search for the room or during the commit never follows the room."""
    early, late = hub.connect(), hub.connect()
    early.say(m.Hello(hub.ticket()))
    early.connection.closed(1001)
    late.say(m.Hello(hub.ticket()))
    hub.finder.gate.set()
    await turns()
    [(_, responder)] = hub.actor.attaching
    late.connection.closed(1001)
    responder.answer(5, None)
    assert hub.actor.following == []
    assert (hub.metrics.seats, hub.metrics.sockets_closed) == (0, {1001: 2})


# --- between hello and welcome ---


async def test_early_messages_are_handled_after_the_welcome_in_order(hub: Hub) -> None:
    socket = hub.connect()
    socket.say(m.Hello(hub.ticket()))
    for n in range(MAX_EARLY_MESSAGES):
        socket.say(m.Ping(n))
    assert socket.kinds == []
    hub.finder.gate.set()
    await turns()
    hub.actor.attaching[0][1].answer(5, None)
    assert socket.kinds == ["welcome"] + ["pong"] * MAX_EARLY_MESSAGES
    assert [pong["n"] for pong in socket.transport.messages[1:]] == list(range(MAX_EARLY_MESSAGES))


async def test_early_messages_after_a_fatal_one_are_dropped(hub: Hub) -> None:
    socket = hub.connect()
    for message in (m.Hello(hub.ticket()), m.Hello(hub.ticket()), m.Note(5, 1, "after the end")):
        socket.say(message)
    hub.finder.gate.set()
    await turns()
    hub.actor.attaching[0][1].answer(5, None)
    assert (socket.last["code"], socket.transport.code) == ("HELLO_TWICE", 4000)
    assert hub.actor.commands == []


async def test_too_many_early_messages(hub: Hub) -> None:
    socket = hub.connect()
    socket.say(m.Hello(hub.ticket()))
    for n in range(MAX_EARLY_MESSAGES + 1):
        socket.say(m.Ping(n))
    assert (socket.last["code"], socket.transport.code) == ("TOO_EARLY", 4008)


# --- following ---


async def test_commands_reach_the_actor_and_verdicts_the_client(hub: Hub) -> None:
    socket = hub.connect()
    await socket.enter()
    command = m.Do(5, 1, "guess", {"move": "guess", "number": 3})
    socket.say(command)
    assert hub.actor.commands == [(Seat(0), command, socket.connection)]
    socket.connection.answer(1, None)
    socket.connection.answer(2, Refusal("NOT_ON_THE_DIE", "TOY-2"))
    applied, refused = socket.transport.messages[1:]
    assert (applied["t"], applied["n"], applied.get("code")) == ("verdict", 1, None)
    assert (refused["n"], refused["code"], refused["rule"]) == (2, "NOT_ON_THE_DIE", "TOY-2")


async def test_a_seat_with_too_many_waiting_commands(hub: Hub) -> None:
    socket = hub.connect()
    await socket.enter()
    hub.actor.accepts = False
    socket.say(m.Note(5, 9, "x"))
    assert (socket.last["n"], socket.last["code"]) == (9, "BUSY")
    assert socket.transport.code is None


@pytest.mark.parametrize(
    "message",
    [
        m.Do(0, 7, "guess", {}),
        m.Note(0, 7, "x"),
        m.Preview(7, "guess", {}),
        m.Coach(7, "guess"),
        m.Say(0, 7, "watchers", phrase="hi"),
        m.Say(0, 7, "watchers", text="hi", to=0),
    ],
    ids=str,
)
async def test_commands_of_watchers_are_refused(hub: Hub, message: m.ToHub) -> None:
    """GEN-8"""
    socket = hub.connect()
    await socket.enter(None)
    socket.say(message)
    assert (socket.last["n"], socket.last["code"]) == (7, "NOT_SEATED")
    assert (hub.actor.commands, hub.actor.talk) == ([], [])
    assert hub.metrics.refused == {"NOT_SEATED": 1}


async def test_a_watcher_is_told_whether_the_table_hears_them(hub: Hub) -> None:
    """GEN-8: it does not, unless its host chose so."""
    socket = hub.connect()
    await socket.enter(None)
    socket.say(m.Say(0, 7, "table", text="hi"))
    assert (socket.last["n"], socket.last["code"]) == (7, "WATCHERS_UNHEARD")
    assert (hub.actor.commands, hub.actor.talk, hub.actor.told) == ([], [], [])
    assert hub.metrics.refused == {"WATCHERS_UNHEARD": 1}
    room = hub.actor.room
    hub.actor.room = replace(room, table=replace(room.table, open=False, hears_watchers=True))
    socket.say(say := m.Say(0, 8, "table", text="hi"))
    assert (socket.last["n"], socket.last.get("code")) == (8, None)
    assert hub.actor.told == [(socket.connection.person, "Ann", say)]
    assert hub.actor.talk == []


async def test_watchers_talk_among_themselves_under_a_name_that_no_seat_has(hub: Hub) -> None:
    """R10, T6: a seat is called Ann, too; what would hide or reverse other text is removed."""
    socket = hub.connect()
    await socket.enter(None)
    socket.say(m.Say(0, 1, "watchers", text="\u202ehi\x07"))
    assert hub.actor.talk == [m.TalkMessage(channel="watchers", name="Ann 2", at=77, text="hi")]
    assert (socket.last["t"], socket.last["n"], socket.last.get("code")) == ("verdict", 1, None)


async def test_a_watchers_message_without_a_visible_character_is_refused(hub: Hub) -> None:
    """T6"""
    socket = hub.connect()
    await socket.enter(None)
    socket.say(m.Say(0, 1, "watchers", text="\u200b\u2800"))
    assert hub.actor.talk == []
    assert (socket.last["n"], socket.last["code"]) == (1, "NOTHING_SAID")


async def test_a_refused_preview_says_what_a_refused_move_would(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GEN-3: with the arguments that its sentence needs."""
    refusal = Refusal("TOO_FAR", "TOY-2", {"most": 6})
    monkeypatch.setattr("hub.net.connection.preview", lambda *_: refusal)
    socket = hub.connect()
    await socket.enter()
    socket.say(m.Preview(4, "guess", {}))
    assert socket.last == {"t": "verdict", "n": 4, "code": "TOO_FAR", "rule": "TOY-2", "args": {"most": 6}}
    assert hub.metrics.refused == {"TOO_FAR": 1}
    assert hub.actor.commands == []


async def test_a_defect_in_a_preview_does_not_close_the_socket(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("hub.net.connection.preview", fail)
    socket = hub.connect()
    await socket.enter()
    socket.say(m.Preview(4, "guess", {}))
    assert (socket.last["n"], socket.last["code"]) == (4, "BROKEN")
    assert socket.transport.code is None


async def test_a_defect_in_a_coach_does_not_close_the_socket(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("hub.net.connection.advise", fail)
    socket = hub.connect()
    await socket.enter()
    socket.say(m.Coach(4, "guess"))
    assert (socket.last["n"], socket.last["code"]) == (4, "BROKEN")
    assert socket.transport.code is None


async def test_closing_a_seat_and_a_slow_reader(hub: Hub) -> None:
    seat, watcher = hub.connect(), hub.connect()
    await seat.enter()
    await watcher.enter(None)
    seat.connection.closed(1000)
    assert hub.actor.following == [watcher.connection]
    watcher.connection.closed(SLOW_READER)
    assert hub.actor.following == []
    assert (hub.metrics.seats, hub.metrics.watchers, hub.metrics.dropped) == (0, 0, 1)
    assert hub.metrics.sockets_closed == {1000: 1, SLOW_READER: 1}


# --- limits ---


async def test_one_socket_too_many_at_a_place_closes_the_oldest(hub: Hub) -> None:
    """G8.9: only that person's oldest one at that place, which leaves the table at once."""
    seated = seating.sit(hub.actor.room, "p-bea", "Bea", 2, 1, Millis(0))
    assert isinstance(seated, Change)
    hub.actor.room = seated.room
    other, watcher, stranger = hub.connect(), hub.connect(), hub.connect()
    await other.enter(1, person="p-bea")
    await watcher.enter(None)
    await stranger.enter(None, person="p-cy")
    for seat in (0, None):
        tabs = [hub.connect() for _ in range(PER_PLACE - (seat is None))]
        for tab in tabs:
            await tab.enter(seat)
        last = hub.connect()
        await last.enter(seat)
        oldest = tabs[0] if seat == 0 else watcher
        assert oldest.transport.code == 4011
        assert oldest.connection not in hub.actor.following
        assert {tab.transport.code for tab in (*tabs, last) if tab is not oldest} == {None}
        oldest.connection.closed(4011)
        for tab in (*tabs, last):
            tab.connection.closed(1000)
    assert (other.transport.code, stranger.transport.code) == (None, None)
    assert hub.actor.following == [other.connection, stranger.connection]
    assert hub.metrics.limited == {"place sockets": 2}
    assert (hub.metrics.seats, hub.metrics.watchers, len(hub.context.people)) == (1, 1, 2)


async def test_a_persons_sockets_at_all_tables_are_limited(hub: Hub) -> None:
    """G8.9: beyond it, the oldest closes, at whatever table it is."""
    sockets = [hub.connect(f"r{i}") for i in range(PER_PERSON + 1)]
    for i, socket in enumerate(sockets):
        await socket.enter(None, room=f"r{i}")
    assert [socket.transport.code for socket in sockets] == [4011] + [None] * PER_PERSON
    assert hub.metrics.limited == {"person sockets": 1}
    assert hub.actor.following == [socket.connection for socket in sockets[1:]]


async def test_a_table_with_as_many_watchers_as_it_may_have(hub: Hub) -> None:
    """G8.9: the error for another watcher says to come back later; seats do not count, and are let in."""
    await hub.connect().enter()
    watchers = [hub.connect() for _ in range(WATCHERS)]
    for i, watcher in enumerate(watchers):
        await watcher.enter(None, person=f"p-{i}")
    late, seat = hub.connect(), hub.connect()
    await late.ask(None, person="p-late")
    hub.actor.asking[0].answer(0, None)
    assert (late.last["code"], late.transport.code) == ("TABLE_FULL", 4013)
    assert "try again in a minute" in late.last["advice"]
    await seat.enter()
    assert seat.transport.code is None
    watchers[0].connection.closed(1000)
    again = hub.connect()
    await again.enter(None, person="p-late")
    assert again.last["t"] == "welcome"
    assert hub.metrics.limited == {"watchers": 1}


async def test_only_watchers_join_the_crowd(hub: Hub) -> None:
    """G8.10"""
    seat, watcher = hub.connect(), hub.connect()
    await seat.enter()
    await watcher.enter(None)
    assert (seat.transport.in_crowd, watcher.transport.in_crowd) == (False, True)


async def test_a_watcher_who_says_too_much(hub: Hub) -> None:
    """G8.11: the refusal says when to come back."""
    hub.actor.refusal = Refusal("SLOW_DOWN", "G8", {"seconds": 2})
    socket = hub.connect()
    await socket.enter(None)
    socket.say(m.Say(0, 7, "watchers", text="hi"))
    assert socket.last == {"t": "verdict", "n": 7, "code": "SLOW_DOWN", "rule": "G8", "args": {"seconds": 2}}
    assert (hub.actor.talk, hub.metrics.refused) == ([], {"SLOW_DOWN": 1})


async def test_messages_over_the_limit_are_refused_and_then_end_the_socket(hub: Hub) -> None:
    """G8.2: a burst is handled, as many messages again are refused, and the next one closes the socket."""
    socket = hub.connect()
    await socket.enter()
    for n in range(2 * BURST):
        socket.say(m.Ping(n))
    assert socket.kinds[1:] == ["pong"] * BURST + ["verdict"] * BURST
    assert {message["code"] for message in socket.transport.messages[1 + BURST :]} == {"SLOW_DOWN"}
    assert hub.metrics.limited == {"messages": BURST}
    assert [socket.transport.code] == [None]
    socket.say(m.Ping(99))
    assert (socket.last["code"], socket.transport.code) == ("SLOW_DOWN", 4008)


async def test_a_client_that_slows_down_is_forgiven(hub: Hub) -> None:
    """G8.2"""
    socket = hub.connect()
    await socket.enter()
    for _ in range(3):
        for n in range(2 * BURST):
            socket.say(m.Ping(n))
        hub.clock.advance(BURST / RATE)
        socket.say(m.Ping(100))
        assert socket.last["t"] == "pong"
        hub.clock.advance(BURST / RATE)
    assert socket.transport.code is None


async def test_an_error_names_the_command_it_answers(hub: Hub) -> None:
    """It is the only answer to that command, in place of a verdict."""
    socket = hub.connect()
    await socket.enter()
    socket.connection.message(msgpack.packb({"t": "note", "session": 1, "n": 5}))
    assert (socket.last["t"], socket.last["code"], socket.last["n"]) == ("error", "BAD_FIELDS", 5)
    socket.connection.message(msgpack.packb({"t": "note", "session": 1}))
    assert (socket.last["code"], socket.last.get("n")) == ("BAD_FIELDS", None)


async def test_garbage_is_answered_and_counts_against_the_limit(hub: Hub) -> None:
    """G8.1, G8.2"""
    socket = hub.connect()
    await socket.enter()
    for _ in range(2 * BURST):
        socket.connection.message(b"\x80")
        assert socket.last["t"] == "error"
    assert socket.transport.code is None
    socket.connection.message(b"\x80")
    assert socket.transport.code == 4008


# --- the limit of a site ---


async def test_sockets_of_a_site_over_its_limit_are_read_later_one_by_one(hub: Hub) -> None:
    """G8.16: everything is answered; only reading waits, half a second for each message over the burst."""
    sockets = [hub.connect(remote=f"203.0.113.{last}") for last in (1, 2, 3)]
    for socket in sockets:
        await socket.enter()
    for socket in (sockets[0], sockets[0], sockets[0], sockets[1], sockets[1]):
        socket.say(m.Ping(1))
    assert [socket.transport.is_reading for socket in sockets] == [True, True, True]
    sockets[0].say(m.Ping(2))
    sockets[1].say(m.Ping(2))
    sockets[1].say(m.Ping(3))  # it had arrived together with the one before
    assert [socket.transport.is_reading for socket in sockets] == [False, False, True]
    assert [len(socket.transport.messages) for socket in sockets] == [5, 5, 1]
    assert hub.metrics.limited["site messages"] == 2
    reading = []
    for _ in range(4):
        hub.clock.advance(0.5)
        reading.append([socket.transport.is_reading for socket in sockets[:2]])
    assert reading == [[True, False], [True, False], [True, True], [True, True]]


async def test_a_site_slows_only_itself(hub: Hub) -> None:
    """G8.16: a neighbour in the same /24 shares the limit; others, and this machine, do not."""
    addresses = ("203.0.113.1", "203.0.113.200", "198.51.100.1", "127.0.0.1", "127.0.0.1")
    noisy, neighbour, other, *local = sockets = [hub.connect(remote=address) for address in addresses]
    for number, socket in enumerate(sockets):
        await socket.enter(None, person=f"p-{number}")
    for socket in (*[noisy] * BURST, *[neighbour] * BURST, *[other] * BURST, *local * BURST):
        socket.say(m.Ping(1))
    assert [socket.transport.is_reading for socket in sockets] == [True, False, True, True, True]


async def test_a_question_costs_its_site_as_much_as_many_messages(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """G8.16: many people at one site could ask more than a core can answer."""
    monkeypatch.setattr("hub.net.connection.preview", lambda *_: Refusal("NO_PREVIEW", "GEN-3"))
    socket = hub.connect(remote="203.0.113.1")
    await socket.enter()
    socket.say(m.Preview(1, "turn:1", {}))
    assert socket.last["code"] == "NO_PREVIEW"
    rest = (command_budget.QUESTION_COST - SITE_BURST) / SITE_RATE
    hub.clock.advance(rest - 0.1)
    assert not socket.transport.is_reading
    hub.clock.advance(0.1)
    assert socket.transport.is_reading


async def test_the_last_socket_of_a_site_takes_its_budget_along(hub: Hub) -> None:
    first, second = hub.connect(remote="203.0.113.1"), hub.connect(remote="203.0.113.200")
    assert len(hub.context.sites) == 1
    first.connection.closed(1006)
    assert len(hub.context.sites) == 1
    second.connection.closed(1006)
    assert len(hub.context.sites) == 0


async def test_a_room_is_opened_for_a_network_and_a_person(hub: Hub) -> None:
    """A room that wakes counts against them (hub/runtime/room_limits.py)."""
    socket = hub.connect(remote="2001:db8::7")
    await socket.enter()
    assert hub.finder.openers == [Opener("2001:db8::/64", "p-ann")]
