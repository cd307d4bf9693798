"""What the server does between a signal and its end (R8)."""

from __future__ import annotations

import signal
import socket

import pytest
import uvicorn
from starlette.applications import Starlette

from hub.net.server import Server

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize(("signals", "steps"), [(1, ["drain", "send away"]), (2, [])])
async def test_two_signals_before_the_server_notices(signals: int, steps: list[str]) -> None:
    """R8: uvicorn looks ten times a second whether it is to end; the second signal may be there by then."""
    done: list[str] = []

    async def drain() -> None:
        done.append("drain")

    async def send_away() -> None:
        done.append("send away")

    def interrupt() -> None:
        for _ in range(signals):
            server.handle_exit(signal.SIGTERM, None)

    config = uvicorn.Config(Starlette(), lifespan="off", log_config=None)
    server = Server(config, interrupt, drain, send_away)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        await server.serve([listening])
    assert done == steps
