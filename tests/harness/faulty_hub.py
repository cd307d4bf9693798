"""Hubs that die where a test wants them to, or whose clock it controls: `python -m tests.harness.faulty_hub`.

This is the real command-line program with some of its objects wrapped.

`FAULTY_CONTROL` names a hub's unix socket for the datagrams of `tests.harness.faults`: `arm N POINT` (kill -9
itself the Nth time it passes that point from now on), `disarm`, `beat` (send a heartbeat, then fire the
timers that are due). With `FAULTY_CLOCK`, an eight-byte file shared by all hubs in a test, the hub takes its
time solely from the milliseconds in that file. With `FAULTY_CORES` at 0, it takes no rooms unasked.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import mmap
import os
import signal
import socket
import struct
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final

import hub.app
import hub.table.commands
from hub.cli import main
from hub.clock import Clock, LoopClock
from hub.net.connection import Connection
from hub.net.open_sockets import OpenSockets
from hub.net.websocket import WebSocketTransport
from hub.net.write_queue import TurnProbe, WriteQueue
from hub.runtime.actor import Actor
from hub.runtime.batch import Batch
from hub.runtime.loop_lag import measure_loop_lag
from hub.runtime.registry import HubRooms
from hub.store.cluster_pipe import Pipe, make_pipe
from hub.store.lease import Lease
from hub.store.pipe import CommitPipe
from hub.store.store import Store
from hub.telemetry.tasks import Tasks
from tests.harness.manual_clock import ManualClock

POINTS: Final[dict[str, tuple[Any, str, bool]]] = {
    # around a commit
    "before the commit": (CommitPipe, "submit", True),
    "commit queued": (CommitPipe, "submit", False),
    "commit sent": (CommitPipe, "_flush", False),
    "store has answered": (CommitPipe, "_on_reply", True),
    "before the verdict": (Actor, "_on_result", True),
    "verdict made": (Batch, "answer", False),
    "first audience told": (WebSocketTransport, "flush", False),
    "all told": (WriteQueue, "flush", False),
    "after the commit": (Actor, "_on_result", False),
    # a room changes hands
    "before the take": (Store, "claim", True),
    "taken": (Store, "claim", False),
    "log read": (Store, "log", False),
    "loaded": (HubRooms, "_begin", False),
    # a client connects
    "attach decided": (hub.table.commands, "attach", False),
    "attached": (Connection, "welcome", True),
    "welcomed": (Connection, "welcome", False),
    # a window ends
    "window's end": (hub.table.commands, "close_window", True),
    "window closed": (hub.table.commands, "close_window", False),
    # the hub shuts down
    "drain begins": (HubRooms, "drain", True),
    "before the release": (Store, "release", True),
    "released": (Store, "release", False),
    "handed over": (Actor, "stop", False),
    "drained": (HubRooms, "drain", False),
    # a room is created
    "before creating": (Store, "create", True),
    "created": (Store, "create", False),
}
"""The points where a hub can be killed: class or module, function, and whether before or after the call."""


class Fuse:
    """The point at which the hub dies, and the number of passes left until then."""

    def __init__(self) -> None:
        self.point = ""
        self.left = 0

    def pass_by(self, point: str) -> None:
        if point == self.point:
            self.left -= 1
            if self.left <= 0:
                os.kill(os.getpid(), signal.SIGKILL)


fuse = Fuse()


def wrap(owner: Any, name: str, point: str, *, before: bool) -> None:
    inner: Callable[..., Any] = getattr(owner, name)

    def plain(*args: Any, **kwargs: Any) -> Any:
        if before:
            fuse.pass_by(point)
        result = inner(*args, **kwargs)
        if not before:
            fuse.pass_by(point)
        return result

    async def waiting(*args: Any, **kwargs: Any) -> Any:
        if before:
            fuse.pass_by(point)
        result = await inner(*args, **kwargs)
        if not before:
            fuse.pass_by(point)
        return result

    setattr(owner, name, waiting if inspect.iscoroutinefunction(inner) else plain)


# --- the clock ---


class SharedClock(ManualClock):
    """A clock that only a test advances, for all processes that share the file.

    Sleeps are real: heartbeats continue while the clock is stopped.
    """

    def __init__(self, path: str) -> None:
        with open(path, "r+b") as file:
            self._memory = mmap.mmap(file.fileno(), 8)
        super().__init__(on_loop=True)

    def _now(self) -> int:
        return int(struct.unpack_from("<q", self._memory)[0]) * 1000

    def now_ms(self) -> int:
        return self._now() // 1000

    def time(self) -> float:
        return self._now() / 1_000_000

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


# --- requests from the test ---


class Control:
    """Receives the test's datagrams, starting with the event loop's first iteration."""

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self._socket.bind(path)
        self.lease: Lease | None = None
        self.clock: SharedClock | None = None

    def listen(self) -> None:
        asyncio.get_running_loop().add_reader(self._socket.fileno(), self._heard)

    def _heard(self) -> None:
        data, sender = self._socket.recvfrom(1024)
        verb, _, rest = data.decode().partition(" ")
        match verb:
            case "arm":
                count, _, fuse.point = rest.partition(" ")
                fuse.left = int(count)
            case "disarm":
                fuse.point = ""
            case "beat":
                self._beat(sender)
                return
            case _:
                raise AssertionError(data)
        self._socket.sendto(b"done", sender)

    def _beat(self, sender: str) -> None:
        lease = self.lease
        assert lease is not None

        async def beat() -> None:
            with contextlib.suppress(OSError):  # the clock advances even if the store is away
                await lease.beat()
            if self.clock is not None:
                self.clock.fire()
                await asyncio.sleep(0)  # calls that are due run before the test gets its answer
            self._socket.sendto(b"done", sender)

        self._beating = asyncio.get_running_loop().create_task(beat())


async def open_store(url: str, **options: Any) -> Store:
    """Open the store, and end the leases of this hub's earlier lives: the test has seen them end."""
    store = await Store.open(url, **options)
    for one in await store.hubs():
        if one.url == os.environ["PARLEY_HUB_URL"]:
            await store.depart(one)
    return store


def serve() -> None:
    """Run a hub in its own process from start to end."""
    control = Control(os.environ.pop("FAULTY_CONTROL"))
    path = os.environ.pop("FAULTY_CLOCK", None)
    cores = os.environ.pop("FAULTY_CORES", None)

    def lease(incarnation: str, send: Any, clock: Clock) -> Lease:
        control.lease = Lease(incarnation, send, clock)
        control.listen()
        return control.lease

    def shared_clock() -> SharedClock:
        assert path is not None
        control.clock = SharedClock(path)
        return control.clock

    def pipe(url: str, tasks: Tasks, *, clock: Clock, **kwargs: Any) -> Pipe:
        return make_pipe(url, tasks, **kwargs)  # a store that does not answer is noticed in real time

    app: Any = hub.app
    app.Lease = lease
    app.Store = SimpleNamespace(open=open_store)
    if cores is not None:
        app.count_cores = lambda: int(cores)
    if path is not None:
        app.LoopClock, app.make_pipe = shared_clock, pipe
        # connections use real time, too, as does what measures how late the hub is
        app.measure_loop_lag = lambda _clock, *rest: measure_loop_lag(LoopClock(), *rest)
        app.TurnProbe = lambda crowd, _clock: TurnProbe(crowd, LoopClock())
        app.OpenSockets = lambda _clock, limits: OpenSockets(LoopClock(), limits)
    # asyncio has sent the data by the time the write returns; uvloop would hold it until the iteration ends
    app.uvloop.new_event_loop = asyncio.new_event_loop
    main()


if __name__ == "__main__":
    for point, (owner, name, before) in POINTS.items():
        wrap(owner, name, point, before=before)
    serve()
