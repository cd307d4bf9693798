"""Starts a bundled store in a folder, or expects it to be refused."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import redis.asyncio

from hub.clock import LoopClock
from hub.config import Ack, CannotStart
from hub.store.embedded import Embedded
from hub.store.predecessor import ask
from hub.telemetry.tasks import Tasks
from tests.harness.manual_clock import ManualClock


@asynccontextmanager
async def running(data: Path, ack: Ack = "everysec") -> AsyncIterator[tuple[Embedded, redis.asyncio.Redis]]:
    async with Tasks() as tasks:
        store = Embedded(data, ack=ack)
        url = await store.start(tasks)
        try:
            async with redis.asyncio.Redis.from_url(url) as client:
                yield store, client
        finally:
            await store.stop()


async def refusal(data: Path, *, binary: Path | None = None, clock: ManualClock | None = None) -> CannotStart:
    async with Tasks() as tasks:
        with pytest.raises(CannotStart) as caught:
            await Embedded(data, binary=binary, clock=clock).start(tasks)
    assert "\n" not in caught.value.advice
    return caught.value


async def until_restarted(store: Embedded, restarts: int) -> None:
    """Wait until it has restarted this many times and answers."""
    while store.restarts < restarts:  # noqa: ASYNC110
        await asyncio.sleep(0)
    assert await ask(store._socket, b"PING\r\n", LoopClock()) == b"+PONG\r\n"


@contextlib.asynccontextmanager
async def passing(
    clock: ManualClock, tasks: Tasks, stands_still: Callable[[], bool] = lambda: False
) -> AsyncIterator[None]:
    """Time passes whenever somebody waits for it, for sleeps as well as for answers that do not come.

    It stands still while the machine has something to do that the test depends on.
    """

    async def advance() -> None:
        while True:
            await clock.until(lambda: bool(clock.armed))
            while stands_still():  # noqa: ASYNC110 - the machine sends no event
                await asyncio.sleep(0)
            clock.advance((clock.armed[0] - clock.now_ms()) / 1000)
            await asyncio.sleep(0)

    task = tasks.start("time", advance())
    yield
    task.cancel()


SILENT = """
import signal, socket, sys
listening = socket.socket(socket.AF_UNIX)
listening.bind(sys.argv[1])
listening.listen(1000)
print("listening", flush=True)
signal.pause()
"""
"""A server that accepts connections and answers nothing."""
