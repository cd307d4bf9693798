"""A whole hub in one's hand: its rooms, actors and connections as they are; time, store and sockets faked.

Nothing happens but by `Rig.pump` (what is due now) and `Rig.advance` (time passes). Sockets are `HandWire`s:
they keep what the hub sent, send by send, and the code it closed them with.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, cast

import msgpack  # type: ignore[import-untyped]

from games.api import Registration, Seat
from hub.net.connection import Connection, ConnectionContext
from hub.runtime.actor import Actor
from hub.runtime.ports import BotExecutor, Services
from hub.runtime.registry import HubRooms
from hub.store.store import HubIdentity
from hub.table import room
from hub.table.room import Room
from hub.telemetry.metrics import Metrics
from hub.telemetry.tasks import Tasks
from hub.wire import codec
from hub.wire import messages as m
from hub.wire.tickets import Person, Signer, Ticket
from hub.worker.bot_executor import InlineExecutor
from tests.harness.manual_clock import ManualClock
from tests.harness.memory_store import Head, ManualLease, MemoryStore

ON_LOOP: Final = InlineExecutor()
NOW: Final = 1_700_000_000
"""Time of day: tickets are made then."""
SECRET: Final = b"s" * 32


class HandWire:
    """A socket: what was sent through it, and at last the code it was closed with."""

    def __init__(self, clock: ManualClock) -> None:
        self.remote: str | None = None
        self.closed = False
        self.send: Callable[[bytes], None] = self._send
        self.out: list[bytes | int] = []
        self.listener: Any = None
        self._clock = clock

    def listen(self, on_message: Any, on_close: Any) -> None:
        raise AssertionError("the endpoint listens")

    def _send(self, data: bytes) -> None:
        if not self.closed:
            self.out.append(data)

    def close(self, code: int, reason: str = "") -> None:
        if not self.closed:
            self.closed = True
            self.out.append(code)
            self._clock.soon(lambda: self.listener.closed(code))

    def abort(self) -> None:
        self.close(1006)

    def hear(self, data: bytes) -> None:
        if not self.closed:
            self.listener.message(data)


class Client:
    """One client instance of a person: it reconnects with what it knows."""

    def __init__(self, rig: Rig, ticket: str, seat: Seat | None) -> None:
        self.rig = rig
        self.ticket = ticket
        self.seat = seat
        self.session: int | None = None
        self.n = 0
        self.wire = HandWire(rig.clock)
        self._read = 0

    def begin(self) -> None:
        """A new socket, on which hello was said."""
        self.wire = HandWire(self.rig.clock)
        self._read = 0
        self.wire.listener = Connection(self.wire, self.rig.connection_context)
        self.send(m.Hello(self.ticket, self.session))

    async def open(self) -> None:
        self.begin()
        await self.rig.settle()
        for message in self.messages():
            if message["t"] == "welcome":
                self.session = message["session"]

    def send(self, message: m.ToHub) -> None:
        self.wire.hear(codec.encode(message))

    def command(self, kind: Callable[..., Any], **fields: Any) -> None:
        """A command with the next number."""
        self.send(kind(session=self.session or 0, n=self.n, **fields))
        self.n += 1

    def lose(self) -> None:
        """The connection is gone."""
        if not self.wire.closed:
            self.wire.closed = True
            self.wire.listener.closed(1006)

    def heard(self) -> list[bytes | int]:
        """What came since it was last asked for."""
        out = self.wire.out[self._read :]
        self._read = len(self.wire.out)
        return out

    def messages(self) -> list[dict[str, Any]]:
        """Everything heard over this socket, read."""
        return [message for data in self.wire.out if isinstance(data, bytes) for message in read(data)]


def payloads(data: bytes) -> Iterator[bytes]:
    """What stands in framed bytes (a verdict may leave with a frame)."""
    while data:
        start = {126: 4, 127: 10}.get(data[1], 2)
        size = data[1] if start == 2 else int.from_bytes(data[2:start], "big")
        yield data[start : start + size]
        data = data[start + size :]


def read(data: bytes) -> list[dict[str, Any]]:
    """The messages in framed bytes."""
    return [msgpack.unpackb(payload, strict_map_key=False) for payload in payloads(data)]


class Rig:
    """One hub, with one room of its own."""

    def __init__(
        self, games: Mapping[str, Registration], tasks: Tasks, bot_executor: BotExecutor = ON_LOOP
    ) -> None:
        self.games = games
        self.bot_executor = bot_executor
        self.tasks = tasks
        self.clock = ManualClock(0)
        self.store = MemoryStore()
        self.lease = ManualLease(self.clock)
        self.signer = Signer(SECRET)
        self.metrics = Metrics()
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
                stopped=rooms.stopped,
                summary=rooms.summary,
            ),
            store_healthy=lambda: True,
            record_days=90,
        )

    def _connection_context(self) -> ConnectionContext:
        return ConnectionContext(
            finder=self.rooms,
            signer=self.signer,
            clock=self.clock,
            tasks=self.tasks,
            metrics=self.metrics,
            wall=lambda: NOW,
            rate=1e9,
            burst=1e9,
        )

    async def put(self, made: Room, *, at: int = 0) -> Actor:
        """A room into the store, and its actor."""
        where = made.table
        self.room = where.room
        snapshot = room.Snapshots().pack(made)
        head = Head(snapshot, where.code, where.status, at=at, live=self.clock.now_ms())
        self.store.heads[where.room] = head
        return await self.rooms.find(where.room)

    async def restart(self) -> None:
        """The hub dies and lives again: every socket is lost, the room is taken from the store anew."""
        self.clock.forget()
        self.rooms = self._life(self.life + 1)
        self.connection_context = self._connection_context()
        await self.rooms.find(self.room)

    @property
    def actor(self) -> Actor:
        return self.rooms._actors[self.room]

    @property
    def state(self) -> Any:
        here = self.actor.room.position
        return None if here is None else here.state

    def person(self, seat: int) -> Person:
        return Person(f"person {seat}", f"Name {seat}", seat)

    def client(self, seat: Seat | None, seat_generation: int = 1) -> Client:
        who = self.person(99 if seat is None else seat)
        ticket = Ticket(self.room, seat, who.id, who.name, who.colour, seat_generation, NOW)
        return Client(self, self.signer.ticket(ticket), seat)

    # --- what happens ---

    def pump(self) -> None:
        """Everything that is due now."""
        while self.clock.run_soon() or self.store.answer():
            pass

    async def settle(self) -> None:
        """The same, and all that was begun is done."""
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
