"""Routes between processes, over which a test decides what arrives, and when.

A route is a TCP proxy that knows nothing of what it carries: a store's commands, a Sentinel's answers, a link
between hubs. Its faults hit every connection on it until `heal`, new connections too, and several may hold at
once. (`FaultProxy` injects faults into individual commands of a store.)

A close travels like data. So whoever is cut off from the other end does not learn that it has gone, and has a
half-open connection until the route heals.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final, Self, cast

LOCALHOST: Final = "127.0.0.1"
MAX_WAITING: Final = 1 << 20
"""Bytes that wait in one direction of a connection before its sender is no longer read from, as TCP's window
would have it."""
RESET: Final = struct.pack("ii", 1, 0)
"""With SO_LINGER, a close that resets the connection."""


@dataclass
class Direction:
    """What happens to everything that goes one way on a route."""

    delay: float = 0.0
    """Seconds on the way."""
    is_stalled: bool = False
    """Whether everything waits until the route heals."""
    is_lossy: bool = False
    """Whether everything is thrown away; such a connection cannot go on, and breaks when the route heals."""


class Route:
    """Listens on `port` of this machine and leads to `target`, another of its ports."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.requests = Direction()
        self.replies = Direction()
        self.port = 0
        self._refuses = False
        self._connections: set[_Connection] = set()
        self._changed = asyncio.Event()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._accept, LOCALHOST, 0)
        self.port = int(self._server.sockets[0].getsockname()[1])
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        await self.until(lambda: not self._connections)
        await self._server.wait_closed()

    # --- faults ---

    def delay(self, seconds: float) -> None:
        """Everything takes this much longer, each way."""
        self.requests.delay = self.replies.delay = seconds

    def stall(self, *, requests: bool = True, replies: bool = True) -> None:
        """Nothing arrives, each way or one way: a partition. Nobody is told."""
        self.requests.is_stalled, self.replies.is_stalled = requests, replies

    def lose_replies(self) -> None:
        """Whatever is requested arrives and is done, but no answer comes back."""
        self.replies.is_lossy = True

    def cut(self) -> None:
        """Break every connection; new ones are as before."""
        for connection in list(self._connections):
            connection.reset()

    def refuse(self) -> None:
        """Break every connection, and each new one at once."""
        self._refuses = True
        self.cut()

    def abandon(self) -> None:
        """The far end of every connection goes away, and the near end is not told; new ones are as before."""
        for connection in self._connections:
            connection.abandon()

    def heal(self) -> None:
        """End all faults: what was held arrives in order, and connections with gaps break."""
        self._refuses = False
        for direction in (self.requests, self.replies):
            direction.delay, direction.is_stalled, direction.is_lossy = 0.0, False, False
        for connection in list(self._connections):
            connection.resume()

    # --- what a test can wait for ---

    @property
    def connections(self) -> int:
        return len(self._connections)

    @property
    def waiting(self) -> int:
        """The number of bytes that have not arrived."""
        return sum(connection.waiting for connection in self._connections)

    @property
    def discarded(self) -> int:
        """The number of bytes that never will, on connections that are still open."""
        return sum(connection.discarded for connection in self._connections)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition that depends only on this route holds."""
        while not condition():
            self._changed.clear()
            await self._changed.wait()

    # --- the connections' side ---

    def _accept(self) -> asyncio.Protocol:
        connection = _Connection(self)
        return connection.near

    def admit(self, connection: _Connection) -> bool:
        if self._refuses:
            return False
        self._connections.add(connection)
        self.note_change()
        return True

    def leave(self, connection: _Connection) -> None:
        self._connections.discard(connection)
        self.note_change()

    def note_change(self) -> None:
        self._changed.set()


class _End(asyncio.Protocol):
    """One end of a connection, which sends into `outward`."""

    def __init__(self, connection: _Connection) -> None:
        self.connection = connection
        self.transport: asyncio.Transport | None = None
        self.outward: _Pipe
        self.inward: _Pipe

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.connection.open_end(self)

    def data_received(self, data: bytes) -> None:
        self.outward.put(data)

    def connection_lost(self, error: Exception | None) -> None:
        self.transport = None
        self.outward.put(None)
        self.connection.close_end()

    def pause_writing(self) -> None:
        self.inward.is_full = True

    def resume_writing(self) -> None:
        self.inward.is_full = False
        self.inward.flush()

    def close(self) -> None:
        if self.transport is not None:
            self.transport.close()

    def reset(self) -> None:
        if self.transport is not None:
            own: socket.socket = self.transport.get_extra_info("socket")
            own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            self.transport.abort()


@dataclass(eq=False)
class _Pipe:
    """One direction of one connection: what its source has sent and its sink has not received, in order."""

    direction: Direction
    source: _End
    sink: _End
    note_change: Callable[[], None]
    is_full: bool = False
    """Whether the sink does not read."""
    size: int = 0
    discarded: int = 0
    _waiting: deque[tuple[float, bytes | None]] = field(default_factory=deque)
    """When it is due, and the data, or None for the close."""
    _timer: asyncio.TimerHandle | None = None

    def put(self, data: bytes | None) -> None:
        if self.direction.is_lossy or self.discarded:
            self.discarded += len(data or b"")
        else:
            self._waiting.append((asyncio.get_running_loop().time() + self.direction.delay, data))
            self.size += len(data or b"")
            self.flush()
        self.note_change()

    def flush(self) -> None:
        """Let everything arrive that is due."""
        loop = asyncio.get_running_loop()
        if self._timer is not None:
            self._timer.cancel()
        while self._waiting and self.sink.transport is not None and not self.is_full:
            due, data = self._waiting[0]
            if self.direction.is_stalled:
                break
            if due > loop.time():
                self._timer = loop.call_at(due, self.flush)
                break
            self._waiting.popleft()
            self.size -= len(data or b"")
            if data is None:
                self.sink.close()
            else:
                self.sink.transport.write(data)
        if self.source.transport is not None:
            if self.size > MAX_WAITING:
                self.source.transport.pause_reading()
            else:
                self.source.transport.resume_reading()

    def hasten(self) -> None:
        """Let everything arrive that waits."""
        self._waiting = deque((0.0, data) for _, data in self._waiting)
        self.flush()

    def discard(self) -> None:
        """Nothing more arrives, not even the close."""
        self.discarded += 1 + self.size
        self._waiting.clear()
        self.size = 0


class _Connection:
    """A connection of whoever uses the route, and the one to the target that continues it."""

    def __init__(self, route: Route) -> None:
        self._route = route
        self.near = _End(self)
        self.far = _End(self)
        self._requests = _Pipe(route.requests, self.near, self.far, route.note_change)
        self._replies = _Pipe(route.replies, self.far, self.near, route.note_change)
        self.near.outward = self.far.inward = self._requests
        self.near.inward = self.far.outward = self._replies
        self._connecting: asyncio.Task[None] | None = None
        self._is_abandoned = False

    @property
    def waiting(self) -> int:
        return self._requests.size + self._replies.size

    @property
    def discarded(self) -> int:
        return self._requests.discarded + self._replies.discarded

    def open_end(self, end: _End) -> None:
        if end is self.far:
            self._requests.flush()
        elif self._route.admit(self):
            self._connect()
        else:
            end.reset()

    def _connect(self) -> None:
        """Connect to the target, unless a partition keeps the attempt from arriving."""
        if self._connecting is None and not self._route.requests.is_stalled:
            self._connecting = asyncio.get_running_loop().create_task(self._reach_target())

    async def _reach_target(self) -> None:
        try:
            await asyncio.get_running_loop().create_connection(
                lambda: self.far, LOCALHOST, self._route.target
            )
        except OSError:
            self.near.reset()

    def resume(self) -> None:
        self._connect()
        if self.discarded and not self._is_abandoned:
            self.reset()
        else:
            self._requests.hasten()
            self._replies.hasten()

    def abandon(self) -> None:
        self._is_abandoned = True
        self._requests.discard()
        self._replies.discard()
        self.far.reset()

    def reset(self) -> None:
        self.near.reset()
        self.far.reset()

    def close_end(self) -> None:
        if self.near.transport is None and self.far.transport is None:
            self._route.leave(self)
