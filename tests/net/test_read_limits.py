"""How much the hub parses of what one connection sends at once (G8.17)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from websockets.frames import Frame

from hub.net import websocket
from hub.net.open_sockets import OpenSockets
from hub.net.websocket import MAX_LATE_BYTES, MAX_LATE_FRAMES, SLICE_BYTES
from tests.harness.defaults import make_connection_limits
from tests.harness.manual_clock import ManualClock
from tests.net.recording import RecordingTransport, open_transport
from tests.net.serving import RecordingListener, on_both_loops, serving
from tests.wire_client import CLOSE, CONT, PING, PONG, WireClient, client_frame, close_payload

EMPTY = client_frame(b"")
MAX_PARSED = MAX_LATE_FRAMES + SLICE_BYTES // len(EMPTY) + 1
"""Frames of a flood that may be parsed after the close: the allowed ones, and the slice that exceeds them."""


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The opcode of each frame that is parsed on the general path."""
    opcodes: list[int] = []
    parse = websocket._GeneralProtocol.recv_frame

    def count(self: websocket._GeneralProtocol, frame: Frame) -> None:
        opcodes.append(frame.opcode)
        parse(self, frame)

    monkeypatch.setattr(websocket._GeneralProtocol, "recv_frame", count)
    return opcodes


@pytest.fixture
def line() -> Iterator[RecordingTransport]:
    line = RecordingTransport()
    yield line
    assert line.ended


class Curt(RecordingListener):
    """Closes at the first message, as the hub does when it is not a hello."""

    def message(self, data: bytes) -> None:
        super().message(data)
        self.transport.close(1007)


FLOODS = {
    "empty messages": EMPTY,
    "messages": client_frame(b"\xc1"),
    "fragments": client_frame(b"", fin=False) + client_frame(b"", CONT),
    "pings": EMPTY + client_frame(b"", PING),
    "pongs": EMPTY + client_frame(b"", PONG),
}


@pytest.mark.parametrize("name", FLOODS)
@on_both_loops
async def test_few_frames_are_parsed_after_the_close(name: str, parsed: list[int]) -> None:
    """G8.17: the client still gets the close frame, and the end of the connection."""
    async with serving(Curt) as hub, await WireClient.open(hub.port) as client:
        await client.say(FLOODS[name] * 20_000)
        assert (await client.close_frame()).code == 1007
        await client.end()
        await client.cut()
        assert await hub.listeners[0].close_code == 1007
        assert len(hub.listeners[0].messages) == 1
        assert len(parsed) <= MAX_PARSED


@pytest.mark.asyncio
async def test_one_read_is_parsed_in_slices(line: RecordingTransport, parsed: list[int]) -> None:
    """G8.17: on the general path, too, a message is handled before the next kilobyte is parsed."""
    transport = open_transport(line, OpenSockets(ManualClock(), make_connection_limits()))
    parsed_before: list[int] = []

    def hear(_: bytes) -> None:
        parsed_before.append(len(parsed))
        if len(parsed_before) == 400:
            transport.close(4008)

    transport.listen(hear, lambda _: None)
    transport.data_received(client_frame(b"", PING) + EMPTY * 40_000)
    assert len(parsed_before) == 400
    assert parsed_before[0] <= SLICE_BYTES // len(EMPTY) + 1
    assert len(parsed) <= 400 + SLICE_BYTES // len(EMPTY) + MAX_PARSED
    transport.connection_lost(None)


@pytest.mark.asyncio
async def test_the_close_frame_behind_other_messages_is_read(line: RecordingTransport) -> None:
    """What a client had under way when it learned of the close does not keep it from ending properly."""
    transport = open_transport(line, OpenSockets(ManualClock(), make_connection_limits()))
    transport.listen(lambda _: None, lambda _: None)
    transport.close(4001)
    transport.data_received(client_frame(bytes(2_000)) * MAX_LATE_FRAMES)
    before = line.ended
    transport.data_received(client_frame(close_payload(4001), CLOSE))
    assert (before, line.ended) == ("", "close")
    transport.connection_lost(None)


@pytest.mark.parametrize("flood", [EMPTY, client_frame(bytes(60_000)), b"\x82\xff" + bytes(4)])
@pytest.mark.parametrize("crowd", [False, True])
@pytest.mark.asyncio
async def test_a_client_that_sends_without_end_after_the_close_is_cut_off(
    flood: bytes, crowd: bool, line: RecordingTransport
) -> None:
    """G8.17: after `MAX_LATE_BYTES`, even while the close frame of a watcher waits for its turn."""
    sockets = OpenSockets(ManualClock(), make_connection_limits())
    transport = open_transport(line, sockets)
    codes: list[int] = []
    transport.listen(lambda _: None, codes.append)
    if crowd:
        transport.join_crowd()
    transport.close(4008)
    data = (flood * (65_536 // len(flood) + 1))[:65_536]
    for _ in range(MAX_LATE_BYTES // len(data)):
        transport.data_received(data)
        assert line.ended in ("", "eof")
    transport.data_received(data)
    assert line.ended == "abort"
    transport.connection_lost(None)
    await asyncio.sleep(0)
    assert codes == [4008]
