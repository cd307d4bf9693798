"""Sends every message back, on the hub's socket stack: ``python -m bench.echo PORT``."""

from __future__ import annotations

import gc
import sys

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute

from hub.clock import LoopClock
from hub.net.endpoint import Transport, websocket_endpoint
from hub.net.handshake import handshake_protocol
from hub.net.open_sockets import OpenSockets
from hub.wire.framing import encode_frame


class Echo:
    """One socket."""

    def __init__(self, transport: Transport, room: str) -> None:
        self._transport = transport

    def message(self, data: bytes) -> None:
        self._transport.send(encode_frame(data))

    def closed(self, code: int) -> None:
        pass


class Server(uvicorn.Server):
    """A uvicorn server that prints "ready" once it is listening."""

    async def startup(self, sockets: object = None) -> None:
        await super().startup()
        gc.collect()
        gc.freeze()
        print("ready", flush=True)


def main(port: int) -> None:
    app = Starlette(routes=[WebSocketRoute("/ws/{room}", websocket_endpoint(Echo))])
    config = uvicorn.Config(
        app,
        port=port,
        ws=handshake_protocol(OpenSockets(LoopClock())),
        http="httptools",
        loop="uvloop",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
    )
    Server(config).run()


if __name__ == "__main__":
    main(int(sys.argv[1]))
