"""The WebSocket transport's fast path against the `websockets` library."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from hub.net import websocket
from hub.net.open_sockets import OpenSockets
from hub.wire import codec
from hub.wire.framing import encode_frame
from hub.wire.messages import CLOSE_CODES, MAX_FRAME
from tests.harness.defaults import make_connection_limits
from tests.harness.manual_clock import ManualClock
from tests.net.invalid_frames import TOO_LARGE, WRONG
from tests.net.recording import RecordingTransport, open_transport
from tests.wire_client import BINARY, CLOSE, CONT, PING, PONG, client_frame, close_payload

payloads = st.sampled_from([0, 1, 2, 5, 125, 126, 127, 300]).flatmap(
    lambda size: st.binary(min_size=size, max_size=size)
)
masks = st.binary(min_size=4, max_size=4)
controls = st.builds(client_frame, st.binary(max_size=125), st.sampled_from([PING, PONG]), mask=masks)
whole = st.builds(client_frame, payloads, mask=masks)


@st.composite
def fragmented(draw: st.DrawFn) -> bytes:
    pieces = draw(st.lists(payloads, min_size=2, max_size=4))
    stream = b""
    for i, piece in enumerate(pieces):
        stream += client_frame(
            piece, CONT if i else BINARY, fin=i == len(pieces) - 1, mask=draw(masks)
        ) + draw(st.just(b"") | controls)
    return stream


large = st.sampled_from([None] * 12 + [65_535, 65_536, 65_537])
odd = st.one_of(
    st.sampled_from([data for _, data in WRONG.values() if len(data) < 1000]),
    st.binary(max_size=40),
    st.builds(
        client_frame,
        payloads,
        st.integers(0, 15),
        fin=st.booleans(),
        reserved=st.sampled_from([0, 0, 0, 1]),
        mask=masks,
        length_bytes=st.sampled_from([None, 8]),
    ),
    st.sampled_from([None, 1000, 4123, 1006]).map(
        lambda code: client_frame(b"" if code is None else close_payload(code), CLOSE)
    ),
)
good = st.lists(st.one_of(whole, whole, whole, fragmented(), controls), max_size=12).map(b"".join)
cuts: st.SearchStrategy[list[int]] = st.one_of(
    st.just([]),
    st.lists(st.integers(0, 2000), max_size=12),
    st.integers(1, 9).map(lambda n: range(0, 2_000, n)),
)


def each_byte(data: bytes) -> Iterable[bytes]:
    return (data[i : i + 1] for i in range(len(data)))


def by_the_book(pieces: Iterable[bytes]) -> tuple[list[bytes], bytes, int]:
    """A stream's messages, bytes sent back and close code, as `websockets` reads it piece by piece.

    The hub adds one thing: its own `error` and reason for a message that is too large.
    """
    book = ServerProtocol(state=OPEN, max_size=MAX_FRAME)
    messages: list[bytes] = []
    message = b""
    output: list[bytes] = []
    reason = close_payload(1009, codec.TOO_LARGE)
    close_frame = bytes((0x88, len(reason))) + reason
    for piece in pieces:
        book.receive_data(piece)
        for frame in book.events_received():
            assert isinstance(frame, Frame)
            if frame.opcode is Opcode.TEXT:
                book.fail(1003, CLOSE_CODES[1003])
            elif frame.opcode in (Opcode.BINARY, Opcode.CONT):
                message += frame.data
                if frame.fin:
                    messages.append(message)
                    message = b""
        for data in book.data_to_send():
            too_large = data[:1] == b"\x88" and data[2:4] == close_payload(1009)
            output.append(encode_frame(TOO_LARGE) + close_frame if too_large else data)
    return messages, b"".join(output), 1006 if book.close_sent is None else book.close_sent.code


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


streams = given(before=good, size=large, between=good, wrong=st.just(b"") | odd, after=good, cuts=cuts)


@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@streams
def test_any_stream_is_read_as_by_the_websockets_library(runner: asyncio.Runner, **stream: Any) -> None:
    """Any bytes, however split, give the same messages, the same bytes back and the same close code."""
    check_stream(runner, **stream)


@pytest.mark.at_length
@settings(deadline=None, max_examples=2000, suppress_health_check=[HealthCheck.too_slow])
@streams
def test_many_streams_are_read_as_by_the_websockets_library(runner: asyncio.Runner, **stream: Any) -> None:
    check_stream(runner, **stream)


def check_stream(
    runner: asyncio.Runner,
    before: bytes,
    size: int | None,
    between: bytes,
    wrong: bytes,
    after: bytes,
    cuts: Iterable[int],
) -> None:
    big = b"" if size is None else client_frame(bytes(size))
    stream = before + big + between + wrong + after
    expected = by_the_book(itertools.chain(each_byte(before), [big], each_byte(between + wrong + after)))
    places = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})

    async def read() -> tuple[list[bytes], bytes, int]:
        sockets, line = OpenSockets(ManualClock(), make_connection_limits()), RecordingTransport()
        transport = open_transport(line, sockets)
        messages: list[bytes] = []
        codes: list[int] = []
        transport.listen(messages.append, codes.append)
        for start, end in itertools.pairwise(places):
            transport.data_received(stream[start:end])
        transport.connection_lost(None)
        return messages, line.written, codes[0]

    assert runner.run(read()) == expected


@pytest.mark.asyncio
async def test_the_fast_path_is_taken_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a ping, a fragmented message or a split one, an ordinary message takes the fast path again."""
    protocols: list[object] = []

    class Counted(websocket._GeneralProtocol):
        def __init__(self) -> None:
            protocols.append(self)
            super().__init__()

    monkeypatch.setattr(websocket, "_GeneralProtocol", Counted)
    sockets, line = OpenSockets(ManualClock(), make_connection_limits()), RecordingTransport()
    transport = open_transport(line, sockets)
    heard: list[bytes] = []
    transport.listen(heard.append, lambda _: None)
    ordinary = client_frame(b"ordinary")
    torn = client_frame(b"torn")
    for expected, data in enumerate(
        (
            (ordinary + ordinary,),
            (client_frame(b"", PING), ordinary),
            (client_frame(b"a", fin=False) + client_frame(b"b", CONT) + ordinary, ordinary),
            (torn[:7], torn[7:], ordinary),
            (ordinary + torn[:1], torn[1:] + ordinary, ordinary),
        )
    ):
        for part in data:
            transport.data_received(part)
        assert len(protocols) == expected
        transport.data_received(ordinary)
        assert len(protocols) == expected
    assert heard.count(b"ordinary") == 2 + 1 + 2 + 1 + 3 + 5
    transport.connection_lost(None)
