"""What a WebSocket costs: no task per message, and nothing left of the handshake or after the close."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

from tests.net.serving import on_both_loops, serving, until
from tests.wire_client import WireClient, client_frame


@on_both_loops
async def test_no_task_per_message() -> None:
    """After the handshake a socket has no task, and a thousand messages start none."""
    async with serving() as hub, await WireClient.open(hub.port) as client:
        await until(lambda: not hub.server.server_state.tasks)
        tasks = asyncio.all_tasks()

        def no_task(loop: asyncio.AbstractEventLoop, coroutine: Any, **_: Any) -> asyncio.Future[Any]:
            raise AssertionError(f"a task was started: {coroutine}")

        asyncio.get_running_loop().set_task_factory(no_task)
        try:
            for _ in range(1000):
                await client.send(b"x" * 60)
                assert await client.receive() == b"x" * 60
        finally:
            asyncio.get_running_loop().set_task_factory(None)
        assert asyncio.all_tasks() == tasks


HANDSHAKE = frozenset({
    *("HttpProtocol", "HandshakeProtocol", "ServerProtocol", "_GeneralProtocol", "WebSocket", "Request"),
})  # fmt: skip
"""Names of the types that only the handshake needs."""


class Since:
    """Finds objects of given types created since; other tests in this process may have left older ones."""

    def __init__(self, *kinds: str) -> None:
        self.kinds = frozenset(kinds)
        gc.collect()
        self.before = self._alive()

    def left(self) -> list[str]:
        known = {id(thing) for thing in self.before}
        return [type(thing).__name__ for thing in self._alive() if id(thing) not in known]

    def _alive(self) -> list[object]:
        return [thing for thing in gc.get_objects() if type(thing).__name__ in self.kinds]


@on_both_loops
async def test_an_idle_socket_is_small() -> None:
    """Once the socket is handed over, nothing that the handshake needed is left."""
    handshake = Since(*HANDSHAKE)
    async with serving() as hub:
        clients = [await WireClient.open(hub.port) for _ in range(20)]
        await until(lambda: not hub.server.server_state.tasks)
        left = handshake.left()
        for client in clients:
            await client.cut()
    assert left == [], "it is freed at once, without garbage collection"


@on_both_loops
async def test_nothing_is_left_of_closed_sockets() -> None:
    sockets = Since("WebSocketTransport", "_GeneralProtocol")
    async with serving() as hub:
        for i in range(60):
            async with await WireClient.open(hub.port) as client:
                if i % 3 == 0:
                    await client.leave()
                elif i % 3 == 1:
                    await client.say(client_frame(b"part", fin=False) + b"\x82")
                else:
                    await client.say(client_frame(b"", mask=None))
                    await client.end()
        await until(lambda: not hub.connections)
        hub.listeners.clear()
        gc.collect()
        assert sockets.left() == []
