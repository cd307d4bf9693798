"""The socket endpoint: who may open a WebSocket here, and the hand-over of an accepted one to its session."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from typing import Protocol, TypeVar
from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse
from starlette.websockets import WebSocket

from hub.wire.messages import SUBPROTOCOL


class Wire(Protocol):
    """An accepted socket, as `hub.net.websocket` makes it."""

    remote: str | None
    closed: bool

    def send(self, data: bytes) -> None: ...

    def listen(self, on_message: Callable[[bytes], None], on_close: Callable[[int], None]) -> None: ...

    def close(self, code: int, reason: str = "") -> None: ...

    def abort(self) -> None: ...


W = TypeVar("W", bound=Wire)


class Listener(Protocol):
    """Whoever is told what a socket says: every message, and its end, once."""

    def message(self, data: bytes) -> None: ...

    def closed(self, code: int) -> None: ...


def websocket_endpoint(
    connect: Callable[[W], Listener],
    origins: Collection[str] = (),
    crowded: Callable[[str | None], bool] = lambda address: False,
) -> Callable[[WebSocket], Awaitable[None]]:
    """The endpoint of a `WebSocketRoute`: accepts, and lets `connect` make the listener of each new wire.

    Who may connect: pages of this very host, pages of `origins` ("https://example.org"), and clients that are
    no browser and send no Origin; unless too many sockets come from their address (`crowded`). The endpoint
    returns at once; the socket lives on without it.
    """
    others = frozenset(origin.lower().rstrip("/") for origin in origins)

    async def endpoint(websocket: WebSocket) -> None:
        origin = websocket.headers.get("origin")
        if origin is not None and origin.lower() not in others and not _same_host(origin, websocket):
            advice = (
                "This page may not connect: its origin is neither this hub's nor one it was told to allow.\n"
            )
            await websocket.send_denial_response(PlainTextResponse(advice, 403))
            return
        if SUBPROTOCOL not in websocket.scope["subprotocols"]:
            advice = f"This hub speaks the WebSocket subprotocol {SUBPROTOCOL}: ask for it.\n"
            await websocket.send_denial_response(PlainTextResponse(advice, 400))
            return
        if crowded(websocket.client.host if websocket.client else None):
            advice = "Too many sockets are open from your network: close some, or try again later.\n"
            await websocket.send_denial_response(PlainTextResponse(advice, 429))
            return
        hand_over: Callable[[], W] = websocket.scope["extensions"]["parley.wire"]
        await websocket.accept(SUBPROTOCOL)
        wire = hand_over()
        try:
            listener = connect(wire)
        except BaseException:
            wire.abort()
            raise
        wire.listen(listener.message, listener.closed)

    return endpoint


DEFAULT_PORTS = {"http": 80, "https": 443}


def _same_host(origin: str, websocket: WebSocket) -> bool:
    """Whether a page's origin is the host it now calls, port and all (RFC 6454, RFC 9110 section 7.2)."""
    try:
        page = urlsplit(origin)
        default = DEFAULT_PORTS[page.scheme]
        host = urlsplit("//" + websocket.headers.get("host", ""))
        return page.hostname is not None and (page.hostname, page.port or default) == (
            host.hostname,
            host.port or default,
        )
    except (KeyError, ValueError):
        return False
