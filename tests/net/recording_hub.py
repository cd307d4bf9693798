"""A hub that records what its connections send, and the client's side of one connection."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import msgpack  # type: ignore[import-untyped]
import msgspec

from games.api import Millis, Refusal, Seat
from hub.net.command_budget import CommandBudget
from hub.net.connection import Connection
from hub.net.connection_state import ConnectionContext
from hub.net.person_sockets import PersonSockets
from hub.net.site_budgets import SiteBudgets
from hub.runtime.actor import Actor
from hub.runtime.ports import Responder
from hub.table import actions, seating
from hub.table.commands import Attach
from hub.table.room import Change, Room, Rules, Table
from hub.table.speech import refuse_watcher
from hub.telemetry.metrics import Metrics
from hub.telemetry.tasks import Tasks
from hub.wire import codec
from hub.wire import messages as m
from hub.wire.limits import Opener
from hub.wire.tickets import Signer, Ticket
from tests.harness.defaults import DEFAULTS
from tests.harness.manual_clock import ManualClock
from tests.toy import Toy, ToyOptions

WALL = 1_800_000_000.0
SIGNER = Signer(bytes(range(32)), DEFAULTS.token_days)
RATE, BURST = 10, 4
SITE_RATE, SITE_BURST = 2, 5
PER_PLACE, PER_PERSON, WATCHERS = 3, 5, 6


class RecordingTransport:
    """A transport that records messages; like the real one, it sends nothing more once closed."""

    def __init__(self, remote: str | None = None) -> None:
        self.remote = remote
        self.messages: list[dict[str, Any]] = []
        self.code: int | None = None
        self.reason = ""
        self.in_crowd = False
        self.is_reading = True

    @property
    def closed(self) -> bool:
        return self.code is not None

    def send(self, data: bytes) -> None:
        if not self.closed:
            size = data[1]
            payload = data[2:] if size < 126 else data[4:]
            self.messages.append(msgpack.unpackb(payload))

    def join_seats(self) -> None:
        """No test waits for a line that is cut in silence."""

    def join_crowd(self) -> None:
        self.in_crowd = True

    def pause_reading(self) -> None:
        self.is_reading = False

    def resume_reading(self) -> None:
        self.is_reading = True

    def listen(self, *_: Any) -> None:
        raise AssertionError("the endpoint does that")

    def close(self, code: int, reason: str = "") -> None:
        if self.code is None:
            self.code, self.reason = code, reason

    def abort(self) -> None:
        self.close(1006)


class RecordingActor:
    """An actor that records the calls from its connections."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.rules = Toy()
        self.token = "1:hub:x"
        self.stopped = False
        self.accepts = True
        self.in_doubt = False
        self.asking: list[Any] = []
        """Those who wait for the store to confirm that the hub owns the room."""
        self.commands: list[tuple[Seat, Any, Any]] = []
        self.attaching: list[tuple[Attach, Any]] = []
        self.following: list[Connection] = []
        self.talk: list[m.TalkMessage] = []
        self.told: list[tuple[str, str, m.Say]] = []
        """What watchers said to the table: who, under which name, and their message."""
        self.refusal: Refusal | None = None

    def table_time(self) -> Millis:
        return Millis(77)

    def read_seats_time(self) -> Millis:
        return Millis(77)

    def read_shown_time(self) -> Millis:
        return Millis(77)

    @property
    def shown_table(self) -> Table:
        return self.room.table

    def receive(self, seat: Seat, command: Any, responder: Any) -> bool:
        self.commands.append((seat, command, responder))
        return self.accepts

    def perform(self, command: Any, responder: Any) -> bool:
        self.attaching.append((command, responder))
        return self.accepts

    def confirm_ownership(self, responder: Any) -> bool:
        self.asking.append(responder)
        return self.accepts

    def subscribe(self, viewer: Any, welcome: bytes, *, hosting: bool = False) -> None:
        self.following.append(viewer)
        viewer.send(welcome)

    def unsubscribe(self, viewer: Any) -> None:
        self.following.remove(viewer)

    def refuse_watcher(self, person: str) -> Refusal | None:
        return None

    @property
    def is_catching_up(self) -> bool:
        return False

    @property
    def watchers(self) -> int:
        return sum(viewer.seat is None for viewer in self.following)

    def say_to_table(self, person: str, name: str, say: m.Say, responder: Responder) -> Refusal | None:
        refusal = self.refusal or refuse_watcher(cast(Rules, self.rules), self.room, say)
        if refusal is None:
            self.told.append((person, name, say))
            responder.answer(0, None)
        return refusal

    def say_to_watchers(self, person: str, message: m.TalkMessage) -> Refusal | None:
        if self.refusal is None:
            self.talk.append(message)
        return self.refusal


class RecordingFinder:
    """A finder that finds its one room as soon as the test opens the gate."""

    def __init__(self, actor: RecordingActor) -> None:
        self.actor = actor
        self.gate = asyncio.Event()
        self.error: Exception | None = None
        self.openers: list[Opener] = []

    async def find(self, room: str, opener: Opener, *, take_free: bool = False) -> Actor:
        self.openers.append(opener)
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        return cast(Actor, self.actor)


class Hub:
    """Everything a connection needs, and connections to one room where Ann has seat 0."""

    def __init__(self, tasks: Tasks) -> None:
        rules: Any = Toy()
        room = actions.create(
            rules, "r", "CODE", 2, ToyOptions(), bytes(32), name_keys=[bytes(16)] * 2, open=True
        )
        change = seating.sit(room, "p-ann", "Ann", 1, 0, Millis(0))
        assert isinstance(change, Change)
        self.actor = RecordingActor(change.room)
        self.finder = RecordingFinder(self.actor)
        self.clock = ManualClock()
        self.metrics = Metrics()
        self.context = ConnectionContext(
            finder=self.finder,
            signer=SIGNER,
            clock=self.clock,
            tasks=tasks,
            metrics=self.metrics,
            wall=lambda: WALL,
            people=PersonSockets(self.metrics, PER_PLACE, PER_PERSON),
            sites=SiteBudgets(SITE_RATE, SITE_BURST),
            commands=CommandBudget(self.clock),
            watchers_per_table=WATCHERS,
            rate=RATE,
            burst=BURST,
        )

    def connect(self, room: str = "r", remote: str | None = None) -> Socket:
        return Socket(self, room, remote)

    def ticket(self, seat: int | None = 0, **changed: Any) -> str:
        generation = 0 if seat is None else self.actor.room.table.seats[0].seat_generation
        person = "p-wil" if seat is None else "p-ann"  # who sits cannot watch
        ticket = Ticket("r", seat, person, "Ann", 1, generation, int(WALL))
        return SIGNER.ticket(msgspec.structs.replace(ticket, **changed))


class Socket:
    """The client's side of one connection."""

    def __init__(self, hub: Hub, room: str = "r", remote: str | None = None) -> None:
        self.hub = hub
        self.transport = RecordingTransport(remote)
        self.connection = Connection(self.transport, hub.context, room)

    def say(self, message: m.ToHub) -> None:
        self.connection.message(codec.encode(message))

    @property
    def kinds(self) -> list[str]:
        return [message["t"] for message in self.transport.messages]

    @property
    def last(self) -> dict[str, Any]:
        return self.transport.messages[-1]

    async def enter(self, seat: int | None = 0, **changed: Any) -> None:
        """Says hello and is welcomed."""
        await self.ask(seat, **changed)
        assert self.kinds == ["welcome"]

    async def ask(self, seat: int | None = 0, **changed: Any) -> None:
        """Says hello with a ticket that differs in these fields."""
        self.say(m.Hello(self.hub.ticket(seat, **changed)))
        self.hub.finder.gate.set()
        await turns()
        if seat is not None:
            self.hub.actor.attaching[-1][1].answer(5, None)


async def turns() -> None:
    for _ in range(5):
        await asyncio.sleep(0)
