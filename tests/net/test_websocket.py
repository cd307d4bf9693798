"""The WebSocket transport against RFC 6455, against hostile clients (G8), and against `websockets` itself."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import itertools
import ssl
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from hub.net import websocket
from hub.net.open_sockets import OpenSockets
from hub.net.websocket import MAX_EXTRA_FRAMES, WRITE_LIMIT
from hub.wire.framing import encode_frame
from hub.wire.messages import CLOSE_CODES, MAX_FRAME
from tests.harness.certificates import self_signed
from tests.harness.manual_clock import ManualClock
from tests.net.recording import RecordingTransport, open_transport
from tests.net.serving import Hub, RecordingListener, on_both_loops, serving, until
from tests.wire_client import (
    BINARY,
    CLOSE,
    CONT,
    PING,
    PONG,
    TEXT,
    ServerFrame,
    WireClient,
    client_frame,
    close_payload,
    handshake,
)

LENGTHS = (0, 1, 125, 126, 127, 65_535, 65_536)


# --- valid frames ---


@on_both_loops
async def test_every_length() -> None:
    """Section 5.2: all three encodings of a length work at their bounds, in both directions."""
    async with serving() as hub, await WireClient.open(hub.port) as client:
        for size in LENGTHS:
            await client.send(b"\xa5" * size)
            assert await client.receive() == b"\xa5" * size
        await client.leave()
        assert await hub.listeners[0].close_code == 1000


@on_both_loops
async def test_many_in_one_read() -> None:
    messages = [bytes([i]) * (i * 7 % 300) for i in range(200)]
    async with serving() as hub, await WireClient.open(hub.port) as client:
        await client.say(b"".join(client_frame(message) for message in messages))
        assert [await client.receive() for _ in messages] == messages


@on_both_loops
async def test_a_length_may_be_said_the_long_way() -> None:
    """Our lengths are minimal (5.2); longer forms from a client are still accepted."""
    async with serving() as hub, await WireClient.open(hub.port) as client:
        for length_bytes in (2, 8):
            await client.say(client_frame(b"abc", length_bytes=length_bytes))
            assert await client.receive() == b"abc"


@on_both_loops
async def test_fragments_with_control_frames_between() -> None:
    """Section 5.4."""
    async with serving() as hub, await WireClient.open(hub.port) as client:
        await client.say(
            client_frame(b"par", fin=False)
            + client_frame(b"1", PING)
            + client_frame(b"", CONT, fin=False)
            + client_frame(b"unasked", PONG)
            + client_frame(b"ley", CONT)
            + client_frame(b"next")
        )
        assert sorted([await client.frame() for _ in range(3)]) == sorted(
            [ServerFrame(PONG, b"1"), ServerFrame(BINARY, b"parley"), ServerFrame(BINARY, b"next")]
        )
        assert hub.listeners[0].messages == [b"parley", b"next"]


@on_both_loops
async def test_a_message_in_very_many_fragments() -> None:
    message = bytes(range(256)) + bytes(200)
    pieces = [
        client_frame(message[i : i + 1], CONT, fin=i == len(message) - 1) for i in range(1, len(message))
    ]
    async with serving() as hub, await WireClient.open(hub.port) as client:
        await client.say(client_frame(message[:1], fin=False) + b"".join(pieces))
        assert await client.receive() == message


@on_both_loops
async def test_pings_are_answered() -> None:
    async with serving() as hub, await WireClient.open(hub.port) as client:
        for payload in (b"", b"x", b"\x00" * 125):
            await client.say(client_frame(payload, PING))
            assert await client.frame() == (PONG, payload)


def heard(listener: RecordingListener, last: bytes | None = None) -> bool:
    """Whether this listener has heard anything or, if `last` is given, whether that was its last message."""
    return bool(listener.messages) and last in (None, listener.messages[-1])


def fail(_: bytes) -> None:
    raise ZeroDivisionError


@on_both_loops
async def test_cut_at_every_byte() -> None:
    """Wherever a stream is split in two, with the first part read by itself, the messages are the same."""
    stream = (
        client_frame(b"short")
        + client_frame(b"m" * 130)
        + client_frame(b"a", fin=False)
        + client_frame(b"?", PING)
        + client_frame(b"b", CONT)
        + client_frame(b"", length_bytes=8)
    )
    async with serving() as hub:
        for cut in range(len(stream) + 1):
            async with await WireClient.open(hub.port) as client:
                listener = hub.listeners[-1]
                await client.say(client_frame(b"first") + stream[:cut])
                await until(partial(heard, listener))
                await client.say(stream[cut:] + client_frame(b"last"))
                await until(partial(heard, listener, b"last"))
                assert listener.messages == [b"first", b"short", b"m" * 130, b"ab", b"", b"last"]


@on_both_loops
async def test_encrypted(tmp_path: Path) -> None:
    """Lengths, errors and closes also work when uvicorn itself speaks TLS."""
    certificate = self_signed(tmp_path)
    trust = ssl.create_default_context(cafile=str(certificate))
    async with serving(certificate=certificate) as hub:
        for bad in (False, True):
            async with await WireClient.open(hub.port, tls=trust) as client:
                for size in LENGTHS:
                    await client.send(b"s" * size)
                    assert await client.receive() == b"s" * size
                if bad:
                    await client.say(client_frame(b"hello", TEXT))
                    assert (await client.close_frame()).code == 1003
                else:
                    await client.say(client_frame(close_payload(1000), CLOSE))
                    assert (await client.close_frame()).code == 1000
                await until(hub.listeners[-1].close_code.done)
        assert [listener.close_code.result() for listener in hub.listeners] == [1000, 1003]


@on_both_loops
async def test_encrypted_and_ended_in_one_breath(tmp_path: Path) -> None:
    """If messages and the client's TLS close_notify arrive in one read, the replies are sent before the hub's
    close_notify."""
    certificate = self_signed(tmp_path)
    tls = ssl.create_default_context(cafile=str(certificate))
    async with serving(certificate=certificate) as hub, await WireClient.connect(hub.port) as client:
        came, left = ssl.MemoryBIO(), ssl.MemoryBIO()
        side = tls.wrap_bio(came, left, server_hostname="localhost")

        async def step(act: Callable[[], Any]) -> Any:
            while True:
                try:
                    done = act()
                except ssl.SSLWantReadError:
                    await client.say(left.read())
                    came.write(await client.reader.read(65_536))
                else:
                    await client.say(left.read())
                    return done

        await step(side.do_handshake)
        await step(partial(side.write, handshake(hub.port)))
        await step(partial(side.read, 65_536))
        side.write(client_frame(b"one") + client_frame(b"two"))
        with contextlib.suppress(ssl.SSLWantReadError):
            side.unwrap()
        assert await step(partial(side.read, 65_536)) == encode_frame(b"one") + encode_frame(b"two")


# --- invalid frames ---

WRONG: dict[str, tuple[int, bytes]] = {
    "text": (1003, client_frame(b"hello", TEXT)),
    "text that is not UTF-8": (1003, client_frame(b"\xff\xfe", TEXT)),
    "text in fragments": (1003, client_frame(b"hel", TEXT, fin=False)),
    "text within a message": (1002, client_frame(b"a", fin=False) + client_frame(b"b", TEXT)),
    "unmasked": (1002, client_frame(b"hello", mask=None)),
    "unmasked, empty": (1002, client_frame(b"", mask=None)),
    "unmasked, 126 long": (1002, client_frame(b"x" * 126, mask=None)),
    "the first reserved bit": (1002, client_frame(b"hello", reserved=4)),
    "the second reserved bit": (1002, client_frame(b"hello", reserved=2)),
    "the third reserved bit": (1002, client_frame(b"hello", reserved=1)),
    "opcode 3": (1002, client_frame(b"", 3)),
    "opcode 7": (1002, client_frame(b"", 7)),
    "opcode 11": (1002, client_frame(b"", 11)),
    "opcode 15": (1002, client_frame(b"", 15)),
    "a ping in fragments": (1002, client_frame(b"", PING, fin=False)),
    "a ping of 126 bytes": (1002, client_frame(b"x" * 126, PING)),
    "a close of 126 bytes": (1002, client_frame(close_payload(1000, "x" * 124), CLOSE)),
    "a continuation of nothing": (1002, client_frame(b"", CONT)),
    "a message within a message": (1002, client_frame(b"a", fin=False) + client_frame(b"b")),
    "a close of one byte": (1002, client_frame(b"\x03", CLOSE)),
    "a close within a message": (1002, client_frame(b"a", fin=False) + client_frame(b"", CLOSE)),
    "close code 0": (1002, client_frame(close_payload(0), CLOSE)),
    "close code 999": (1002, client_frame(close_payload(999), CLOSE)),
    "close code 1004": (1002, client_frame(close_payload(1004), CLOSE)),
    "close code 1005": (1002, client_frame(close_payload(1005), CLOSE)),
    "close code 1006": (1002, client_frame(close_payload(1006), CLOSE)),
    "close code 1015": (1002, client_frame(close_payload(1015), CLOSE)),
    "close code 2999": (1002, client_frame(close_payload(2999), CLOSE)),
    "close code 5000": (1002, client_frame(close_payload(5000), CLOSE)),
    "a close reason that is not UTF-8": (1007, client_frame(b"\x03\xe8\xff", CLOSE)),
    "one byte too long": (1009, client_frame(b"x" * (MAX_FRAME + 1))),
    "a megabyte": (1009, client_frame(b"x" * 2**20)),
    "said to be 2^63 - 1 long": (1009, client_frame(b"x", length=2**63 - 1)),
    "said to be 2^64 - 1 long": (1009, client_frame(b"x", length=2**64 - 1)),
    "a ping said to be huge": (1009, client_frame(b"x", PING, length=2**40)),
    "one byte too long, in fragments": (
        1009,
        client_frame(b"x" * MAX_FRAME, fin=False) + client_frame(b"x", CONT),
    ),
}


@pytest.mark.parametrize("name", WRONG)
@on_both_loops
async def test_wrong(name: str) -> None:
    """Messages before it are delivered, and later ones ignored. The client is sent the reason, and the socket
    is closed."""
    code, data = WRONG[name]
    async with serving() as hub, await WireClient.open(hub.port) as client:
        await client.say(client_frame(b"before") + data + client_frame(b"after") * 3)
        close = await client.close_frame()
        assert close.code == code
        assert await client.end() == b""
        await client.cut()
        assert await hub.listeners[0].close_code == code
        assert hub.listeners[0].messages == [b"before"]


FLOODS = {
    "fragments of nothing, without end": client_frame(b"", fin=False)
    + client_frame(b"", CONT, fin=False) * MAX_EXTRA_FRAMES,
    "pings": client_frame(b"", PING) * (MAX_EXTRA_FRAMES + 1),
    "pongs nobody asked for": client_frame(b"", PONG) * (MAX_EXTRA_FRAMES + 1),
}


@pytest.mark.parametrize("name", FLOODS)
@on_both_loops
async def test_flood(name: str) -> None:
    """Frames that are allowed but carry no message are limited in number between our pings."""
    async with serving() as hub, await WireClient.open(hub.port) as client:
        await client.say(FLOODS[name])
        assert (await client.close_frame()).code == 4008
        assert await client.end() == b""
        await client.cut()
        assert await hub.listeners[0].close_code == 4008


@pytest.mark.asyncio
async def test_flood_one_by_one() -> None:
    sockets, line = OpenSockets(ManualClock()), RecordingTransport()
    transport = open_transport(line, sockets)
    for _ in range(MAX_EXTRA_FRAMES):
        transport.data_received(client_frame(b"", PONG))
    assert line.ended == ""
    transport.data_received(client_frame(b"", PONG))
    assert line.ended == "eof"
    transport.connection_lost(None)


@pytest.mark.parametrize("code", [None, 1000, 1001, 1003, 1011, 3000, 3999, 4000, 4999])
@on_both_loops
async def test_the_client_leaves(code: int | None) -> None:
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


# --- the hub's side ---


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
async def test_the_hub_closes_amid_a_read() -> None:
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
async def test_a_close_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "CLOSE_SECONDS", 0.0)
    async with serving() as hub, await WireClient.open(hub.port) as client:
        hub.listeners[0].transport.close(4003)
        assert (await client.frame()).code == 4003
        assert await client.end() == b""
        assert await hub.listeners[0].close_code == 4003


@on_both_loops
async def test_an_error_whose_cause_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
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


# --- clients that do not read ---


def waiting(hub: Hub) -> int:
    """The number of bytes this process holds for clients."""
    return sum(transport._transport.get_write_buffer_size() for transport in hub.connections)


@on_both_loops
async def test_two_hundred_never_read_while_another_plays() -> None:
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
async def test_a_client_that_does_not_read_what_it_asked_for() -> None:
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
    sockets = OpenSockets(ManualClock())
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


# --- both paths agree ---

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
    """A stream's messages, bytes sent back and close code, as `websockets` reads it piece by piece."""
    book = ServerProtocol(state=OPEN, max_size=MAX_FRAME)
    messages: list[bytes] = []
    message = b""
    output: list[bytes] = []
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
        output += book.data_to_send()
    return messages, b"".join(output), 1006 if book.close_sent is None else book.close_sent.code


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(before=good, size=large, between=good, wrong=st.just(b"") | odd, after=good, cuts=cuts)
def test_the_short_way_and_the_book_agree(
    runner: asyncio.Runner,
    before: bytes,
    size: int | None,
    between: bytes,
    wrong: bytes,
    after: bytes,
    cuts: Any,
) -> None:
    """Any bytes, however split, give the same messages, the same bytes back and the same close code."""
    big = b"" if size is None else client_frame(bytes(size))
    stream = before + big + between + wrong + after
    expected = by_the_book(itertools.chain(each_byte(before), [big], each_byte(between + wrong + after)))
    places = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})

    async def read() -> tuple[list[bytes], bytes, int]:
        sockets, line = OpenSockets(ManualClock()), RecordingTransport()
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
async def test_the_careful_way_is_left_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a ping, a fragmented message or a split one, an ordinary message takes the fast path again."""
    protocols: list[object] = []

    class Counted(websocket._GeneralProtocol):
        def __init__(self) -> None:
            protocols.append(self)
            super().__init__()

    monkeypatch.setattr(websocket, "_GeneralProtocol", Counted)
    sockets, line = OpenSockets(ManualClock()), RecordingTransport()
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


# --- costs ---


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


HANDSHAKE = frozenset({"ServerProtocol", "_GeneralProtocol", "WebSocket", "Request"})
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
    handshake, http = Since("WireProtocol", *HANDSHAKE), Since("HttpToolsProtocol")
    async with serving() as hub:
        clients = [await WireClient.open(hub.port) for _ in range(20)]
        await until(lambda: not hub.server.server_state.tasks)
        left = handshake.left()
        gc.collect()
        after = handshake.left() + http.left()
        for client in clients:
            await client.cut()
    assert left == [], "it is freed at once, without garbage collection"
    assert after == []


@on_both_loops
async def test_nothing_is_left_of_those_who_went() -> None:
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
