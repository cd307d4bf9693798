"""The socket endpoint: decides who may open a WebSocket, and gives each accepted one its connection."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from typing import Protocol, TypeVar
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.websockets import WebSocket

from hub.net.http.errors import error_response, later_error, refuse
from hub.net.http.hosts import host_name
from hub.wire.messages import SUBPROTOCOL


class Transport(Protocol):
    """An accepted WebSocket as seen by its listener (hub/net/websocket.py)."""

    @property
    def closed(self) -> bool:
        """Whether sending and delivering have stopped."""
        ...

    @property
    def remote(self) -> str | None:
        """The client's address."""
        ...

    def send(self, data: bytes) -> None: ...

    def join_crowd(self) -> None:
        """Makes the socket wait for its turn, as one of the many that are sent the same messages."""
        ...

    def join_seats(self) -> None:
        """Makes the hub notice soon if the client is gone, because a table waits for it."""
        ...

    def listen(self, on_message: Callable[[bytes], None], on_close: Callable[[int], None]) -> None: ...

    def pause_reading(self) -> None:
        """Reads nothing more from the client, until `resume_reading`."""
        ...

    def resume_reading(self) -> None: ...

    def close(self, code: int, reason: str = "") -> None: ...

    def abort(self) -> None: ...


T = TypeVar("T", bound=Transport)


class Listener(Protocol):
    """Receives every message from a socket, and one call when it closes."""

    def message(self, data: bytes) -> None: ...

    def closed(self, code: int) -> None: ...


def websocket_endpoint(
    connect: Callable[[T, str], Listener],
    origins: Collection[str] = (),
    is_known_host: Callable[[str | None], bool] = lambda name: True,
) -> Callable[[WebSocket], Awaitable[None]]:
    """The endpoint for a `WebSocketRoute`: accepts sockets, and lets `connect` make a listener for each.

    `connect` gets the transport and the room in the socket's path. Pages from this host, if it is a known
    one, pages from `origins` ("https://example.org"), and non-browser clients that send no Origin may
    connect, unless their network has too many sockets. The endpoint returns at once; the socket
    outlives it.
    """
    allowed = frozenset(origin.lower().rstrip("/") for origin in origins)

    def is_own_page(origin: str, websocket: WebSocket) -> bool:
        return is_known_host(host_name(websocket)) and is_same_host(origin, websocket)

    async def endpoint(websocket: WebSocket) -> None:
        origin = websocket.headers.get("origin")
        if origin is not None and origin.lower() not in allowed and not is_own_page(origin, websocket):
            advice = "This page may not connect: its origin is neither this hub's nor an allowed one."
            await websocket.send_denial_response(error_response(403, "BAD_ORIGIN", advice))
            return
        if SUBPROTOCOL not in websocket.scope["subprotocols"]:
            advice = f"This hub speaks the WebSocket subprotocol {SUBPROTOCOL}: request it."
            await websocket.send_denial_response(error_response(400, "BAD_SUBPROTOCOL", advice))
            return
        if websocket.scope["extensions"]["parley.is_crowded"]():
            advice = "Your network has too many open sockets: close some, or try again in a minute."
            await websocket.send_denial_response(refuse(later_error(429, "TOO_MANY_SOCKETS", advice, 60)))
            return
        hand_over: Callable[[], T] = websocket.scope["extensions"]["parley.transport"]
        await websocket.accept(SUBPROTOCOL)
        transport = hand_over()
        try:
            listener = connect(transport, websocket.path_params.get("room", ""))
        except BaseException:
            transport.abort()
            raise
        transport.listen(listener.message, listener.closed)

    return endpoint


DEFAULT_PORTS = {"http": 80, "https": 443}


def is_same_host(origin: str, connection: HTTPConnection) -> bool:
    """Whether a page's origin is the host it calls, including the port (RFC 6454, RFC 9110 section 7.2)."""
    try:
        page = urlsplit(origin)
        default = DEFAULT_PORTS[page.scheme]
        host = urlsplit("//" + connection.headers.get("host", ""))
        return page.hostname is not None and (page.hostname, page.port or default) == (
            host.hostname,
            host.port or default,
        )
    except (KeyError, ValueError):
        return False
