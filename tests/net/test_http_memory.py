"""What HTTP clients can make the hub keep in memory: requests sent ahead, and unread responses."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from hub.net.http import protocol
from hub.net.http.downloads import MAX_DOWNLOADS, MAX_PER_NETWORK, PART_BYTES, Downloads
from hub.net.http.errors import ApiError
from hub.net.http.protocol import MAX_PIPELINED
from tests.net.serving import on_both_loops, serving, until

GET = b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n"


@on_both_loops
async def test_few_requests_may_wait_on_a_connection() -> None:
    """G8.12: a client that sends requests ahead without end is closed."""
    answered = asyncio.Event()
    started = 0

    async def slow(request: Request) -> Response:
        nonlocal started
        started += 1
        await answered.wait()
        return PlainTextResponse("done")

    async with serving(routes=[Route("/slow", slow)]) as hub:
        reader, writer = await asyncio.open_connection("127.0.0.1", hub.port)
        writer.write(GET * 1000)
        assert await reader.read() == b""
        assert started <= 1
        answered.set()
        writer.close()


@on_both_loops
async def test_a_lost_connection_leaves_no_garbage() -> None:
    """G8.12: its requests are freed at once; the collector runs rarely (hub/runtime/garbage.py)."""
    gc.collect()
    gc.disable()
    try:
        answered = asyncio.Event()

        async def slow(request: Request) -> Response:
            await answered.wait()
            return PlainTextResponse("done")

        async with serving(routes=[Route("/slow", slow)]) as hub:
            _, writer = await asyncio.open_connection("127.0.0.1", hub.port)
            writer.write(GET * (MAX_PIPELINED + 1))
            await until(lambda: any(len(other.pipeline) == MAX_PIPELINED for other in hub.connections))
            writer.transport.abort()
            answered.set()
            await until(lambda: not hub.connections)
            await until(lambda: not hub.server.server_state.tasks)
            await asyncio.sleep(0)
            left = [item for item in gc.get_objects() if isinstance(item, RequestResponseCycle)]
            assert len(left) <= 1, "nothing of the eight that waited"
    finally:
        gc.enable()


@on_both_loops
async def test_a_client_that_does_not_read_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """G8.4: its response does not stay in memory."""
    monkeypatch.setattr(protocol, "DRAIN_SECONDS", 0.05)

    async def large(request: Request) -> Response:
        return Response(bytes(30_000_000))

    async with serving(routes=[Route("/slow", large)]) as hub:
        reader, writer = await asyncio.open_connection("127.0.0.1", hub.port, limit=1024)
        writer.write(GET)
        await until(lambda: hub.connections)
        await until(lambda: not hub.connections)
        with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
            await reader.readexactly(30_000_000)
        writer.close()


@pytest.mark.asyncio
async def test_few_records_are_sent_at_a_time() -> None:
    """G8.12: a slow reader holds a part of its record, and a place that ends with the connection."""
    limited = Counter[str]()
    downloads = Downloads(limited)
    record = bytes(PART_BYTES * 3)

    def request(address: str) -> Request:
        scope: dict[str, Any] = {"type": "http", "headers": [], "client": (address, 1)}
        return Request(scope)

    async def begin(address: str) -> Any:
        parts = downloads.response(request(address), record).body_iterator  # type: ignore[attr-defined]
        assert len(await anext(parts)) == PART_BYTES
        return parts

    running = [await begin("203.0.113.7") for _ in range(MAX_PER_NETWORK)]
    with pytest.raises(ApiError, match="SLOW_DOWN"):
        await begin("203.0.113.7")
    running += [await begin(f"198.51.100.{i}") for i in range(MAX_DOWNLOADS - MAX_PER_NETWORK)]
    with pytest.raises(ApiError, match="SLOW_DOWN"):
        await begin("127.0.0.1")
    assert limited == {"downloads": 2}
    for parts in running:
        await parts.aclose()
    assert sum([len(part) async for part in await begin("203.0.113.7")]) == 2 * PART_BYTES
