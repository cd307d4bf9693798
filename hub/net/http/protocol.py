"""HTTP with limits: uvicorn's protocol class, which by itself would wait forever and accept heads of any
size.

A connection over a limit (hub/net/connection_limits.py) gets one response, and is closed. Health checks are
answered all the same.

A request's head may take up to `HEAD_BYTES`, with at most `MAX_HEADERS` headers, and must arrive within
`HEAD_SECONDS` of the connection's start or of the last response. What frames its body (chunk sizes, trailers)
may take as much. Once a request is answered, the rest of its body is subject to the same time limit and to a
limit of `BODY_LEFT` bytes. Limits for a body that a handler reads are in hub/net/http/requests.py.

Nothing is parsed beyond a limit: the parser gets `SLICE_BYTES` at a time, and stops at once when the
connection is refused (G8.17).
"""

from __future__ import annotations

import asyncio
import select
from typing import Any, ClassVar, Final

from uvicorn._types import ASGI3Application
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from hub.net.connection_limits import FORWARDING_HEADERS, ConnectionLimits
from hub.net.http.errors import ApiError, pack_refusal, refuse
from hub.net.http.limits import HEALTH_PATHS

HEAD_BYTES: Final = 32 * 1024
MAX_HEADERS: Final = 100
HEAD_SECONDS: Final = 10.0
BODY_LEFT: Final = 1024 * 1024
"""Enough for a client that sends too much to finish and read the error."""

SLICE_BYTES: Final = 4096
"""Bytes that are parsed before the limits are checked again."""

MAX_PIPELINED: Final = 8
"""Requests that may wait for the response to an earlier one. Browsers send none ahead."""
DRAIN_SECONDS: Final = 20.0
"""A client has this long to read what was written to it, or at least one buffer of it (64 KiB)."""

TOO_LARGE: Final = ApiError(
    431, "HEAD_TOO_LARGE", f"A request's head may have at most {HEAD_BYTES} bytes: send less."
)
TOO_MANY_HEADERS: Final = ApiError(
    431, "HEAD_TOO_LARGE", f"A request may have at most {MAX_HEADERS} headers: send fewer."
)
HUNG_UP: Final = getattr(select, "POLLRDHUP", select.POLLHUP)
"""The event for a connection whose other side is closed; macOS has only POLLHUP."""
UNREADABLE: Final = ApiError(400, "BAD_REQUEST", "This is not a request in HTTP/1.1: check what was sent.")


class _StopParsing(Exception):
    """Raised in a callback of the parser once the connection is closed: otherwise it would parse its whole
    input."""


def http_protocol(limits: ConnectionLimits) -> type[HttpProtocol]:
    """The class to give uvicorn as `http`."""
    return type("HttpProtocol", (HttpProtocol,), {"limits": limits})


def has_hung_up(transport: asyncio.BaseTransport) -> bool:
    """Whether the client has closed its side of the connection. What it sent before may be unread.

    A hub that is late opens no sockets for clients that gave up: it would only get later.
    """
    poll = select.poll()
    poll.register(transport.get_extra_info("socket").fileno(), HUNG_UP)
    return bool(poll.poll(0))


class HttpProtocol(HttpToolsProtocol):
    """One HTTP connection, until it becomes a WebSocket."""

    limits: ClassVar[ConnectionLimits]

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._in_head = True
        self._answered = False
        self._framing = 0
        """Bytes received of this head, or of what frames this body."""
        self._unread = 0
        """Bytes received of a body that no handler reads."""
        self._deadline: asyncio.TimerHandle | None = None
        self._network: str | None = None
        """The network it counts against; None for this machine and trusted proxies."""
        self._refusal: ApiError | None = None
        self._running: RequestResponseCycle | None = None
        """The request that was last given to the application."""
        self._drain_check: asyncio.TimerHandle | None = None
        self._has_drained = False
        """Whether the client has read a buffer since the last check."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn
        super().connection_made(transport)
        limits = self.limits
        self._network = limits.key(self.client and self.client[0])
        self._refusal = limits.refuse(self._network, len(self.connections))
        if self._refusal is None:
            limits.add(self._network)
        else:
            limits.take_slot(self._network, transport)
        self._set_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        self._lift_deadline()
        if self._refusal is None:
            self.limits.remove(self._network)
        else:
            self.limits.free_slot(self._network, self.transport)
        if self._drain_check is not None:
            self._drain_check.cancel()
        super().connection_lost(exc)
        if self._running is not None:  # uvicorn tells only the request that arrived last
            self._running.disconnected = True
            self._running.message_event.set()
        # Each waiting request refers back to this object: cycles, which are collected rarely.
        self.pipeline.clear()
        self.cycle = self._running = self.scope = self.headers = None  # type: ignore[assignment]  # as uvicorn does

    def data_received(self, data: bytes) -> None:
        at = 0
        while at < len(data) and not self.transport.is_closing() and self.transport.get_protocol() is self:
            if self._framing >= HEAD_BYTES or self._unread > BODY_LEFT:
                self._exceed(TOO_LARGE)
                return
            size = min(SLICE_BYTES, HEAD_BYTES - self._framing) if self._in_head else SLICE_BYTES
            self._parse(data[at : at + size])
            at += size

    def _parse(self, data: bytes) -> None:
        if self._in_head or self._answered:
            self._set_deadline()
        self._framing += len(data)
        self._unread += len(data) if self._answered else 0
        super().data_received(data)

    def _exceed(self, error: ApiError) -> None:
        """Ends the connection of a request that is too large. Once its head is read, it has its response."""
        if self._in_head:
            self._refuse_unread(error)
        else:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        if not self.transport.is_closing():  # otherwise it was refused, and its parser was stopped
            self._refuse_unread(UNREADABLE)

    def _refuse_unread(self, error: ApiError) -> None:
        """Refuses what arrived, in place of the application, and ends the connection.

        If an earlier request is still unanswered, the client would take this response for its own.
        """
        self.limits.count_response(error.status)
        if not self._is_answering:
            self.transport.write(pack_refusal(error))
        self.transport.close()

    @property
    def _is_answering(self) -> bool:
        """Whether an earlier request of this connection is not yet answered."""
        return self._running is not None and not self._running.response_complete

    def on_header(self, name: bytes, value: bytes) -> None:
        if len(self.headers) >= MAX_HEADERS:
            self._exceed(TOO_MANY_HEADERS)
            raise _StopParsing
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if len(self.pipeline) >= MAX_PIPELINED:
            self.transport.close()
            raise _StopParsing
        self._in_head = self._answered = False
        self._framing = self._unread = 0
        self._lift_deadline()
        if self._network is not None:
            self._find_forwarding()
        if self._refusal is not None and self.url.partition(b"?")[0].decode("latin-1") not in HEALTH_PATHS:
            self.app = refuse(self._refusal)
        super().on_headers_complete()
        if self._refusal is not None:
            self.cycle.keep_alive = False

    def on_body(self, body: bytes) -> None:
        self._framing -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._in_head = True
        self._framing = self._unread = 0
        self._lift_deadline()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self._expect_drain()
        super().on_response_complete()
        if not self._in_head:
            self._answered = True
            self._set_deadline()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._expect_drain()

    def resume_writing(self) -> None:
        self._has_drained = True
        super().resume_writing()

    def _expect_drain(self) -> None:
        """Cuts off a client that does not read, which would otherwise keep its response in memory."""
        if self._drain_check is None and self.transport.get_write_buffer_size():
            self._has_drained = False
            self._drain_check = self.loop.call_later(DRAIN_SECONDS, self._check_drain)

    def _check_drain(self) -> None:
        self._drain_check = None
        if self._has_drained or not self.transport.get_write_buffer_size():
            self._expect_drain()
        else:
            self.transport.abort()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    def _should_upgrade(self) -> bool:
        return self._refusal is None and not self._is_answering and super()._should_upgrade()

    def handle_websocket_upgrade(self) -> None:
        if has_hung_up(self.transport):
            self.transport.abort()
            return
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]  # refers back to this object, which is done

    def _unsupported_upgrade_warning(self) -> None:
        """A client's mistake, or a socket over the limit: nothing to log."""

    def _find_forwarding(self) -> None:
        for name, _ in self.headers:
            if name in FORWARDING_HEADERS:
                self.limits.note_forwarding(name)
                return

    def _set_deadline(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _lift_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
