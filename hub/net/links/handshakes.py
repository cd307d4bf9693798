"""Accepts connections on the links' port, and limits those whose handshake is under way (G8.23).

Anybody who reaches the port can connect and then say nothing. Nothing but a socket and its TLS state is kept
for such a connection: a WebSocket is created only once TLS has proved that the other end knows the secret.
A newcomer over a limit is let in, and the oldest of its address, or of the address with most, is closed.
A hub needs milliseconds, so connections that are held open keep no hub out, even from the same address; a
flood of new ones from a hub's own address may.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from contextlib import suppress
from typing import Final, Protocol

import structlog
from websockets.asyncio.server import ServerConnection

from hub.net.links.link import ANSWER_SECONDS
from hub.telemetry.metrics import Metrics
from hub.telemetry.tasks import Tasks
from hub.wire.limits import network

MAX_HANDSHAKES: Final = 64
"""Handshakes under way at once, each with a descriptor of the reserve (hub/descriptors.py)."""
MAX_HANDSHAKES_PER_ADDRESS: Final = 32
"""The same from one IPv4 address or IPv6 /64, where all hubs of a fleet may be."""
HANDSHAKE_SECONDS: Final = ANSWER_SECONDS
"""How long TLS and the WebSocket's opening may take, together."""
ACCEPTS_PER_TURN: Final = 16
"""Connections accepted in one turn of the event loop."""
RETRY_SECONDS: Final = 1.0
"""How long no connection is accepted after one could not be, because descriptors or memory ran out."""

_log = structlog.get_logger("parley.links")


class PendingHandshakes:
    """The handshakes under way, oldest first, by address."""

    def __init__(self, total: int = MAX_HANDSHAKES, per_address: int = MAX_HANDSHAKES_PER_ADDRESS) -> None:
        self._total = total
        self._per_address = per_address
        self._by_address: dict[str, dict[asyncio.Task[None], None]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._by_address.values()))

    def add(self, address: str, handshake: asyncio.Task[None]) -> asyncio.Task[None] | None:
        """Adds a handshake; returns the one that has to end for it, which is removed."""
        crowded = None
        if len(self._by_address.get(address, ())) >= self._per_address:
            crowded = address
        elif len(self) >= self._total:
            crowded = max(self._by_address, key=lambda one: len(self._by_address[one]))
        oldest = None
        if crowded is not None:
            oldest = next(iter(self._by_address[crowded]))
            self.remove(crowded, oldest)
        self._by_address.setdefault(address, {})[handshake] = None
        return oldest

    def clear(self) -> list[asyncio.Task[None]]:
        """Removes all handshakes; returns them."""
        pending = [handshake for some in self._by_address.values() for handshake in some]
        self._by_address.clear()
        return pending

    def remove(self, address: str, handshake: asyncio.Task[None]) -> None:
        """Removes a handshake that has ended; does nothing if it has been removed."""
        pending = self._by_address.get(address, {})
        pending.pop(handshake, None)
        if not pending:
            self._by_address.pop(address, None)


class Service(Protocol):
    """What becomes of a connection from a hub."""

    def upgrade(self) -> ServerConnection:
        """The WebSocket of a connection whose TLS is done."""

    async def open(self, websocket: ServerConnection) -> bool:
        """Opens the WebSocket; returns whether it is a link now."""

    async def keep(self, websocket: ServerConnection) -> None:
        """Runs the link until it ends."""


class LinkAcceptor:
    """Accepts connections, and hands those of hubs over to its service."""

    def __init__(
        self,
        context: ssl.SSLContext,
        service: Service,
        tasks: Tasks,
        metrics: Metrics,
        seconds: float = HANDSHAKE_SECONDS,
    ) -> None:
        """`context`: the TLS server's."""
        self.pending = PendingHandshakes()
        self._context = context
        self._service = service
        self._tasks = tasks
        self._metrics = metrics
        self.seconds = seconds
        """How long a handshake may take."""
        self._listening: socket.socket | None = None
        self._resuming: asyncio.TimerHandle | None = None
        self.connections: set[asyncio.Task[None]] = set()
        """The tasks of all connections, with a link or on the way to one."""

    def is_serving(self) -> bool:
        """Whether connections are accepted (named as in asyncio.Server)."""
        return self._listening is not None

    def start(self, listening: socket.socket) -> None:
        """Accepts connections from now on."""
        listening.setblocking(False)
        self._listening = listening
        asyncio.get_running_loop().add_reader(listening, self._accept)

    def stop(self) -> None:
        """Accepts no more connections, and ends all handshakes."""
        if self._listening is not None:
            self.release().close()
        for handshake in self.pending.clear():
            handshake.cancel()

    def release(self) -> socket.socket:
        """Accepts no more connections; returns the listening socket, which the caller must close."""
        listening, self._listening = self._listening, None
        assert listening is not None
        asyncio.get_running_loop().remove_reader(listening)
        if self._resuming is not None:
            self._resuming.cancel()
        return listening

    async def wait_closed(self) -> None:
        """Waits until no connection is left."""
        if self.connections:
            await asyncio.wait(self.connections)

    def _accept(self) -> None:
        assert self._listening is not None
        for _ in range(ACCEPTS_PER_TURN):
            try:
                sock, peer = self._listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                self._pause(self._listening, str(error))
                return
            sock.setblocking(False)
            self._start(sock, str(peer[0]))

    def _pause(self, listening: socket.socket, reason: str) -> None:
        _log.error("connections of other hubs cannot be accepted", reason=reason)
        loop = asyncio.get_running_loop()
        loop.remove_reader(listening)
        self._resuming = loop.call_later(RETRY_SECONDS, loop.add_reader, listening, self._accept)

    def _start(self, sock: socket.socket, peer: str) -> None:
        address = network(peer) or peer  # the hubs of this machine are no exception here
        task = self._tasks.start("link of another hub", self._serve(sock, address))
        self.connections.add(task)
        task.add_done_callback(self.connections.discard)
        replaced = self.pending.add(address, task)
        if replaced is not None:
            self._metrics.limited["link handshakes"] += 1
            replaced.cancel()

    async def _serve(self, sock: socket.socket, address: str) -> None:
        task = asyncio.current_task()
        assert task is not None
        arrival = _Arrival(self._service)
        try:
            with suppress(
                OSError
            ):  # also ssl.SSLError and TimeoutError; links_failed counts at the other end
                async with asyncio.timeout(self.seconds):
                    await self._wait_for_tls(arrival, sock)
                    websocket = arrival.websocket
                    is_link = websocket is not None and await self._service.open(websocket)
                self.pending.remove(address, task)
                if websocket is not None and is_link:
                    await self._service.keep(websocket)
        finally:
            self.pending.remove(address, task)
            if arrival.websocket is None:
                sock.close()
            else:
                arrival.websocket.transport.abort()

    async def _wait_for_tls(self, arrival: _Arrival, sock: socket.socket) -> None:
        await asyncio.get_running_loop().connect_accepted_socket(
            lambda: arrival, sock, ssl=self._context, ssl_handshake_timeout=self.seconds
        )


class _Arrival(asyncio.Protocol):
    """Stands in for a connection's WebSocket until TLS is done."""

    def __init__(self, service: Service) -> None:
        self.websocket: ServerConnection | None = None
        self._service = service

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.websocket = self._service.upgrade()
        transport.set_protocol(self.websocket)
        self.websocket.connection_made(transport)
