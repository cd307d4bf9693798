"""Valid WebSocket frames: lengths, fragments, pings and TLS (RFC 6455)."""

from __future__ import annotations

import contextlib
import ssl
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from hub.wire.framing import encode_frame
from tests.harness.certificates import self_signed
from tests.net.serving import RecordingListener, on_both_loops, serving, until
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


@on_both_loops
async def test_every_encoding_of_a_length() -> None:
    """Section 5.2: all three encodings of a length work at their bounds, in both directions."""
    async with serving() as hub, await WireClient.open(hub.port) as client:
        for size in LENGTHS:
            await client.send(b"\xa5" * size)
            assert await client.receive() == b"\xa5" * size
        await client.leave()
        assert await hub.listeners[0].close_code == 1000


@on_both_loops
async def test_many_messages_in_one_read() -> None:
    messages = [bytes([i]) * (i * 7 % 300) for i in range(200)]
    async with serving() as hub, await WireClient.open(hub.port) as client:
        await client.say(b"".join(client_frame(message) for message in messages))
        assert [await client.receive() for _ in messages] == messages


@on_both_loops
async def test_lengths_need_not_be_minimal() -> None:
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
async def test_a_message_in_hundreds_of_fragments() -> None:
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
async def test_a_stream_split_at_every_byte() -> None:
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
async def test_frames_over_tls(tmp_path: Path) -> None:
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
async def test_messages_and_close_notify_in_one_read(tmp_path: Path) -> None:
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
