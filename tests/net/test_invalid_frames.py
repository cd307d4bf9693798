"""Invalid WebSocket frames, and floods of valid ones (RFC 6455, G8)."""

from __future__ import annotations

import pytest

from hub.net.open_sockets import OpenSockets
from hub.net.websocket import MAX_EXTRA_FRAMES
from hub.wire import codec
from hub.wire.messages import MAX_FRAME
from tests.harness.defaults import make_connection_limits
from tests.harness.manual_clock import ManualClock
from tests.net.invalid_frames import TOO_LARGE, WRONG
from tests.net.recording import RecordingTransport, open_transport
from tests.net.serving import on_both_loops, serving, until
from tests.wire_client import CONT, PING, PONG, WireClient, client_frame


@pytest.mark.parametrize("name", WRONG)
@on_both_loops
async def test_an_invalid_frame_closes_the_socket(name: str) -> None:
    """Messages before it are delivered, and later ones ignored. The client is sent the reason, and the socket
    is closed."""
    code, data = WRONG[name]
    async with serving() as hub, await WireClient.open(hub.port) as client:
        await client.say(client_frame(b"before") + data + client_frame(b"after") * 3)
        assert await client.receive() == b"before"
        if code == 1009:
            assert await client.receive() == TOO_LARGE
        close = await client.frame()
        assert close.code == code
        assert code != 1009 or close.reason == codec.TOO_LARGE
        assert await client.end() == b""
        await client.cut()
        assert await hub.listeners[0].close_code == code
        assert hub.listeners[0].messages == [b"before"]


@on_both_loops
async def test_nothing_follows_the_close_frame() -> None:
    """Not even the error for a message that is too large."""
    async with serving() as hub, await WireClient.open(hub.port) as client:
        await until(lambda: hub.listeners)
        hub.listeners[0].transport.close(4003)
        await client.say(client_frame(b"x" * (MAX_FRAME + 1)))
        assert (await client.frame()).code == 4003
        assert await client.end() == b""


FLOODS = {
    "endless empty fragments": client_frame(b"", fin=False)
    + client_frame(b"", CONT, fin=False) * MAX_EXTRA_FRAMES,
    "pings": client_frame(b"", PING) * (MAX_EXTRA_FRAMES + 1),
    "pongs nobody asked for": client_frame(b"", PONG) * (MAX_EXTRA_FRAMES + 1),
}


@pytest.mark.parametrize("name", FLOODS)
@on_both_loops
async def test_a_flood_closes_the_socket(name: str) -> None:
    """Frames that are allowed but carry no message are limited in number between our pings."""
    async with serving() as hub, await WireClient.open(hub.port) as client:
        await client.say(FLOODS[name])
        assert (await client.close_frame()).code == 4008
        assert await client.end() == b""
        await client.cut()
        assert await hub.listeners[0].close_code == 4008


@pytest.mark.asyncio
async def test_a_flood_of_single_frames_closes_the_socket() -> None:
    sockets, line = OpenSockets(ManualClock(), make_connection_limits()), RecordingTransport()
    transport = open_transport(line, sockets)
    for _ in range(MAX_EXTRA_FRAMES):
        transport.data_received(client_frame(b"", PONG))
    assert line.ended == ""
    transport.data_received(client_frame(b"", PONG))
    assert line.ended == "eof"
    transport.connection_lost(None)
