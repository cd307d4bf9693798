"""The sockets with output to write: most at the end of the tick, those of watchers in turn.

A hub may have thousands of watchers. Their sockets join the crowd: one turn of the loop writes to at most
`CROWD_PER_TURN` of them, or `CROWD_BESIDE_SEATS` if other sockets have been written to since the crowd's last
turn; the rest follow in the next turns, so that a broadcast to watchers holds up nobody else (G8.10). Each
socket still gets everything in order, since it buffers its messages until its turn.
The sockets of seats never wait: sections bound to a peek, which only seats are shown, are written in the tick
that publishes them (G4.4).
"""

from __future__ import annotations

import asyncio
from typing import ClassVar, Final, Protocol

from hub.clock import Clock

MAX_COALESCED_BYTES: Final = 4096
"""Messages sent to a socket in one tick are joined up to this size; beyond it they are written at once."""
CROWD_PER_TURN: Final = 250
"""The number of the crowd's sockets that one turn of the loop writes to; it takes about two milliseconds."""
CROWD_BESIDE_SEATS: Final = 25
"""The same if seats were written to since the crowd's last turn, so that watchers get what seats leave of the
core."""
MAX_CROWD_BYTES: Final = 64 * 1024
"""Like `MAX_COALESCED_BYTES`, for a socket of the crowd, whose messages add up while it waits."""


class Output(Protocol):
    """A socket with output to write (hub/net/websocket.py)."""

    @property
    def closed(self) -> bool: ...

    def flush(self) -> None: ...

    def say_goodbye(self) -> None:
        """Sends the close frame that waited for its turn, if there is one."""
        ...

    def abort(self) -> None: ...


class WriteQueue:
    """The sockets with something to write at the end of the current tick."""

    __slots__ = ("crowd", "has_written", "pending")
    is_paced: ClassVar = False
    most: ClassVar = MAX_COALESCED_BYTES

    def __init__(self) -> None:
        self.pending: list[Output] = []
        """The first socket added also calls `schedule`."""
        self.crowd: WriteQueue = self if self.is_paced else CrowdQueue(self)
        """The queue of the sockets that wait for their turn."""
        self.has_written = False
        """Whether it has written since the crowd's last turn."""

    def schedule(self) -> None:
        asyncio.get_running_loop().call_soon(self.flush)

    def flush(self) -> None:
        """Writes what was sent during this tick."""
        pending = self.pending[:]
        self.pending.clear()
        self.has_written = True
        for output in pending:
            try:
                output.flush()
            except Exception as error:  # noqa: BLE001 - the other sockets' frames must still go out
                _abort(output, error)


class CrowdQueue(WriteQueue):
    """Like `WriteQueue`, for the crowd.

    A socket is queued at most once for output and once for its close, so it waits for at most one turn of
    every other socket. Messages sent meanwhile are added to its output, so they do not cause more writes.
    """

    __slots__ = ("_seats",)
    is_paced: ClassVar = True
    most: ClassVar = MAX_CROWD_BYTES

    def __init__(self, seats: WriteQueue) -> None:
        super().__init__()
        self._seats = seats

    def flush(self) -> None:
        """Writes to the sockets that have waited longest."""
        seats = self._seats
        count = CROWD_BESIDE_SEATS if seats.has_written else CROWD_PER_TURN
        seats.has_written = False
        turn = self.pending[:count]
        del self.pending[:count]
        if self.pending:
            self.schedule()
        for output in turn:
            try:
                output.flush()
                if output.closed:
                    output.say_goodbye()
            except Exception as error:  # noqa: BLE001 - the other sockets' frames must still go out
                _abort(output, error)


class TurnProbe:
    """Takes turns in the crowd like a socket, to measure how long sockets wait for theirs."""

    closed: Final = False

    def __init__(self, crowd: WriteQueue, clock: Clock) -> None:
        self._crowd = crowd
        self._clock = clock
        self._waiting_since: float | None = None
        self._lag = 0.0

    def measure(self) -> float:
        """How many seconds the last wait took, or the current one has taken so far; begins the next one."""
        at = self._clock.time()
        if self._waiting_since is not None:
            return at - self._waiting_since
        self._waiting_since = at
        if not self._crowd.pending:
            self._crowd.schedule()
        self._crowd.pending.append(self)
        return self._lag

    def flush(self) -> None:
        if self._waiting_since is not None:
            self._lag = self._clock.time() - self._waiting_since
            self._waiting_since = None

    def say_goodbye(self) -> None:
        """Never called: it is never closed."""

    def abort(self) -> None:
        """Has no connection to cut."""


def _abort(output: Output, error: Exception) -> None:
    output.abort()
    context = {"message": "a socket could not be written to", "exception": error}
    asyncio.get_running_loop().call_exception_handler(context)
