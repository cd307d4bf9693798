"""One end of a link: sends what a tick produced as one message, and reads the other end's.

The link holds what it could not write yet. Above `PAUSE_BYTES` it says that it is congested, and the front
stops reading from its clients; above `MAX_BYTES` the other end does not read, and the link is cut.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar

from websockets.asyncio.connection import Connection
from websockets.exceptions import ConnectionClosed

from hub.net.links import messages as l
from hub.telemetry.tasks import Tasks

PAUSE_BYTES: Final = 4 * 1024 * 1024
MAX_BYTES: Final = 64 * 1024 * 1024
MESSAGE_BYTES: Final = 8
"""Roughly what a message takes besides its data."""
PING_SECONDS: Final = 1.0
ANSWER_SECONDS: Final = 2.0
"""How often each end asks whether the other one lives, and how long an answer may take. So a hub that was
stopped is known before its lease has run out, one that ended at once."""
STALL_SECONDS: Final = PING_SECONDS + ANSWER_SECONDS
"""How long the other end may take to read one batch. A ping would wait behind what it does not read."""

Message = TypeVar("Message")

CONNECTION_OPTIONS: Final[dict[str, Any]] = {
    "ping_interval": PING_SECONDS,
    "ping_timeout": ANSWER_SECONDS,
    "close_timeout": ANSWER_SECONDS,
}
"""The settings of both ends' WebSockets."""


class Link:
    """One end of a link to another hub, until its connection ends. `keep` runs it."""

    def __init__(self, connection: Connection, tasks: Tasks) -> None:
        self._connection = connection
        self._tasks = tasks
        self._outbox: list[Any] = []
        self._queued_bytes = 0
        self._wake = asyncio.Event()
        self.closed = False
        self.on_congestion: Callable[[bool], None] = lambda congested: None
        """Called with True when too much waits to be written, and with False once it is."""
        self._congested = False

    def send(self, message: l.ToOwner | l.ToFront, size: int = 0) -> None:
        """Sends a message with this much data at the end of the tick; nothing once the link has ended."""
        if self.closed:
            return
        self._outbox.append(message)
        self._count(size + MESSAGE_BYTES)

    def send_to_clients(self, channel: int, data: bytes) -> None:
        """Sends framed bytes to a channel's client; the same bytes for the next channel are sent once."""
        last = self._outbox[-1] if self._outbox else None
        if isinstance(last, _Shared) and last.data is data:
            last.channels.append(channel)
            self._count(MESSAGE_BYTES)
        else:
            self._outbox.append(_Shared(channel, data))
            self._count(len(data) + MESSAGE_BYTES)

    def _count(self, size: int) -> None:
        self._queued_bytes += size
        self._wake.set()
        if self._queued_bytes > MAX_BYTES:
            self.cut()
        elif self._queued_bytes > PAUSE_BYTES and not self._congested:
            self._congested = True
            self.on_congestion(True)

    def cut(self) -> None:
        """Ends the link at once."""
        self.closed = True
        self._outbox = []
        self._connection.transport.abort()

    async def keep(
        self, decode: Callable[[bytes], Sequence[Message]], receive: Callable[[Message], None]
    ) -> None:
        """Passes on every message, decoded, until the connection ends. Raises msgspec.DecodeError."""
        writing = self._tasks.start("link", self._write())
        try:
            with suppress(ConnectionClosed):  # without a closing handshake
                async for data in self._connection:
                    assert isinstance(data, bytes)
                    for message in decode(data):
                        receive(message)
        finally:
            self.cut()
            writing.cancel()

    async def _write(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            outbox, self._outbox = self._outbox, []
            self._queued_bytes = 0
            if not outbox:
                continue
            packed = l.encode([one.message() if isinstance(one, _Shared) else one for one in outbox])
            try:
                async with asyncio.timeout(STALL_SECONDS):
                    await self._connection.send(packed)
            except TimeoutError:
                self.cut()
                return
            except ConnectionClosed:
                return
            if self._congested and self._queued_bytes <= PAUSE_BYTES:
                self._congested = False
                self.on_congestion(False)


class _Shared:
    """Framed bytes, and the channels that get them."""

    __slots__ = ("channels", "data")

    def __init__(self, channel: int, data: bytes) -> None:
        self.channels = [channel]
        self.data = data

    def message(self) -> l.ToClients:
        return l.ToClients(tuple(self.channels), self.data)
