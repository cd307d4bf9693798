"""A real uvicorn with our wires, inside the test's own loop: no process, no thread, no waiting to see."""

from __future__ import annotations

import asyncio
import functools
import inspect
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
import uvloop
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from hub.net.endpoint import websocket_endpoint
from hub.net.websocket import Wire, Wires
from hub.wire.framing import encode_frame

LOOPS = {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}


def on_both_loops(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Runs an async test twice, on asyncio's loop and on uvloop's."""

    def run(loop: str, **fixtures: Any) -> None:
        with asyncio.Runner(loop_factory=LOOPS[loop]) as runner:
            runner.run(test(**fixtures))

    functools.update_wrapper(run, test)
    signature = inspect.signature(test)
    own = inspect.Parameter("loop", inspect.Parameter.KEYWORD_ONLY)
    run.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*signature.parameters.values(), own]
    )
    twice: Callable[..., None] = pytest.mark.parametrize("loop", LOOPS)(run)
    return twice


class Ear:
    """A listener that keeps what it hears, and says it back."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.heard: list[bytes] = []
        self.gone: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def message(self, data: bytes) -> None:
        self.heard.append(data)
        self.wire.send(encode_frame(data))

    def closed(self, code: int) -> None:
        self.gone.set_result(code)  # raises when it is said twice


class Hub:
    """What a test may look at: `ears` in the order their sockets were accepted."""

    def __init__(self, port: int, server: uvicorn.Server, wires: Wires, ears: list[Any]) -> None:
        self.port = port
        self.server = server
        self.wires = wires
        self.ears = ears

    @property
    def connections(self) -> set[Any]:
        return self.server.server_state.connections


@asynccontextmanager
async def serving(
    listener: Callable[[Wire], Any] = Ear,
    *,
    origins: Collection[str] = (),
    endpoint: Callable[[WebSocket], Awaitable[None]] | None = None,
    certificate: Path | None = None,
) -> AsyncIterator[Hub]:
    """A hub of one endpoint, `/ws`. In the end nothing of any connection is left, or the test fails."""
    ears: list[Any] = []

    def connect(wire: Wire) -> Any:
        ear = listener(wire)
        ears.append(ear)
        return ear

    wires = Wires()
    endpoint = endpoint or websocket_endpoint(connect, origins, wires.crowded)
    app = Starlette(routes=[WebSocketRoute("/ws", endpoint)])
    config = uvicorn.Config(
        app,
        ws=wires.protocol(),
        http="httptools",
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
    hub = Hub(listening.getsockname()[1], server, wires, ears)
    try:
        yield hub
    finally:
        for one in server.servers:
            one.close()
        for wire in list(hub.connections):
            wire.transport.abort() if hasattr(wire, "transport") else wire.abort()
    await until(lambda: not hub.connections and not server.server_state.tasks)
    for one in server.servers:
        await one.wait_closed()
    assert len(wires) == 0
    assert all(ear.gone.done() for ear in ears if isinstance(ear, Ear))


async def until(true: Callable[[], object]) -> None:
    """Lets the loop run until this holds; pytest's timeout is the only clock."""
    while not true():  # noqa: ASYNC110 - some of these things set no event
        await asyncio.sleep(0)
