"""The end of a WebSocket: closed by the client or the hub, lost, or shut down."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hub.net import websocket
from hub.wire.framing import encode_frame
from hub.wire.messages import CLOSE_CODES
from tests.net.serving import RecordingListener, on_both_loops, serving
from tests.wire_client import CLOSE, PING, PONG, TEXT, WireClient, client_frame, close_payload


@pytest.mark.parametrize("code", [None, 1000, 1001, 1003, 1011, 3000, 3999, 4000, 4999])
@on_both_loops
async def test_the_client_closes(code: int | None) -> None:
    payload = b"" if code is None else close_payload(code, "so long")
    async with serving() as hub, await WireClient.open(hub.port) as client:
        await client.say(client_frame(b"x") + client_frame(payload, CLOSE) + client_frame(b"after"))
        assert await client.receive() == b"x"
        assert await client.frame() == (CLOSE, payload)
        assert await client.end() == b""
        assert await hub.listeners[0].close_code == (code or 1005)
        assert hub.listeners[0].messages == [b"x"]


@pytest.mark.parametrize(
    "begun", [b"", b"\x82", client_frame(b"x" * 500)[:300], client_frame(b"x", fin=False)]
)
@on_both_loops
async def test_the_client_is_lost(begun: bytes) -> None:
    """The connection may end with a reset or a half-close, at any point of the stream."""
    async with serving() as hub:
        async with await WireClient.open(hub.port) as client:
            await client.say(client_frame(b"x") + begun)
            assert await client.receive() == b"x"
        assert await hub.listeners[0].close_code == 1006
        async with await WireClient.open(hub.port) as client:
            await client.say(client_frame(b"x") + begun)
            client.writer.write_eof()
            assert await client.receive() == b"x"
            assert await client.end() == b""
            assert await hub.listeners[1].close_code == 1006


@on_both_loops
async def test_the_hub_closes() -> None:
    async with serving() as hub, await WireClient.open(hub.port) as client:
        listener = hub.listeners[0]
        listener.transport.send(encode_frame(b"last words"))
        listener.transport.close(4003, "é" * 100)
        listener.transport.send(encode_frame(b"too late"))
        listener.transport.close(4004)
        assert listener.transport.closed
        assert await client.receive() == b"last words"
        close = await client.frame()
        assert (close.code, close.reason) == (4003, "é" * 61)  # 123 bytes at most
        await client.say(client_frame(b"did not hear you") + client_frame(b"", PING))
        await client.say(client_frame(close_payload(4003), CLOSE))
        assert (await client.frame()).opcode == PONG
        assert await client.end() == b""
        assert await listener.close_code == 4003
        assert listener.messages == []


@on_both_loops
async def test_the_hub_closes_during_a_read() -> None:
    """Nothing is delivered after a listener closes, even if already read, on either path."""

    class Curt(RecordingListener):
        def message(self, data: bytes) -> None:
            super().message(data)
            self.transport.close(4008)

    for data in (
        client_frame(b"a") * 3 + client_frame(close_payload(4008), CLOSE),
        client_frame(b"", PONG) + client_frame(b"a") * 3 + client_frame(close_payload(4008), CLOSE),
        client_frame(b"a") * 3 + client_frame(b"text", TEXT),
    ):
        async with serving(Curt) as hub, await WireClient.open(hub.port) as client:
            await client.say(data)
            assert await client.receive() == b"a"
            assert (await client.frame()).code in (4008, 1003)
            assert await client.end() == b""
            await client.cut()
            assert await hub.listeners[0].close_code == 4008
            assert hub.listeners[0].messages == [b"a"]


@on_both_loops
async def test_the_hub_aborts() -> None:
    class Abrupt(RecordingListener):
        def message(self, data: bytes) -> None:
            super().message(data)
            self.transport.abort()

    for data in (client_frame(b"a") * 2, client_frame(b"", PONG) + client_frame(b"a") * 2):
        async with serving(Abrupt) as hub, await WireClient.open(hub.port) as client:
            await client.say(data)
            await client.end()
            assert await hub.listeners[0].close_code == 1006
            assert hub.listeners[0].messages == [b"a"]


@on_both_loops
async def test_an_unanswered_close(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "CLOSE_SECONDS", 0.0)
    async with serving() as hub, await WireClient.open(hub.port) as client:
        hub.listeners[0].transport.close(4003)
        assert (await client.frame()).code == 4003
        assert await client.end() == b""
        assert await hub.listeners[0].close_code == 4003


@on_both_loops
async def test_a_client_that_keeps_sending_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that keeps sending after an error is cut off at the deadline."""
    monkeypatch.setattr(websocket, "CLOSE_SECONDS", 0.0)
    async with serving() as hub, await WireClient.open(hub.port) as client:
        await client.say(client_frame(b"hello", TEXT) + b"x" * 200_000)
        assert await hub.listeners[0].close_code == 1003


@on_both_loops
async def test_a_fault_in_a_listener() -> None:
    """A bug is reported and closes only the socket it occurred on."""

    class Faulty(RecordingListener):
        def message(self, data: bytes) -> None:
            if data == b"bug":
                raise ZeroDivisionError
            super().message(data)

    faults: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault["exception"]))
    async with (
        serving(Faulty) as hub,
        await WireClient.open(hub.port) as well,
        await WireClient.open(hub.port) as client,
    ):
        await client.send(b"bug")
        assert await hub.listeners[1].close_code == 1006
        await well.send(b"fine")
        assert await well.receive() == b"fine"
    assert [type(fault) for fault in faults] == [ZeroDivisionError]


@on_both_loops
async def test_shutdown(monkeypatch: pytest.MonkeyPatch) -> None:
    """uvicorn's graceful shutdown: every client gets a close frame, and a silent one does not delay it."""
    monkeypatch.setattr(websocket, "CLOSE_SECONDS", 0.0)
    async with (
        serving() as hub,
        await WireClient.open(hub.port) as client,
        await WireClient.open(hub.port, receive_buffer=4096) as deaf,
    ):
        hub.listeners[1].transport.send(encode_frame(bytes(100_000)))
        hub.server.config.timeout_graceful_shutdown = None
        await hub.server.shutdown()
        close = await client.frame()
        assert (close.code, close.reason) == (1001, CLOSE_CODES[1001])
        await deaf.end()
        assert [await listener.close_code for listener in hub.listeners] == [1001, 1001]
