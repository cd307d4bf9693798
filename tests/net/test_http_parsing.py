"""How much of what one HTTP client sends is parsed (G8.17)."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, ClassVar

import httptools
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from hub.net.http.protocol import BODY_LEFT, HEAD_BYTES, MAX_HEADERS, MAX_PIPELINED, SLICE_BYTES
from tests.net.serving import on_both_loops, serving
from tests.wire_client import WireClient

GET = b"GET /hello HTTP/1.1\r\nHost: localhost\r\n"
CHUNKED = b"POST /hello HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"


class CountingParser(httptools.HttpRequestParser):
    """Counts the bytes it is fed, and the calls it makes."""

    counts: ClassVar[Counter[str]]

    def __init__(self, protocol: Any) -> None:
        super().__init__(_Counting(protocol, self.counts))

    def feed_data(self, data: Any) -> None:
        self.counts["bytes"] += len(data)
        super().feed_data(data)


class _Counting:
    """The callbacks of a protocol, counted by name."""

    def __init__(self, protocol: Any, counts: Counter[str]) -> None:
        for name in dir(protocol):
            if name.startswith("on_") and name != "on_response_complete":
                setattr(self, name, self._count(name, getattr(protocol, name), counts))

    def _count(self, name: str, call: Any, counts: Counter[str]) -> Any:
        def counted(*values: bytes) -> None:
            counts[name] += 1
            call(*values)

        return counted


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """What the parsers of this test were fed, and called."""
    counts = CountingParser.counts = Counter()
    monkeypatch.setattr(httptools, "HttpRequestParser", CountingParser)
    return counts


async def hello(request: Request) -> Response:
    return PlainTextResponse(f"{len(request.headers)} headers")


async def echo(request: Request) -> Response:
    return PlainTextResponse(str(len(await request.body())))


HELLO = [Route("/hello", hello, methods=["GET"]), Route("/hello", echo, methods=["POST"])]


def padded(size: int) -> bytes:
    """A request whose head has this many bytes."""
    request = GET + b"Connection: close\r\nX: "
    return request + b"x" * (size - len(request) - 4) + b"\r\n\r\n"


async def exchange(port: int, *parts: bytes) -> bytes:
    """Everything the hub answers to these writes, each of which it reads by itself."""
    async with await WireClient.connect(port) as client:
        for part in parts:
            await client.say(part)
            await asyncio.sleep(0)
        return await client.end()


@on_both_loops
async def test_a_head_has_no_more_bytes_than_allowed(parsed: Counter[str]) -> None:
    """G8.17, H8: however it is split, and nothing beyond them is parsed."""
    async with serving(routes=HELLO) as hub:
        whole = padded(HEAD_BYTES)
        for parts in ((whole,), (whole[:1000], whole[1000:]), (whole[:-1], whole[-1:])):
            assert b" 200 " in await exchange(hub.port, *parts)
        for size in (HEAD_BYTES + 1, 33 * 1024, 60 * 1024, 120 * 1024):
            parsed.clear()
            got = await exchange(hub.port, padded(size))
            assert (got.startswith(b"HTTP/1.1 431 ") and b"HEAD_TOO_LARGE" in got) or (
                not got and size > 33 * 1024  # what nobody reads may reset the connection
            )
            assert parsed["bytes"] == HEAD_BYTES
            assert not parsed["on_headers_complete"]


@on_both_loops
async def test_a_request_has_no_more_headers_than_allowed(parsed: Counter[str]) -> None:
    """G8.17, H8: the parser stops at the first one too many."""
    async with serving(routes=HELLO) as hub:
        most = GET + b"Connection: close\r\n" + b"a:\r\n" * (MAX_HEADERS - 2) + b"\r\n"
        assert b" 200 " in await exchange(hub.port, most)
        for extra in (1, 500, 5_000):
            parsed.clear()
            got = await exchange(hub.port, GET + b"a:\r\n" * (MAX_HEADERS - 1 + extra) + b"\r\n")
            assert got.startswith(b"HTTP/1.1 431 ")
            assert f"at most {MAX_HEADERS} headers".encode() in got
            assert parsed["on_header"] == MAX_HEADERS + 1
            assert parsed["bytes"] <= SLICE_BYTES


@on_both_loops
async def test_nothing_is_parsed_beyond_the_waiting_requests(parsed: Counter[str]) -> None:
    """G8.17: it parses the request being answered, those that may wait, and the first one too many."""
    answered = asyncio.Event()

    async def slow(_: Request) -> Response:
        await answered.wait()
        return PlainTextResponse("done")

    async with serving(routes=[Route("/hello", slow)]) as hub:
        assert await exchange(hub.port, (GET + b"\r\n") * 5_000) == b""
        answered.set()
        assert parsed["on_headers_complete"] == 1 + MAX_PIPELINED + 1
        assert parsed["on_message_begin"] == 1 + MAX_PIPELINED + 1


@on_both_loops
async def test_nothing_is_parsed_after_the_last_request(parsed: Counter[str]) -> None:
    """G8.17: garbage ends the connection, and what follows it is not parsed."""
    async with serving(routes=HELLO) as hub:
        got = await exchange(hub.port, b"\x00\r\n\r\n" + (GET + b"\r\n") * 500)
        assert got.startswith(b"HTTP/1.1 400 ")
        assert parsed["bytes"] <= SLICE_BYTES
        assert not parsed["on_headers_complete"]


ENDLESS = {
    "a trailer": b"0\r\nX: " + b"x" * 200_000,
    "trailers": b"0\r\n" + b"a: b\r\n" * 40_000,
    "the name of a trailer": b"0\r\n" + b"x" * 200_000,
    "an extension of a chunk": b"1;" + b"x" * 200_000,
    "tiny chunks": b"1\r\nx\r\n" * 40_000,
}


@pytest.mark.parametrize("name", ENDLESS)
@on_both_loops
async def test_what_frames_a_body_is_limited(name: str, parsed: Counter[str]) -> None:
    """G8.17: the parser keeps a trailer in memory and copies it for every piece that arrives."""
    async with serving(routes=HELLO) as hub:
        assert await exchange(hub.port, CHUNKED, b"2\r\n{}\r\n" + ENDLESS[name]) == b""
        assert parsed["bytes"] <= len(CHUNKED) + 2 * HEAD_BYTES
        assert parsed["on_header"] <= MAX_HEADERS + 1


@on_both_loops
async def test_a_body_in_chunks_with_a_trailer_is_read() -> None:
    """A large body, in chunks of an ordinary size, is not taken for framing."""
    chunk = b"1000\r\n" + bytes(4096) + b"\r\n"
    body = chunk * (BODY_LEFT // 4096) + b"0\r\na: b\r\n\r\n"
    async with serving(routes=HELLO) as hub:
        request = CHUNKED.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
        assert (await exchange(hub.port, request + body)).endswith(b"\r\n\r\n%d" % BODY_LEFT)
