"""WebSocket clients that do not read (G8)."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import pytest

from hub.net import websocket
from hub.net.open_sockets import OpenSockets
from hub.net.websocket import WRITE_LIMIT
from hub.wire.framing import encode_frame
from tests.harness.defaults import make_connection_limits
from tests.harness.manual_clock import ManualClock
from tests.net.recording import RecordingTransport, open_transport
from tests.net.serving import Hub, on_both_loops, serving
from tests.wire_client import CLOSE, WireClient, client_frame, close_payload


def waiting(hub: Hub) -> int:
    """The number of bytes this process holds for clients."""
    return sum(transport._transport.get_write_buffer_size() for transport in hub.connections)


@on_both_loops
async def test_two_hundred_clients_that_never_read_do_not_disturb_a_player() -> None:
    """G8: each is cut off when its buffer overflows; the player loses nothing, and memory is bounded."""
    news = encode_frame(bytes(16_384))
    most = 0
    async with serving() as hub, await WireClient.open(hub.port) as player:
        deaf = [await WireClient.open(hub.port, receive_buffer=4096) for _ in range(200)]
        rounds = 0
        while len(hub.connections) > 1:
            rounds += 1
            for listener in hub.listeners[1:]:
                listener.transport.send(news)
            most = max(most, waiting(hub))
            await player.send(b"move %d" % rounds)
            assert await player.receive() == b"move %d" % rounds
        assert {listener.close_code.result() for listener in hub.listeners[1:]} == {4009}
        assert rounds * len(news) < 2**20, "what the kernel holds is bounded too"
        assert WRITE_LIMIT * 100 < most <= (WRITE_LIMIT + len(news)) * 200
        assert waiting(hub) == 0
        for client in deaf:
            await client.cut()
        await player.leave()


@on_both_loops
async def test_a_client_that_does_not_read_its_replies() -> None:
    """A client that never reads its echo is cut off within the send call; the rest of the read is dropped."""
    async with serving() as hub, await WireClient.open(hub.port, receive_buffer=4096) as client:
        listener = hub.listeners[0]
        request = client_frame(bytes(60_000)) * 4
        with contextlib.suppress(ConnectionError):
            while not listener.transport.closed:
                await client.say(request)
        assert await listener.close_code == 4009
        assert sum(map(len, listener.messages)) < 2**20


@on_both_loops
async def test_a_client_that_does_not_read_its_close(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "CLOSE_SECONDS", 0.0)
    async with serving() as hub, await WireClient.open(hub.port, receive_buffer=4096) as client:
        listener = hub.listeners[0]
        while not listener.transport._transport.get_write_buffer_size():
            listener.transport.send(encode_frame(bytes(1000)))
        await client.say(client_frame(close_payload(1000), CLOSE))
        client.writer.write_eof()
        assert await listener.close_code == 1000


@pytest.mark.asyncio
async def test_a_socket_that_cannot_be_written_to() -> None:
    """G8: it is cut off; messages sent to others in the same tick are still written."""

    class Broken(RecordingTransport):
        def write(self, data: bytes) -> None:  # type: ignore[override]
            raise OSError

    reports: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reports.append(context))
    sockets = OpenSockets(ManualClock(), make_connection_limits())
    lines = [RecordingTransport(), Broken(), RecordingTransport()]
    transports = [open_transport(line, sockets) for line in lines]
    for transport in transports:
        transport.send(b"a")
    await asyncio.sleep(0)
    assert [line.written for line in lines] == [b"a", b"", b"a"]
    assert [line.ended for line in lines] == ["", "abort", ""]
    assert [type(context["exception"]) for context in reports] == [OSError]
    for transport in transports:
        transport.connection_lost(None)
