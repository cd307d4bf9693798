"""The uvicorn server: its listening socket, its readiness and its shutdown."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Awaitable, Callable
from types import FrameType
from typing import Final

import uvicorn

from hub.config import CannotStart, Config, Exit
from hub.net.local_network import network_addresses
from hub.telemetry.metrics import Metrics

ACCEPTS_PER_TURN: Final = 16
"""Connections accepted in one turn of the loop (G8.17). uvloop accepts one per descriptor and turn, so the
listening socket is duplicated; a newcomer would otherwise wait a turn for each connection before it."""

ACCEPT_BACKLOG: Final = 16_384
"""How many connections may wait to be accepted; Linux allows at most net.core.somaxconn (4096 by default).
TCP tries a connection that finds the queue full again after 1, 3 and 7 seconds."""


class Server(uvicorn.Server):
    """A uvicorn server that reports when it is listening, and drains the rooms before it closes sockets."""

    def __init__(
        self,
        config: uvicorn.Config,
        ready: Callable[[], None],
        drain: Callable[[], Awaitable[None]],
        send_away: Callable[[], Awaitable[None]],
    ) -> None:
        """`send_away` closes the sockets of the clients whose rooms other hubs run."""
        super().__init__(config)
        config.backlog = ACCEPT_BACKLOG  # uvicorn calls listen() once more
        self._ready = ready
        self._drain = drain
        self._send_away = send_away
        self._draining: asyncio.Task[None] | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Ends `serve`, and waits for nothing any more if it is ending.

        uvicorn would re-raise the signal afterwards, and nothing would be closed.
        """
        self.force_exit = self.should_exit
        self.should_exit = True
        if self.force_exit and self._draining is not None:
            self._draining.get_loop().call_soon_threadsafe(self._draining.cancel)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        copies = [one.dup() for one in sockets or () for _ in range(ACCEPTS_PER_TURN)]
        await super().startup(copies)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if not self.force_exit:
            async with asyncio.TaskGroup() as ending:  # which ends quietly if its task is cancelled
                self._draining = ending.create_task(self._leave())
        await super().shutdown(sockets)

    async def _leave(self) -> None:
        await self._drain()
        for server in self.servers:  # whoever comes back from now on is to reach another hub
            server.close()
        await self._send_away()


class ServerEnd:
    """Ends the server once it runs: on an operator's order, or because a task failed for good."""

    def __init__(self, metrics: Metrics) -> None:
        self.server: Server | None = None
        self.failure: CannotStart | None = None
        """The first fatal failure, which ends the hub."""
        self._metrics = metrics

    def stop(self) -> None:
        """Ends the server, as SIGTERM does."""
        if self.server is not None:
            self.server.should_exit = True

    def on_failure(self, name: str, error: BaseException, needed: bool) -> None:
        """Counts a failed task, and ends the hub if the error is fatal."""
        self._metrics.tasks_failed += 1
        if needed and not isinstance(error, CannotStart):
            advice = f"Its {name} failed, without which a hub serves nobody (see the log). Start it again."
            error = CannotStart(advice, Exit.DEFECT)
        if isinstance(error, CannotStart):
            self.failure = self.failure or error
            self.stop()


def listen(config: Config) -> socket.socket:
    """The listening socket. Raises CannotStart if the address is in use or not this machine's."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((config.host, config.port))
        listening.listen(ACCEPT_BACKLOG)
    except OSError as error:
        listening.close()
        raise CannotStart(
            f"Cannot listen on {config.host} port {config.port} ({error.strerror or error}): "
            f"{_remedy(error)}.",
            Exit.PORT,
        ) from error
    return listening


def _remedy(error: OSError) -> str:
    if isinstance(error, PermissionError):
        return "ports below 1024 are for root: choose another with --port or PARLEY_PORT, behind a proxy"
    if error.errno == errno.EADDRINUSE:
        return "stop the program that uses it, or choose another with --port or PARLEY_PORT (0: any free one)"
    return "choose an address of this machine with --host or PARLEY_HOST, such as 127.0.0.1"


def network_urls(config: Config, port: int) -> list[str]:
    """The URLs at which other devices reach this hub; empty if only this machine can."""
    if config.public_url is not None:
        return [config.public_url]
    if not config.listens_everywhere:
        return []
    return [f"{config.scheme}://{address}:{port}" for address in network_addresses()]
