"""Each fault of a route does what it says to both ends of a connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import pytest

from tests.harness.routes import LOCALHOST, MAX_WAITING, Route

pytestmark = pytest.mark.asyncio

LONGEST: Final = 4 * MAX_WAITING
"""The longest line."""


class Echo:
    """A server that answers each line with the same line."""

    def __init__(self) -> None:
        self.seen: list[bytes] = []
        self.begun = 0
        self.ended = 0
        self.changed = asyncio.Event()
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.begun += 1
        try:
            while line := await reader.readline():
                self.seen.append(line)
                self.changed.set()
                writer.write(line)
        except ConnectionError:
            pass
        self.ended += 1
        self.changed.set()
        writer.close()

    async def until_ended(self, times: int) -> None:
        while self.ended < times:
            self.changed.clear()
            await self.changed.wait()

    async def until_seen(self, line: bytes) -> None:
        while line not in self.seen:
            self.changed.clear()
            await self.changed.wait()


class Caller:
    """A client of the echo."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def answer(self) -> bytes:
        """The next line; empty once the connection has ended."""
        try:
            return await self.reader.readline()
        except ConnectionError:
            return b""


async def call(route: Route) -> Caller:
    return Caller(*await asyncio.open_connection(LOCALHOST, route.port, limit=LONGEST))


@asynccontextmanager
async def echoes() -> AsyncIterator[tuple[Echo, Route, Caller]]:
    """An echo, a route to it, and a caller whose first line was answered over it."""
    echo = Echo()
    server = await asyncio.start_server(echo.serve, LOCALHOST, 0, limit=LONGEST)
    async with server:
        async with Route(server.sockets[0].getsockname()[1]) as route:
            caller = await call(route)
            caller.writer.write(b"first\n")
            assert await caller.answer() == b"first\n"
            try:
                yield echo, route, caller
            finally:
                caller.writer.close()
        await echo.until_ended(echo.begun)


async def test_a_partition_holds_everything_and_tells_nobody() -> None:
    async with echoes() as (echo, route, caller):
        route.stall()
        caller.writer.write(b"second\n")
        await route.until(lambda: route.waiting == len(b"second\n"))
        late = await call(route)
        late.writer.write(b"third\n")
        await route.until(lambda: route.waiting == len(b"second\nthird\n"))
        assert echo.seen == [b"first\n"]
        route.heal()
        assert [await caller.answer(), await late.answer()] == [b"second\n", b"third\n"]
        late.writer.close()


async def test_a_close_during_a_partition_arrives_when_it_heals() -> None:
    async with echoes() as (echo, route, caller):
        route.stall()
        caller.writer.close()
        await caller.writer.wait_closed()
        other = await call(route)
        await route.until(lambda: route.connections == 2)
        assert echo.ended == 0
        route.heal()
        await echo.until_ended(1)
        other.writer.close()


async def test_a_partition_may_be_one_way() -> None:
    async with echoes() as (echo, route, caller):
        route.stall(requests=False)
        caller.writer.write(b"second\n")
        await echo.until_seen(b"second\n")
        await route.until(lambda: route.waiting == len(b"second\n"))
        route.heal()
        assert await caller.answer() == b"second\n"


async def test_lost_replies_never_arrive() -> None:
    async with echoes() as (echo, route, caller):
        route.lose_replies()
        caller.writer.write(b"second\n")
        await echo.until_seen(b"second\n")
        await route.until(lambda: route.discarded == len(b"second\n"))
        route.heal()
        assert await caller.answer() == b""
        again = await call(route)
        again.writer.write(b"third\n")
        assert await again.answer() == b"third\n"
        again.writer.close()


async def test_a_cut_ends_both_ends_and_no_later_connection() -> None:
    async with echoes() as (echo, route, caller):
        route.cut()
        assert await caller.answer() == b""
        await echo.until_ended(1)
        again = await call(route)
        again.writer.write(b"second\n")
        assert await again.answer() == b"second\n"
        again.writer.close()


async def test_refused_connections_end_at_once() -> None:
    async with echoes() as (_, route, caller):
        route.refuse()
        assert await caller.answer() == b""
        late = await call(route)
        assert await late.answer() == b""
        route.heal()
        again = await call(route)
        again.writer.write(b"second\n")
        assert await again.answer() == b"second\n"
        again.writer.close()


async def test_half_open_the_far_end_has_gone_and_the_near_end_does_not_know() -> None:
    async with echoes() as (echo, route, caller):
        route.abandon()
        await echo.until_ended(1)
        caller.writer.write(b"second\n")
        await caller.writer.drain()
        other = await call(route)
        other.writer.write(b"third\n")
        assert await other.answer() == b"third\n"
        assert echo.seen == [b"first\n", b"third\n"]
        assert not caller.reader.at_eof()
        route.heal()
        other.writer.close()


async def test_a_delay_keeps_the_order() -> None:
    async with echoes() as (echo, route, caller):
        route.delay(3600.0)
        caller.writer.write(b"second\n")
        await route.until(lambda: route.waiting == len(b"second\n"))
        route.delay(0.001)
        caller.writer.write(b"third\n")
        await route.until(lambda: route.waiting == len(b"second\nthird\n"))
        assert echo.seen == [b"first\n"]
        route.heal()
        assert [await caller.answer(), await caller.answer()] == [b"second\n", b"third\n"]


async def test_a_short_delay_passes() -> None:
    async with echoes() as (_, route, caller):
        route.delay(0.001)
        caller.writer.write(b"second\n")
        assert await caller.answer() == b"second\n"


async def test_a_long_line_passes_a_partition_that_heals() -> None:
    """What is sent meanwhile waits with its sender once the route holds as much as a connection would."""
    async with echoes() as (_, route, caller):
        route.stall()
        long = b"x" * (2 * MAX_WAITING) + b"\n"
        caller.writer.write(long)
        await route.until(lambda: route.waiting > MAX_WAITING)
        route.heal()
        assert await caller.answer() == long


async def test_whoever_calls_while_the_target_is_down_is_reset() -> None:
    async with Route(1) as route:
        assert await (await call(route)).answer() == b""
