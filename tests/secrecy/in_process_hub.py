"""A whole hub in one process, with real rooms, actors and connections, but a fake clock, store and sockets.

Nothing happens except in `InProcessHub.pump` (work that is due) and `InProcessHub.advance` (time passes).
Each socket is a `HandWire`, which records everything the hub sends, and the code it closes the socket with.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any, Final, TypeVar, cast

import msgpack  # type: ignore[import-untyped]

from games.api import Registration, Seat
from hub.net.command_budget import CommandBudget
from hub.net.connection import Connection
from hub.net.connection_state import ConnectionContext
from hub.net.person_sockets import PersonSockets
from hub.net.site_budgets import SiteBudgets
from hub.runtime.actor import Actor
from hub.runtime.overload import Overload
from hub.runtime.ports import BotExecutor, Services
from hub.runtime.registry import HubRooms
from hub.store.hubs import HubIdentity
from hub.table.room import Room, Snapshots
from hub.telemetry.metrics import Metrics
from hub.telemetry.tasks import Tasks
from hub.wire import codec
from hub.wire import messages as m
from hub.wire.limits import Budget, TalkLimits
from hub.wire.tickets import Person, Signer, Ticket
from hub.worker.bot_executor import InlineExecutor
from tests.harness.defaults import DEFAULTS, make_room_limits
from tests.harness.manual_clock import ManualClock
from tests.harness.memory_store import Head, ManualLease, MemoryStore

T = TypeVar("T")
ON_LOOP: Final = InlineExecutor()
NOW: Final = 1_700_000_000
"""The time of day at which tickets are issued."""
SECRET: Final = b"s" * 32
TALK_LIMITS: Final = TalkLimits(
    Budget(*DEFAULTS.talk_per_seat),
    Budget(*DEFAULTS.talk_of_seats),
    Budget(*DEFAULTS.talk_per_watcher),
    Budget(*DEFAULTS.talk_of_watchers),
)


class HandWire:
    """A socket that records what was sent through it and, finally, the code it was closed with."""

    remote: str | None = None

    def __init__(self, clock: ManualClock) -> None:
        self.remote: str | None = None
        self.closed = False
        self.send: Callable[[bytes], None] = self._send
        self.out: list[bytes | int] = []
        self.listener: Any = None
        self._clock = clock

    def join_seats(self) -> None:
        """No test waits for a line that is cut in silence."""

    def join_crowd(self) -> None:
        """Nothing waits on this socket."""

    def pause_reading(self) -> None:
        raise AssertionError("this machine has no limit")

    def resume_reading(self) -> None:
        raise AssertionError("this machine has no limit")

    def listen(self, on_message: Any, on_close: Any) -> None:
        raise AssertionError("the endpoint listens")

    def _send(self, data: bytes) -> None:
        if not self.closed:
            self.out.append(data)

    def close(self, code: int, reason: str = "") -> None:
        if not self.closed:
            self.closed = True
            self.out.append(code)
            self._clock.call_soon(lambda: self.listener.closed(code))

    def abort(self) -> None:
        self.close(1006)

    def hear(self, data: bytes) -> None:
        if not self.closed:
            self.listener.message(data)


class Client:
    """One client instance of a person; it reconnects with its existing session."""

    def __init__(self, hub: InProcessHub, ticket: str, seat: Seat | None) -> None:
        self.hub = hub
        self.ticket = ticket
        self.seat = seat
        self.session: int | None = None
        self.n = 0
        self.wire = HandWire(hub.clock)
        self._read = 0

    def begin(self) -> None:
        """Opens a new socket and says hello."""
        self.wire = HandWire(self.hub.clock)
        self._read = 0
        self.wire.listener = Connection(self.wire, self.hub.connection_context, self.hub.room)
        self.send(m.Hello(self.ticket, self.session))

    async def open(self) -> None:
        self.begin()
        await self.hub.settle()
        for message in self.messages():
            if message["t"] == "welcome":
                self.session = message["session"]

    def send(self, message: m.ToHub) -> None:
        self.wire.hear(codec.encode(message))

    def command(self, kind: Callable[..., Any], /, **fields: Any) -> None:
        """Sends a command with the next number."""
        self.send(kind(session=self.session or 0, n=self.n, **fields))
        self.n += 1

    def lose(self) -> None:
        """Loses the connection."""
        if not self.wire.closed:
            self.wire.closed = True
            self.wire.listener.closed(1006)

    def heard(self) -> list[bytes | int]:
        """Everything received since the last call."""
        out = self.wire.out[self._read :]
        self._read = len(self.wire.out)
        return out

    def messages(self) -> list[dict[str, Any]]:
        """Every message received over this socket."""
        return [message for data in self.wire.out if isinstance(data, bytes) for message in read(data)]


def payloads(data: bytes) -> Iterator[bytes]:
    """The payloads in framed bytes (a verdict may be sent together with a frame)."""
    while data:
        start = {126: 4, 127: 10}.get(data[1], 2)
        size = data[1] if start == 2 else int.from_bytes(data[2:start], "big")
        yield data[start : start + size]
        data = data[start + size :]


def read(data: bytes) -> list[dict[str, Any]]:
    """The messages in framed bytes."""
    return [msgpack.unpackb(payload, strict_map_key=False) for payload in payloads(data)]


class InProcessHub:
    """One hub with one room."""

    def __init__(
        self, games: Mapping[str, Registration], tasks: Tasks, bot_executor: BotExecutor = ON_LOOP
    ) -> None:
        self.games = games
        self.bot_executor = bot_executor
        self.tasks = tasks
        self.clock = ManualClock(0)
        self.store = MemoryStore()
        self.lease = ManualLease(self.clock)
        self.signer = Signer(SECRET, DEFAULTS.token_days)
        self.metrics = Metrics()
        self.overload = Overload()
        self.rooms = self._life(0)
        self.connection_context = self._connection_context()
        self.room = ""

    def _life(self, number: int) -> HubRooms:
        self.life = number
        return HubRooms(
            games=self.games,
            store=cast(Any, self.store),
            lease=cast(Any, self.lease),
            identity=HubIdentity(f"hub{number}", "http://hub"),
            signer=self.signer,
            tasks=self.tasks,
            services=lambda rooms: Services(
                clock=self.clock,
                live_clock=self.lease,
                commits=self.store,
                bot_executor=self.bot_executor,
                metrics=self.metrics,
                stopped=rooms.on_stopped,
                summary=rooms.summary,
                started=rooms.on_started,
                talk_limits=TALK_LIMITS,
                overload=self.overload,
            ),
            store_problem=lambda: None,
            record_days=DEFAULTS.record_days,
            limits=make_room_limits(self.metrics.limited),
        )

    def _connection_context(self) -> ConnectionContext:
        return ConnectionContext(
            finder=self.rooms,
            signer=self.signer,
            clock=self.clock,
            tasks=self.tasks,
            metrics=self.metrics,
            wall=lambda: NOW,
            people=PersonSockets(self.metrics, DEFAULTS.sockets_per_place, DEFAULTS.sockets_per_person),
            sites=SiteBudgets(1e6, 1e6),
            commands=CommandBudget(self.clock),
            watchers_per_table=DEFAULTS.watchers_per_table,
            rate=1e9,
            burst=1e9,
        )

    async def put(self, room: Room, *, at: int = 0) -> Actor:
        """Puts a room into the store and returns its actor."""
        table = room.table
        self.room = table.room
        snapshot = Snapshots().pack(room)
        head = Head(snapshot, table.code, table.status, at=at, live=self.clock.now_ms())
        self.store.heads[table.room] = head
        return await self.rooms.find(table.room)

    async def restart(self) -> None:
        """The hub dies and starts again: every socket is lost, and the room is read from the store."""
        self.clock.forget()
        self.rooms = self._life(self.life + 1)
        self.connection_context = self._connection_context()
        await self.rooms.find(self.room)

    @property
    def actor(self) -> Actor:
        return self.rooms._actors[self.room]

    @property
    def state(self) -> Any:
        position = self.actor.room.position
        return None if position is None else position.state

    def person(self, seat: int) -> Person:
        return Person(f"person {seat}", f"Name {seat}", seat, 0)

    def client(self, seat: Seat | None, seat_generation: int = 1) -> Client:
        who = self.person(99 if seat is None else seat)
        ticket = Ticket(self.room, seat, who.id, who.name, who.colour, seat_generation, NOW)
        return Client(self, self.signer.ticket(ticket), seat)

    # --- what happens ---

    def pump(self) -> None:
        """Runs everything that is due."""
        while self.clock.run_soon() or self.store.answer():
            pass

    async def finish(self, awaitable: Awaitable[T]) -> T:
        """The result, once everything it causes has happened."""
        task = asyncio.ensure_future(awaitable)
        while not task.done():
            self.pump()
            await asyncio.sleep(0)
        await self.settle()
        return task.result()

    async def settle(self) -> None:
        """Pumps until every task has ended."""
        while True:
            self.pump()
            if not len(self.tasks):
                return
            await asyncio.sleep(0)

    def advance(self, milliseconds: int) -> None:
        self.pump()
        until = self.clock.now_ms() + milliseconds
        while self.clock.fire_next(until):
            self.pump()
        self.pump()
