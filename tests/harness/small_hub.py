"""A hub without processes or sockets: it uses a real store, and the test advances its time.

A `SmallHub` may be cut off at any of its steps. A step is one callback of the event loop that the hub asked
for, directly or indirectly: each piece of a coroutine between awaits, each answer from the store, each
turn of an actor. From that step on nothing in it runs (`dead`), until it is resumed (`thaw`). It then starts
with whatever came due in the meantime, like a process after SIGCONT.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from typing import Any, Final, Self, TypeVar

import pytest

from games import GAMES
from games.api import Registration
from hub.net.command_budget import CommandBudget
from hub.net.connection import Connection
from hub.net.connection_state import ConnectionContext
from hub.net.person_sockets import PersonSockets
from hub.net.site_budgets import SiteBudgets
from hub.runtime.placement import Placed
from hub.runtime.ports import Services
from hub.runtime.registry import HubRooms
from hub.store.hubs import HubIdentity
from hub.store.lease import Lease, new_incarnation
from hub.store.pipe import CommitPipe
from hub.store.store import Store
from hub.telemetry.metrics import Metrics
from hub.telemetry.tasks import Tasks
from hub.wire.limits import Budget, TalkLimits
from hub.wire.messages import Grace, WatchDelay
from hub.wire.tickets import Person, Signer, Ticket
from hub.worker.bot_executor import InlineExecutor
from tests.harness.defaults import DEFAULTS, make_room_limits
from tests.harness.follower import Follower
from tests.harness.manual_clock import ManualClock

T = TypeVar("T")
SECRET: Final = b"small " * 8
STEP: Final = 900
UNLIMITED_TALK: Final = TalkLimits(*[Budget(1e6, 1e6)] * 4)
"""Milliseconds between heartbeats: less than the second a hub may run without one."""
WALL: Final = 1_800_000_000.0

_running: ContextVar[SmallHub | None] = ContextVar("_running", default=None)


@contextmanager
def stepping() -> Iterator[None]:
    """Makes every callback of the loop ask its hub whether it may run."""
    run = asyncio.events.Handle._run

    def step(handle: Any) -> None:
        hub = handle._context.get(_running)
        if hub is None or hub.may_run(handle):
            run(handle)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio.events.Handle, "_run", step)
        yield


def manual_clock() -> ManualClock:
    """A clock for hubs that may be cut off: each call it makes is a step of the hub that asked for it."""
    return ManualClock(on_loop=True)


class ClientLine:
    """A client's socket: what the hub sends reaches its follower at once, unless the hub is dead."""

    remote: str | None = "127.0.0.1"

    def __init__(self, hub: SmallHub, follower: Follower) -> None:
        self.hub = hub
        self.follower = follower
        self.code: int | None = None
        self.shown = False
        self.closed = False
        self.connection: Connection | None = None
        self.changed = asyncio.Event()
        self.heard: list[dict[str, Any]] = []

    # --- the hub's side ---

    def send(self, data: bytes) -> None:
        if self.closed:
            return
        for payload in unframed(data):
            message = self.follower.feed(payload)
            self.heard.append(message)
            self.shown = self.shown or message["t"] == "view"
        self.changed.set()

    def close(self, code: int, reason: str = "") -> None:
        if not self.closed:
            self.closed, self.code = True, code
            self.changed.set()
            assert self.connection is not None
            asyncio.get_running_loop().call_soon(self.connection.closed, code)

    def abort(self) -> None:
        self.close(1006)

    def join_seats(self) -> None:
        """No test waits for a line that is cut in silence."""

    def join_crowd(self) -> None:
        """Nothing waits on this socket."""

    def pause_reading(self) -> None:
        raise AssertionError("this machine has no limit")

    def resume_reading(self) -> None:
        raise AssertionError("this machine has no limit")

    def listen(self, on_message: Any, on_close: Any) -> None:
        raise AssertionError("the connection is called directly")

    # --- the client's side ---

    def say(self, data: bytes) -> None:
        if not self.closed and not self.hub.dead:
            assert self.connection is not None
            self.hub.within(self.connection.message, data)

    def drop(self) -> None:
        if not self.closed:
            self.closed, self.code = True, 1006
            assert self.connection is not None
            if not self.hub.dead:
                self.hub.within(self.connection.closed, 1006)

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until this holds, or the line or the hub is gone."""
        while not holds() and not self.closed and not self.hub.dead:
            self.changed.clear()
            await self.changed.wait()

    # --- commands ---

    def send_command(self, kind: str, /, **fields: Any) -> int:
        n = self.follower.command(kind, **fields)
        self.say(self.follower.packed(n))
        return n

    async def do(self, kind: str, /, **fields: Any) -> int:
        n = self.send_command(kind, **fields)
        await self.until(lambda: n not in self.follower.pending)
        return n

    async def move(self, prompt: str, move: str, **fields: Any) -> int:
        return await self.do("do", prompt=prompt, move={"move": move, **fields})


class SmallHub:
    """One hub on a store. The other hubs know it by its `url`."""

    def __init__(self, name: str, clock: ManualClock, games: Mapping[str, Registration] = GAMES) -> None:
        self.url = f"http://{name}"
        self.clock = clock
        self.games = games
        self.steps = 0
        self.cut_at: int | None = None
        self.dead = False
        self.lines: list[ClientLine] = []
        self._held: deque[Any] = deque()
        self._context = copy_context()
        self._context.run(_running.set, self)
        self.metrics = Metrics()
        self.tasks: Tasks
        self.store: Store
        self.pipe: CommitPipe
        self.lease: Lease
        self.identity: HubIdentity
        self.rooms: HubRooms
        self.connection_context: ConnectionContext

    async def open(self, url: str, prefix: str, after: SmallHub | None = None) -> Self:
        """Open it on this store. `after`: its earlier life, which is known to be dead."""
        await self.task(self._open(url, prefix, after))
        return self

    async def _open(self, url: str, prefix: str, after: SmallHub | None) -> None:
        self.tasks = Tasks()
        self.store = await Store.open(url, prefix=prefix, forget_days=DEFAULTS.forget_days)
        self.pipe = CommitPipe(url, self.tasks, prefix=prefix)
        await self.pipe.connect()
        if after is not None:
            await self.store.depart(after.identity)
        self.identity = identity = HubIdentity(new_incarnation(), self.url)
        self.lease = Lease(
            identity.incarnation,
            lambda live: self.store.beat(identity, live),
            self.clock,
        )
        await self.lease.beat()
        signer = Signer(SECRET, DEFAULTS.token_days)
        self.rooms = HubRooms(
            games=self.games,
            store=self.store,
            lease=self.lease,
            identity=identity,
            signer=signer,
            tasks=self.tasks,
            services=lambda rooms: Services(
                clock=self.clock,
                live_clock=self.lease,
                commits=self.pipe,
                bot_executor=InlineExecutor(),
                metrics=self.metrics,
                stopped=rooms.on_stopped,
                summary=lambda actor: None,  # only updates the lobby, a moment later
                started=rooms.on_started,
                talk_limits=UNLIMITED_TALK,
            ),
            store_problem=lambda: self.pipe.problem,
            record_days=0,
            limits=make_room_limits(per_person=1_000_000),
        )
        self.lease.lapsed = self.rooms.verify_ownership
        self.lease.taken = self.rooms.verify_taken
        self.lease.on_freeze = self.rooms.on_freeze
        self.signer = signer
        self.connection_context = ConnectionContext(
            finder=self.rooms,
            signer=signer,
            clock=self.clock,
            tasks=self.tasks,
            metrics=self.metrics,
            wall=lambda: WALL,
            sites=SiteBudgets(1e6, 1e6),
            commands=CommandBudget(self.clock),
            people=PersonSockets(
                self.metrics, DEFAULTS.sockets_per_place, 1_000_000
            ),  # few people, many tables
            watchers_per_table=DEFAULTS.watchers_per_table,
            rate=1e6,
            burst=1e6,
        )

    async def close(self) -> None:
        """Let the hub resume if it was cut off, then close everything."""
        self.cut_at = None
        self.thaw()
        for line in self.lines:
            line.drop()
        await self.pipe.close()
        await self.tasks.close()
        await self.store.close()

    async def advance(self, milliseconds: int) -> None:
        """Let this much time pass, with heartbeats, timers and everything they cause."""
        end = self.clock.now_ms() + milliseconds
        while self.clock.now_ms() < end:
            self.clock.move(min(STEP, end - self.clock.now_ms()))
            await self.beat()
            self.clock.fire()
            await self.settle()

    async def beat(self) -> None:
        """Send one heartbeat and wait for it to finish, unless the hub is cut off first."""
        if not self.dead:
            beating = self.task(self.lease.beat())
            await self._until(beating.done)

    async def settle(self) -> None:
        """Wait until the hub is idle."""
        await self._until(lambda: not self.pipe.unanswered and not self._busy())
        for _ in range(5):  # for the consequences of the last answer
            await asyncio.sleep(0)
        if not self.dead and self.pipe.unanswered:
            await self.settle()

    async def _until(self, holds: Callable[[], bool]) -> None:
        while not holds() and not self.dead:  # noqa: ASYNC110 - being cut off sets no event
            await asyncio.sleep(0)

    def _busy(self) -> bool:
        return any(not actor.idle for actor in self.rooms._actors.values())

    # --- cutting it off ---

    def within(self, call: Callable[..., T], *args: Any) -> T:
        """Make a call in the hub's context, so that everything it causes is the hub's own work."""
        return self._context.copy().run(call, *args)

    def task(self, coroutine: Any) -> asyncio.Task[Any]:
        """Run a coroutine in the hub's context."""
        return asyncio.get_running_loop().create_task(coroutine, context=self._context.copy())

    def may_run(self, handle: Any) -> bool:
        if not self.dead:
            self.steps += 1
            if self.cut_at is None or self.steps < self.cut_at:
                return True
            self.die()
        if handle not in self._held:  # a readable socket triggers its callback again and again
            self._held.append(handle)
        return False

    def die(self) -> None:
        self.dead = True
        for line in self.lines:
            line.changed.set()

    def thaw(self) -> None:
        """Let the hub resume, unaware of the time in between."""
        self.dead = False
        held, self._held = self._held, deque()
        for handle in held:
            if not handle._cancelled:
                asyncio.get_running_loop().call_soon(handle._run)

    # --- people ---

    async def table(
        self,
        people: int = 3,
        *,
        game: str = "almost",
        seats: int = 3,
        bots: str | None = None,
        grace: Grace = "1min",
        watch_delay: WatchDelay = "none",
        **options: Any,
    ) -> tuple[str, list[Follower]]:
        """A new table with people in its first seats, and followers with their tickets."""
        placed = await self.task(
            self.rooms.create(
                person(0),
                game,
                seats,
                options,
                open=False,
                play_now=False,
                bots=bots,
                grace=grace,
                watch_delay=watch_delay,
            )
        )
        followers = [self.follower(placed)]
        for seat in range(1, people):
            sat = await self.task(self.rooms.sit(placed.room, person(seat), seat))
            followers.append(self.follower(sat))
        return placed.room, followers

    def follower(self, placed: Placed) -> Follower:
        who = person(WATCHER if placed.seat is None else placed.seat)
        ticket = Ticket(
            placed.room, placed.seat, who.id, who.name, who.colour, placed.seat_generation, int(WALL)
        )
        return Follower(self.signer.ticket(ticket))

    def line(self, follower: Follower) -> ClientLine:
        line = ClientLine(self, follower)
        self.lines.append(line)
        wire: Any = line
        ticket = self.signer.read_ticket(follower.ticket, WALL)
        assert isinstance(ticket, Ticket)
        line.connection = self.within(Connection, wire, self.connection_context, ticket.room)
        return line

    async def come(self, follower: Follower) -> ClientLine:
        """Connects a client and sends its unanswered commands again; `shown` says whether it was let in."""
        line = self.line(follower)
        line.say(follower.opened())
        await line.until(lambda: line.shown)
        if line.shown and not self.dead:
            for n in list(follower.pending):
                line.say(follower.packed(n))
        return line


WATCHER: Final = 9
"""The number of the person who watches: whoever has a seat cannot (G4.14)."""


def person(seat: int) -> Person:
    return Person(f"person-{seat}", f"Person {'ABCDEFGHIJ'[seat]}", seat, 0)


def unframed(data: bytes) -> Iterator[bytes]:
    """The messages in the bytes a server wrote (RFC 6455 section 5.2)."""
    at = 0
    while at < len(data):
        size = data[at + 1]
        at += 2
        if size >= 126:
            wide = 2 if size == 126 else 8
            size = int.from_bytes(data[at : at + wide], "big")
            at += wide
        yield data[at : at + size]
        at += size
