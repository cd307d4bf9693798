"""The WebSocket handshake: uvicorn's WebSocket class with our limits, until it hands the socket over.

The ASGI endpoint calls `scope["extensions"]["parley.is_crowded"]` to learn whether the client's network has
as many sockets as it may have. After accepting the socket, it calls `scope["extensions"]["parley.transport"]`
and gets a `WebSocketTransport`. The ASGI task then ends, and uvicorn's protocol object is freed.
"""

from __future__ import annotations

import asyncio
import socket
from email.utils import formatdate
from http import HTTPStatus
from typing import Any, ClassVar, Final, cast

from uvicorn._types import ASGISendEvent
from uvicorn.config import Config
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.datastructures import Headers
from websockets.http11 import Request, Response
from websockets.typing import StatusLike

from hub.net.http.errors import ADVICE, DEFECT, ApiError, pack_refusal, refuse
from hub.net.open_sockets import OpenSockets
from hub.net.websocket import WRITE_LIMIT, WebSocketTransport

KERNEL_BUFFER: Final = 64 * 1024
"""SO_SNDBUF (Linux doubles it). By default the kernel buffers up to 4 MB for a client that does not read."""


BAD_HANDSHAKE: Final = ApiError(
    400,
    "BAD_HANDSHAKE",
    "This request opens no WebSocket: send GET without a body, the header Sec-WebSocket-Version: 13 and one "
    "Sec-WebSocket-Key.",
)
HEAD_TOO_LARGE: Final = ApiError(
    431, "HEAD_TOO_LARGE", "A socket's request may have 8 KB on each line: send less."
)
REFUSALS: Final = {
    HTTPStatus.FORBIDDEN: ApiError(404, "NOT_FOUND", ADVICE[404]),  # how an ASGI server hears of no endpoint
    HTTPStatus.METHOD_NOT_ALLOWED: ApiError(405, "METHOD_NOT_ALLOWED", ADVICE[405]),
    HTTPStatus.REQUEST_URI_TOO_LONG: HEAD_TOO_LARGE,
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: HEAD_TOO_LARGE,
    HTTPStatus.INTERNAL_SERVER_ERROR: DEFECT,
}
"""The errors in place of the answers of `websockets` and uvicorn; BAD_HANDSHAKE for all others."""


def handshake_protocol(sockets: OpenSockets) -> type[HandshakeProtocol]:
    """The class to give uvicorn as `ws`: accepted sockets are added to `sockets`."""
    return type("HandshakeProtocol", (HandshakeProtocol,), {"sockets": sockets})


def refuse_handshake(status: StatusLike, text: str) -> Response:
    """The response to a request that opens no socket: like those to other requests, not plain text (H8)."""
    error = REFUSALS.get(HTTPStatus(status), BAD_HANDSHAKE)
    response = refuse(error)
    headers = Headers({"Date": formatdate(usegmt=True), "Connection": "close", **response.headers})
    return Response(error.status, HTTPStatus(error.status).phrase, headers, bytes(response.body))


class HandshakeProtocol(WebSocketsSansIOProtocol):
    """uvicorn's side of a WebSocket until the hand-over: it performs the handshake and nothing else."""

    sockets: ClassVar[OpenSockets]

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.conn.available_extensions = None  # deflate costs memory and reveals the lengths of secrets
        self.conn.reject = refuse_handshake  # type: ignore[method-assign]  # what a subclass would override
        self.ping_interval = None
        self.buffered = b""
        self._network: str | None = None
        """The network that its connection counts against, until the hand-over."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._network = self.sockets.limits.key(self.client and self.client[0])

    def connection_lost(self, exc: Exception | None) -> None:
        self.sockets.limits.remove(self._network)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Reads the request; keeps anything an eager client sends before it is accepted."""
        if self.handshake_initiated:
            self.buffered += data
            self.transport.pause_reading()
            return
        try:
            super().data_received(data)
        except (ValueError, UnicodeError):  # uvicorn assumes an ASCII request path
            self._refuse_request(b"")
        else:
            if self.conn.handshake_exc is not None and not self.handshake_initiated:
                self._refuse_request(b"".join(self.conn.data_to_send()))

    def _refuse_request(self, answer: bytes) -> None:
        """Ends a request that `websockets` could not parse: uvicorn would leave the connection open."""
        self.handshake_complete = self.close_sent = True
        self.transport.write(answer or pack_refusal(BAD_HANDSHAKE))
        self.transport.close()

    async def send(self, message: ASGISendEvent) -> None:
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True  # otherwise uvicorn logs an error for every refusal

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            extensions = cast(dict[str, Any], self.scope["extensions"])
            extensions["parley.is_crowded"] = self.is_crowded
            extensions["parley.transport"] = self.hand_over

    def is_crowded(self) -> bool:
        """Whether the client's network has as many sockets as it may have."""
        client = self.scope["client"]
        return self.sockets.limits.is_crowded(client[0] if client else None, self._network)

    def hand_over(self) -> WebSocketTransport:
        """The accepted socket. Reading stays paused until it has a listener. Raises ClientDisconnected."""
        transport = self.transport
        if self.disconnected or not self.handshake_complete or transport.is_closing():
            raise ClientDisconnected
        transport.pause_reading()
        transport.set_write_buffer_limits(WRITE_LIMIT, 0)
        sock = transport.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BUFFER)
        if sock.family in (socket.AF_INET, socket.AF_INET6):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # asyncio sets it on only some sockets
        client = self.scope["client"]
        sockets, connections = self.sockets, cast(set[Any], self.connections)
        websocket = WebSocketTransport(
            transport,
            sockets.writes,
            connections,
            sockets.remove,
            sockets.watch_closely,
            client[0] if client else None,
            self.buffered,
        )
        sockets.add(websocket)
        sockets.limits.remove(self._network)
        connections.discard(self)
        connections.add(websocket)
        transport.set_protocol(websocket)
        self.disconnected = True
        self.transport = _closed_transport
        self.conn.parser.close()
        cast(dict[str, Any], self.scope["extensions"]).clear()
        return websocket


class _ClosedTransport(asyncio.Transport):
    """Replaces the transport after the hand-over: uvicorn closes it when the ASGI task ends."""

    def is_closing(self) -> bool:
        return True

    def close(self) -> None:
        pass


_closed_transport: Final = _ClosedTransport()
