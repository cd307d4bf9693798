"""The fault proxy does exactly what was planned; processes are really killed and frozen."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import hiredis
import pytest
import redis.asyncio

from tests.harness.fault_proxy import Fault, FaultProxy, reply_length
from tests.harness.processes import HubProcess, Process, StoreProcess, read_state

pytestmark = pytest.mark.asyncio


class ClientLine:
    """A bare connection to a store."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def send(self, *command: str) -> None:
        self.writer.write(hiredis.pack_command(command))  # type: ignore[arg-type]

    async def answer(self) -> bytes:
        """The next line; empty once the connection has ended."""
        try:
            return (await self.reader.readline()).rstrip()
        except ConnectionError:
            return b""


@asynccontextmanager
async def lines(store: StoreProcess, count: int = 1) -> AsyncIterator[tuple[FaultProxy, list[ClientLine]]]:
    async with FaultProxy(store.socket, folder=store.socket.parent) as proxy:
        opened = [
            ClientLine(*await asyncio.open_unix_connection(proxy.url.removeprefix("unix://")))
            for _ in range(count)
        ]
        try:
            yield proxy, opened
        finally:
            for line in opened:
                line.writer.close()


async def test_without_plans_it_is_not_there(store_process: StoreProcess, prefix: str) -> None:
    async with lines(store_process) as (proxy, [line]):
        line.send("PING")
        line.send("ECHO", "x" * 50_000)
        line.send("PING")
        assert await line.answer() == b"+PONG"
        assert [await line.answer(), await line.answer()] == [b"$50000", b"x" * 50_000]
        assert await line.answer() == b"+PONG"
        assert proxy.count("PING") == 2
        assert proxy.happenings(Fault.CUT_AFTER) == 0


@pytest.mark.parametrize(
    ("fault", "answers", "counted"),
    [
        (Fault.LOSE_REPLY, [b":2", b":3"], b"3"),
        (Fault.REPEAT_REPLY, [b":1", b":1", b":2", b":3"], b"3"),
        (Fault.GARBLE_REPLY, [b"?what", b":2", b":3"], b"3"),
        (Fault.REPEAT_COMMAND, [b":1", b":3", b":4"], b"4"),
        (Fault.CUT_BEFORE, [b""], None),
        (Fault.CUT_AFTER, [b""], b"1"),
    ],
    ids=str,
)
async def test_faults(
    store_process: StoreProcess, prefix: str, fault: Fault, answers: list[bytes], counted: bytes | None
) -> None:
    """The fault hits the first of three INCRs."""
    key = prefix + fault.name
    async with lines(store_process) as (proxy, [line]):
        proxy.plan(fault, command="INCR")
        line.send("INCR", key)
        if fault in (Fault.CUT_BEFORE, Fault.CUT_AFTER):
            await proxy.happened(fault)
        else:
            line.send("INCR", key)
            line.send("INCR", key)
        assert [await line.answer() for _ in answers] == answers
    async with redis.asyncio.Redis.from_url(store_process.url) as raw:
        assert await raw.get(key) == counted


async def test_held_commands_come_late_even_from_the_dead(store_process: StoreProcess, prefix: str) -> None:
    async with lines(store_process, 2) as (proxy, [line, other]):
        proxy.plan(Fault.HOLD_COMMAND, command="INCR", skip=1)
        line.send("INCR", prefix)
        line.send("INCR", prefix)
        line.send("INCR", prefix)
        assert await line.answer() == b":1"
        await proxy.commands("INCR", 3)
        line.writer.close()
        other.send("GET", prefix)
        assert [await other.answer(), await other.answer()] == [b"$1", b"1"]
        proxy.release()
        await proxy.until(lambda: proxy.open == 1)
        other.send("GET", prefix)
        assert [await other.answer(), await other.answer()] == [b"$1", b"3"]


async def test_held_replies_keep_those_behind_them(store_process: StoreProcess, prefix: str) -> None:
    async with lines(store_process) as (proxy, [line]):
        proxy.plan(Fault.HOLD_REPLY, command="INCR")
        line.send("INCR", prefix)
        line.send("PING")
        await proxy.happened(Fault.HOLD_REPLY)
        proxy.release()
        assert [await line.answer(), await line.answer()] == [b":1", b"+PONG"]


async def test_down(store_process: StoreProcess) -> None:
    async with lines(store_process) as (proxy, [line]):
        line.send("PING")
        assert await line.answer() == b"+PONG"
        proxy.down = True
        reader, writer = await asyncio.open_unix_connection(proxy.url.removeprefix("unix://"))
        assert await ClientLine(reader, writer).answer() == b""
        writer.close()
        line.send("PING")
        assert await line.answer() == b"+PONG"
        proxy.cut()
        assert await line.answer() == b""


@pytest.mark.parametrize(
    "reply",
    [
        *(b"+OK\r\n", b"-ERR no\r\n", b":12\r\n", b"$3\r\na\r\n\r\n", b"$-1\r\n", b"*-1\r\n", b"*0\r\n"),
        *(b"*2\r\n*1\r\n:1\r\n$0\r\n\r\n", b"*3\r\n$-1\r\n*-1\r\n+x\r\n"),
    ],
)
async def test_where_replies_end(reply: bytes) -> None:
    for have in range(len(reply)):
        assert reply_length(reply[:have]) == 0
    assert reply_length(reply + b"+more\r\n") == len(reply)


async def test_processes(short_path: Path) -> None:
    store = StoreProcess(Path("/bin/sh"), short_path)
    store.command = ["/bin/sh", "-c", "echo Ready to accept connections; exec cat /dev/zero > /dev/null"]
    with store:
        store.freeze()
        assert read_state(store.pid) == "T"
        store.thaw()
        assert read_state(store.pid) in "RSD"
        before = store.pid
        store.restart()
        assert store.pid != before
        with pytest.raises(ProcessLookupError):
            os.kill(before, 0)
    with pytest.raises(AssertionError, match="not started"):
        store.kill()


async def test_hubs_are_killed_frozen_and_stopped(short_path: Path) -> None:
    hub = HubProcess(short_path)
    with hub:
        before = hub.pid
        hub.freeze()
        assert read_state(hub.pid) == "T"
        hub.thaw()
        hub.restart()
        assert hub.pid != before
        assert hub.stop() == 0
    with pytest.raises(AssertionError, match="PARLEY_COLOUR"):
        HubProcess(short_path, colour="red").start()
    hub.launch()
    os.kill(hub.pid, signal.SIGKILL)
    assert hub.wait() == -signal.SIGKILL


async def test_a_process_that_never_gets_ready_says_why() -> None:
    process = Process(["/bin/sh", "-c", "echo out of luck; exit 3"], ready="never")
    with pytest.raises(AssertionError, match="out of luck"):
        process.start()
