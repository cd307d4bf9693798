"""The handshake and the hand-over of an accepted socket: nothing is lost before it has a listener."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable
from typing import Any

import pytest
from starlette.websockets import WebSocket

from hub.net.handshake import KERNEL_BUFFER
from hub.net.http.headers import SECURITY_HEADERS
from hub.net.websocket import WebSocketTransport
from hub.wire.messages import SUBPROTOCOL
from tests.net.serving import Hub, RecordingListener, on_both_loops, serving, until
from tests.wire_client import (
    CONT,
    Refused,
    WireClient,
    client_frame,
    handshake,
)


@on_both_loops
async def test_socket_options() -> None:
    async with serving() as hub, await WireClient.open(hub.port):
        sock = hub.listeners[0].transport._transport.get_extra_info("socket")
        assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) == 2 * KERNEL_BUFFER


class Door:
    """An endpoint that accepts and hands over when the test allows it; the test then sets the listener."""

    def __init__(self) -> None:
        self.accept = asyncio.Event()
        self.arrived = asyncio.Event()
        self.transport: WebSocketTransport | None = None

    async def enter(self, websocket: WebSocket) -> None:
        self.arrived.set()
        await self.accept.wait()
        hand_over: Callable[[], WebSocketTransport] = websocket.scope["extensions"]["parley.transport"]
        await websocket.accept(SUBPROTOCOL)
        self.transport = hand_over()


@on_both_loops
async def test_nothing_is_lost_before_somebody_listens() -> None:
    """Messages are kept if sent before the accept or before the listener is set, or split between the two."""
    door = Door()
    async with serving(endpoint=door.enter) as hub, await WireClient.connect(hub.port) as client:
        await client.say(open_request(hub))
        await door.arrived.wait()
        await client.say(client_frame(b"1") + client_frame(b"2")[:3])
        protocol = next(iter(hub.connections))
        await until(lambda: protocol.buffered)
        assert not protocol.transport.is_reading(), "an early client has to wait; no more is buffered"
        door.accept.set()
        await client.answer()
        assert door.transport is not None
        await client.say(client_frame(b"2")[3:] + client_frame(b"3", fin=False) + client_frame(b"", CONT))
        listener = RecordingListener(door.transport)
        door.transport.listen(listener.message, listener.closed)
        assert listener.messages == [], "`listen` itself delivers nothing"
        assert [await client.receive() for _ in range(3)] == [b"1", b"2", b"3"]
        await client.leave()
        assert await listener.close_code == 1000


@on_both_loops
async def test_reading_rests_until_somebody_listens() -> None:
    door = Door()
    door.accept.set()
    async with serving(endpoint=door.enter) as hub, await WireClient.open(hub.port) as client:
        assert door.transport is not None
        await client.send(b"1")
        for _ in range(20):
            await asyncio.sleep(0)
        listener = RecordingListener(door.transport)
        door.transport.listen(listener.message, listener.closed)
        assert await client.receive() == b"1"


@on_both_loops
async def test_lost_before_somebody_listens() -> None:
    door = Door()
    door.accept.set()
    async with serving(endpoint=door.enter) as hub:
        async with await WireClient.open(hub.port):
            assert door.transport is not None
            door.transport.abort()  # reading is paused, so only the hub's side can end it
            await until(lambda: not hub.connections)
        listener = RecordingListener(door.transport)
        door.transport.listen(listener.message, listener.closed)
        assert not listener.close_code.done(), "`listen` itself reports no close"
        assert await listener.close_code == 1006


@on_both_loops
async def test_a_fault_in_a_buffered_message() -> None:
    door = Door()
    faults: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault["exception"]))
    async with serving(endpoint=door.enter) as hub, await WireClient.connect(hub.port) as client:
        await client.say(open_request(hub))
        await door.arrived.wait()
        await client.say(client_frame(b"1"))
        protocol = next(iter(hub.connections))
        await until(lambda: protocol.buffered)
        door.accept.set()
        await client.answer()
        assert door.transport is not None
        listener = RecordingListener(door.transport)
        door.transport.listen(fail, listener.closed)
        assert await listener.close_code == 1006
    assert [type(fault) for fault in faults] == [ZeroDivisionError]


def fail(_: bytes) -> None:
    raise ZeroDivisionError


@on_both_loops
async def test_lost_before_it_is_accepted(caplog: pytest.LogCaptureFixture) -> None:
    door = Door()
    async with serving(endpoint=door.enter) as hub:
        async with await WireClient.connect(hub.port) as client:
            await client.say(open_request(hub))
            await door.arrived.wait()
        await until(lambda: not hub.connections)
        door.accept.set()
        await until(lambda: not hub.server.server_state.tasks)
        assert door.transport is None
        assert len(hub.sockets) == 0
    assert [record.message for record in caplog.records if record.levelname != "INFO"] == []


@on_both_loops
async def test_a_client_that_has_gone_opens_nothing() -> None:
    """G8.21: otherwise a hub that everybody comes back to would open sockets for those who gave up."""
    async with serving() as hub:
        with socket.create_connection(("127.0.0.1", hub.port)) as client:
            client.sendall(open_request(hub))
        async with await WireClient.open(hub.port):  # accepted after the first
            await until(lambda: len(hub.connections) == 1)
            assert len(hub.listeners) == 1


def open_request(hub: Hub) -> bytes:
    return handshake(hub.port)


def request(port: int, *changes: tuple[str, str]) -> bytes:
    text = handshake(port).decode("latin-1")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text.encode("latin-1")


BAD_REQUESTS = {
    "an old version": (("Version: 13", "Version: 8"),),
    "no version": (("Sec-WebSocket-Version: 13\r\n", ""),),
    "no key": (("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", ""),),
    "a key too short": (("dGhlIHNhbXBsZSBub25jZQ==", "dGhl"),),
    "two keys": (("Sec-WebSocket-Key", "Sec-WebSocket-Key: eA==\r\nSec-WebSocket-Key"),),
    "two origins": (("Upgrade: w", "Origin: http://a\r\nOrigin: http://b\r\nUpgrade: w"),),
    "another method": (("GET /ws", "POST /ws"),),
    "a path that is not ASCII": (("GET /ws", "GET /ws\xff"),),
    "a header line too long": (("Upgrade: w", f"Cookie: {'x' * 9000}\r\nUpgrade: w"),),
    "too many headers": (("Upgrade: w", "X-A: b\r\n" * 200 + "Upgrade: w"),),
    "a path too long": (("GET /ws", "GET /ws?" + "x" * 9000),),
    "a header of a strange name": (("Upgrade: w", "X\xe9: b\r\nUpgrade: w"),),
    "a header of strange bytes": (("Upgrade: w", "X-A: \x01\r\nUpgrade: w"),),
    "a body to come": (("Upgrade: w", "Content-Length: 5\r\nUpgrade: w"),),
    "a body in chunks": (("Upgrade: w", "Transfer-Encoding: chunked\r\nUpgrade: w"),),
    "an unknown path": (("GET /ws", "GET /nowhere"),),
}


ANSWERS = {
    "another method": (405, "METHOD_NOT_ALLOWED"),
    "a header line too long": (431, "HEAD_TOO_LARGE"),
    "too many headers": (431, "HEAD_TOO_LARGE"),
    "a path too long": (431, "HEAD_TOO_LARGE"),
    "a path that is not ASCII": (400, "BAD_REQUEST"),
    "a header of a strange name": (400, "BAD_REQUEST"),
    "a header of strange bytes": (400, "BAD_REQUEST"),
    "an unknown path": (404, "NOT_FOUND"),
}
"""All others are bad handshakes."""


@pytest.mark.parametrize("name", BAD_REQUESTS)
@on_both_loops
async def test_bad_request(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """H8, H10: every bad request is answered with a code, advice and the security headers, and its connection
    is closed: none is left hanging."""
    async with serving() as hub, await WireClient.connect(hub.port) as client:
        await client.say(request(hub.port, *BAD_REQUESTS[name]))
        with pytest.raises(Refused) as refused:
            await client.answer()
        status, code = ANSWERS.get(name, (400, "BAD_HANDSHAKE"))
        assert refused.value.status == status
        body = json.loads(refused.value.body)
        assert (body["code"], sorted(body)) == (code, ["advice", "code"])
        assert refused.value.headers["content-type"] == "application/json"
        assert SECURITY_HEADERS.items() <= refused.value.headers.items()
        assert await client.end() == b""
        await until(lambda: not hub.connections)
        assert hub.listeners == []
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []
