"""How many newcomers one turn of the event loop accepts (G8.17)."""

from __future__ import annotations

import asyncio
import socket
import struct
import sys
from pathlib import Path

import pytest
import uvicorn
from starlette.applications import Starlette

from hub.net.server import ACCEPT_BACKLOG, ACCEPTS_PER_TURN, Server
from tests.net.serving import on_both_loops


@on_both_loops
async def test_many_newcomers_are_accepted_in_one_turn() -> None:
    """G8.17: otherwise a newcomer waits a turn of the loop for everybody who came before."""
    newcomers = 10 * ACCEPTS_PER_TURN
    accepted = 0

    class Newcomer(asyncio.Protocol):
        def __init__(self, **_: object) -> None:
            nonlocal accepted
            accepted += 1

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            transport.abort()  # type: ignore[attr-defined]  # typeshed: only WriteTransport has it

    async def drain() -> None: ...

    config = uvicorn.Config(Starlette(), http=Newcomer, lifespan="off", log_config=None)
    config.load()
    server = Server(config, lambda: None, drain, drain)
    server.lifespan = config.lifespan_class(config)
    with socket.create_server(("127.0.0.1", 0), backlog=newcomers) as listening:
        await server.startup([listening])
        clients = [socket.create_connection(listening.getsockname()) for _ in range(newcomers)]
        turns = 0
        while accepted < newcomers:
            turns += 1
            await asyncio.sleep(0)
        for client in clients:
            client.close()
        address = listening.getsockname()
        await server.shutdown([listening])
        with pytest.raises(ConnectionRefusedError):  # every copy is closed
            socket.create_connection(address)
    assert turns <= newcomers // ACCEPTS_PER_TURN + 3  # asyncio takes a few turns to make the protocols


@pytest.mark.skipif(sys.platform != "linux", reason="reads TCP_INFO")
@on_both_loops
async def test_the_queue_of_connections_is_as_long_as_the_system_allows() -> None:
    """After a restart, all come at once; TCP tries those that find no place again after a second or more."""
    most = int(Path("/proc/sys/net/core/somaxconn").read_text())  # noqa: ASYNC240

    async def drain() -> None: ...

    config = uvicorn.Config(Starlette(), lifespan="off", log_config=None)
    config.load()
    server = Server(config, lambda: None, drain, drain)
    server.lifespan = config.lifespan_class(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        await server.startup([listening])
        (queue,) = struct.unpack_from("I", listening.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 64), 28)
        await server.shutdown([listening])
    assert queue == min(ACCEPT_BACKLOG, most)
