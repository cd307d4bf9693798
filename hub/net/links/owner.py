"""The owner: the links of other hubs, whose clients follow rooms here as if their sockets were here."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Final, TypeAlias, cast

import msgspec
import structlog
from websockets.asyncio.connection import Connection
from websockets.asyncio.server import Server, ServerConnection
from websockets.frames import CloseCode
from websockets.http11 import Request, Response
from websockets.protocol import OPEN
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from hub.net.endpoint import Listener
from hub.net.links import messages as l
from hub.net.links.credentials import Credentials, read_incarnation
from hub.net.links.handshakes import LinkAcceptor
from hub.net.links.link import ANSWER_SECONDS, CONNECTION_OPTIONS, Link
from hub.telemetry.metrics import Metrics
from hub.telemetry.tasks import Tasks

LINK_LOST: Final = 1006
"""The code of a connection that was cut (RFC 6455 section 7.4.1)."""
CLOSE_SECONDS: Final = ANSWER_SECONDS + 1.0
"""How long a link may take to end, in a hub that ends. WebSockets wait without limit for what a hub that is
stopped does not read."""

Connect: TypeAlias = "Callable[[RelayedTransport, str], Listener]"
Serve: TypeAlias = Callable[[l.Request], Awaitable[l.Response]]

_log = structlog.get_logger("parley.links")


def _discard(_data: bytes) -> None:
    """Discards a message that arrives after the socket was closed."""


class RelayedTransport:
    """A client's socket on another hub, as its listener sees it (`hub.net.endpoint.Transport`)."""

    __slots__ = ("_channel", "_code", "_link", "_on_close", "closed", "on_message", "remote")

    def __init__(self, link: Link, channel: int, remote: str | None) -> None:
        self.remote = remote
        self.closed = False
        self.on_message: Callable[[bytes], None] = _discard
        self._link = link
        self._channel = channel
        self._on_close: Callable[[int], None] = lambda code: None
        self._code: int | None = None
        """The code with which it was closed here."""

    def listen(self, on_message: Callable[[bytes], None], on_close: Callable[[int], None]) -> None:
        if not self.closed:
            self.on_message = on_message
        self._on_close = on_close

    def send(self, data: bytes) -> None:
        if not self.closed:
            self._link.send_to_clients(self._channel, data)

    def join_crowd(self) -> None:
        self._link.send(l.Join(self._channel, "crowd"))

    def join_seats(self) -> None:
        self._link.send(l.Join(self._channel, "seats"))

    def pause_reading(self) -> None:
        self._link.send(l.Read(self._channel, False))

    def resume_reading(self) -> None:
        self._link.send(l.Read(self._channel, True))

    def close(self, code: int, reason: str = "") -> None:
        if not self.closed:
            self._end(code)
            self._link.send(l.Close(self._channel, code, reason))

    def abort(self) -> None:
        self._end(LINK_LOST)
        self._link.send(l.Abort(self._channel))

    def _end(self, code: int) -> None:
        self.closed = True
        self.on_message = _discard
        if self._code is None:
            self._code = code

    def report_closed(self, code: int) -> None:
        """The client is gone, or the link to its hub."""
        self._end(code)
        on_close, self._on_close = self._on_close, lambda code: None
        assert self._code is not None
        on_close(self._code)


class FrontLink:
    """The link of one front, with its clients."""

    def __init__(self, link: Link, connect: Connect, serve: Serve, tasks: Tasks, metrics: Metrics) -> None:
        self._link = link
        self._connect = connect
        self._serve = serve
        self._tasks = tasks
        self._metrics = metrics
        self._clients: dict[int, RelayedTransport] = {}

    def receive(self, message: l.ToOwner) -> None:
        """Handles a message from the front."""
        match message:
            case l.FromClient(channel, data):
                if client := self._clients.get(channel):
                    self._metrics.frames_from_links += 1
                    _deliver(client, data)
            case l.Open(channel, room, remote):
                client = self._clients[channel] = RelayedTransport(self._link, channel, remote)
                listener = self._connect(client, room)
                client.listen(listener.message, listener.closed)
            case l.Gone(channel, code):
                if client := self._clients.pop(channel, None):
                    client.report_closed(code)
            case l.Request():
                self._tasks.start("relayed request", self._answer(message))

    async def _answer(self, request: l.Request) -> None:
        response = await self._serve(request)
        self._link.send(response, len(response.body))

    def end(self) -> None:
        """The link has ended, and with it all its clients."""
        clients, self._clients = self._clients, {}
        for client in clients.values():
            client.report_closed(LINK_LOST)


def _deliver(client: RelayedTransport, data: bytes) -> None:
    try:
        client.on_message(data)
    except Exception:  # noqa: BLE001 - a defect may cost this client its socket, not all clients of the link
        _log.exception("a relayed message failed")
        client.abort()


def _refuse_other_version(connection: ServerConnection, request: Request) -> Response | None:
    """Tells a front that speaks another version of the links' protocol which one this hub speaks."""
    offered = ",".join(request.headers.get_all("Sec-WebSocket-Protocol")).split(",")
    if l.LINK_SUBPROTOCOL in map(str.strip, offered):
        return None
    return connection.respond(HTTPStatus.UPGRADE_REQUIRED, l.LINK_SUBPROTOCOL)


class _LinkSocket(ServerConnection):
    """The owner's WebSocket of a link; its acceptor's task runs it, so it starts none of its own."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        Connection.connection_made(self, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        # Both refer back to their protocol, cycles that would need the garbage collector.
        self.protocol.parser.close()
        self.protocol.handshake_exc = None


class LinkServer:
    """Listens for the links of other hubs."""

    def __init__(
        self, credentials: Credentials, connect: Connect, serve: Serve, tasks: Tasks, metrics: Metrics
    ) -> None:
        self._front = partial(FrontLink, connect=connect, serve=serve, tasks=tasks, metrics=metrics)
        self._tasks = tasks
        self.acceptor = LinkAcceptor(credentials.for_listening, self, tasks, metrics)
        self._links: set[ServerConnection] = set()

    def start(self, listening: socket.socket) -> None:
        """Accepts links from now on; closes `listening` in the end."""
        self.acceptor.start(listening)

    async def close(self) -> None:
        """Ends all links, and waits until they have ended."""
        self.acceptor.stop()
        links = list(self._links)
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await asyncio.gather(*(link.close(CloseCode.GOING_AWAY) for link in links))
        for link in links:
            link.transport.abort()
        await self.acceptor.wait_closed()

    # --- called by the acceptor ---

    def upgrade(self) -> ServerConnection:
        """The WebSocket of a connection whose TLS is done."""
        protocol = ServerProtocol(subprotocols=[Subprotocol(l.LINK_SUBPROTOCOL)], max_size=None)
        return _LinkSocket(protocol, cast(Server, self.acceptor), **CONNECTION_OPTIONS)

    async def open(self, websocket: ServerConnection) -> bool:
        """Opens the WebSocket; returns whether it is a link now."""
        await websocket.handshake(_refuse_other_version, server_header=None)
        return websocket.state is OPEN

    async def keep(self, websocket: ServerConnection) -> None:
        """Runs the link until it ends."""
        websocket.start_keepalive()
        self._links.add(websocket)
        peer = read_incarnation(websocket.transport.get_extra_info("ssl_object"))
        link = Link(websocket, self._tasks)
        front = self._front(link)
        _log.info("link opened", hub=peer)
        try:
            await link.keep(l.decode_to_owner, front.receive)
        except msgspec.DecodeError as error:
            _log.error("a link sent what is no message", hub=peer, reason=str(error))
        finally:
            self._links.discard(websocket)
            front.end()
            _log.info("link ended", hub=peer)
