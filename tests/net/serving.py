"""A real uvicorn with our sockets, inside the test's own loop: no process, no thread, no sleeping."""

from __future__ import annotations

import asyncio
import functools
import inspect
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
import uvloop
from starlette.applications import Starlette
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket

from hub.clock import LoopClock
from hub.net.connection_limits import ConnectionLimits
from hub.net.endpoint import websocket_endpoint
from hub.net.handshake import handshake_protocol
from hub.net.http.protocol import http_protocol
from hub.net.open_sockets import OpenSockets
from hub.net.websocket import WebSocketTransport
from hub.wire.framing import encode_frame
from tests.harness.defaults import make_connection_limits

LOOPS = {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}


def on_both_loops(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Runs an async test twice, on asyncio's loop and on uvloop."""

    def run(loop: str, **fixtures: Any) -> None:
        with asyncio.Runner(loop_factory=LOOPS[loop]) as runner:
            runner.run(test(**fixtures))

    functools.update_wrapper(run, test)
    signature = inspect.signature(test)
    loop_parameter = inspect.Parameter("loop", inspect.Parameter.KEYWORD_ONLY)
    run.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*signature.parameters.values(), loop_parameter]
    )
    twice: Callable[..., None] = pytest.mark.parametrize("loop", LOOPS)(run)
    return twice


class RecordingListener:
    """A listener that records every message and echoes it."""

    def __init__(self, transport: WebSocketTransport) -> None:
        self.transport = transport
        self.messages: list[bytes] = []
        self.close_code: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def message(self, data: bytes) -> None:
        self.messages.append(data)
        self.transport.send(encode_frame(data))

    def closed(self, code: int) -> None:
        self.close_code.set_result(code)  # raises if called twice


class Hub:
    """The parts of the server that tests use; `listeners` are in the order in which sockets were accepted."""

    def __init__(self, port: int, server: uvicorn.Server, sockets: OpenSockets, listeners: list[Any]) -> None:
        self.port = port
        self.server = server
        self.sockets = sockets
        self.listeners = listeners

    @property
    def connections(self) -> set[Any]:
        return self.server.server_state.connections


@asynccontextmanager
async def serving(
    make_listener: Callable[[WebSocketTransport], Any] = RecordingListener,
    *,
    origins: Collection[str] = (),
    endpoint: Callable[[WebSocket], Awaitable[None]] | None = None,
    certificate: Path | None = None,
    limits: ConnectionLimits | None = None,
    routes: Sequence[BaseRoute] = (),
) -> AsyncIterator[Hub]:
    """A hub with one endpoint, `/ws`, and `routes`. Fails if anything is left of a connection at the end."""
    listeners: list[Any] = []

    def connect(transport: WebSocketTransport, room: str) -> Any:
        listener = make_listener(transport)
        listeners.append(listener)
        return listener

    limits = limits or make_connection_limits()
    sockets = OpenSockets(LoopClock(), limits)
    endpoint = endpoint or websocket_endpoint(connect, origins)
    app = Starlette(routes=[WebSocketRoute("/ws", endpoint), *routes])
    config = uvicorn.Config(
        app,
        ws=handshake_protocol(sockets),
        http=http_protocol(limits),
        lifespan="off",
        log_config=None,
        access_log=False,
        ssl_certfile=certificate,
    )
    logging.getLogger("uvicorn.error").setLevel(logging.INFO)
    config.load()
    server = uvicorn.Server(config)
    server.lifespan = config.lifespan_class(config)
    listening = socket.create_server(("127.0.0.1", 0))
    await server.startup(sockets=[listening])
    hub = Hub(listening.getsockname()[1], server, sockets, listeners)
    try:
        yield hub
    finally:
        for one in server.servers:
            one.close()
        for protocol in list(hub.connections):
            protocol.transport.abort() if hasattr(protocol, "transport") else protocol.abort()
    await until(lambda: not hub.connections and not server.server_state.tasks)
    for one in server.servers:
        await one.wait_closed()
    assert len(sockets) == 0
    assert all(
        recorded.close_code.done() for recorded in listeners if isinstance(recorded, RecordingListener)
    )


async def until(true: Callable[[], object]) -> None:
    """Lets the loop run until the condition holds; only pytest's timeout limits it."""
    while not true():  # noqa: ASYNC110 - some of these things set no event
        await asyncio.sleep(0)
