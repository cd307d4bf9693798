"""G8.23: connections to the links' port that become no links, over real sockets on the event loop of hubs."""

from __future__ import annotations

import asyncio
import errno
import gc
import socket
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, NamedTuple, TypeAlias

import pytest
import uvloop
from structlog.testing import capture_logs
from websockets.server import ServerProtocol

from hub.net.links import handshakes
from hub.net.links import messages as l
from hub.net.links.address import listen_for_links
from hub.net.links.credentials import Credentials
from hub.net.links.front import OwnerLinks
from hub.net.links.handshakes import (
    HANDSHAKE_SECONDS,
    MAX_HANDSHAKES,
    MAX_HANDSHAKES_PER_ADDRESS,
    LinkAcceptor,
    PendingHandshakes,
)
from hub.net.links.owner import LinkServer, _LinkSocket
from hub.store.hubs import HubIdentity
from hub.telemetry.metrics import Metrics
from hub.telemetry.tasks import Tasks
from tests.harness.manual_clock import ManualClock
from tests.net.serving import until

SECRET: Final = b"s" * 32
COUNT: Final = 300
BEGINNING: Final = b"\x16\x03\x01\x02\x00\x01"
"""The first bytes of a ClientHello."""


class Port(NamedTuple):
    """The links' port of an owner, and what is known of it inside."""

    owner: HubIdentity
    acceptor: LinkAcceptor
    metrics: Metrics
    tasks: Tasks

    @property
    def address(self) -> tuple[str, int]:
        host, _, number = self.owner.url.removeprefix("wss://").rpartition(":")
        return host, int(number)

    async def is_linked(self) -> bool:
        """Whether a hub can open a link."""
        front = OwnerLinks(Credentials(SECRET, "front"), self.tasks, Metrics(), ManualClock())
        return await front.reach(self.owner)


@asynccontextmanager
async def port(seconds: float = HANDSHAKE_SECONDS) -> AsyncIterator[Port]:
    """`seconds`: how long a handshake may take."""

    def connect(*_: Any) -> Any:
        raise AssertionError("no client arrives")

    async def serve(_: l.Request) -> l.Response:
        raise AssertionError("no request arrives")

    async with Tasks() as tasks:
        listening, url = listen_for_links(None, "unix:///tmp/store")
        metrics = Metrics()
        server = LinkServer(Credentials(SECRET, "owner"), connect, serve, tasks, metrics)
        server.acceptor.seconds = seconds
        server.start(listening)
        try:
            yield Port(HubIdentity("owner", url), server.acceptor, metrics, tasks)
        finally:
            await server.close()


def run(test: Coroutine[Any, Any, None]) -> None:
    """Runs it on the event loop that hubs have."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(test)


def connect(port: Port, source: tuple[str, int] | None = None, begin: bytes = b"") -> socket.socket:
    """A connection that says nothing beyond these bytes."""
    connection = socket.create_connection(port.address, source_address=source)
    connection.sendall(begin)
    connection.setblocking(False)
    return connection


async def until_ended(connection: socket.socket) -> None:
    """Waits until the other end closes or resets it."""
    with suppress(ConnectionResetError), connection:
        while await asyncio.get_running_loop().sock_recv(connection, 4096):
            pass


Failing: TypeAlias = Callable[[Port], Coroutine[Any, Any, None]]


async def fail_silently(port: Port) -> None:
    await until_ended(connect(port))


async def fail_with_garbage(port: Port) -> None:
    await until_ended(connect(port, begin=b"GET / HTTP/1.1\r\n\r\n"))


async def fail_by_leaving(port: Port) -> None:
    connect(port, begin=BEGINNING).close()


async def fail_without_upgrade(port: Port) -> None:
    """A hub that knows the secret, and then says nothing."""
    context = Credentials(SECRET, "front").for_dialing
    reader, writer = await asyncio.open_connection(*port.address, ssl=context, server_hostname="")
    with suppress(ConnectionResetError):
        assert await reader.read() == b""
    writer.transport.abort()


@pytest.mark.parametrize("fail", [fail_silently, fail_with_garbage, fail_by_leaving])
def test_connections_that_become_no_link_leave_nothing_in_memory(fail: Failing) -> None:
    """G8.23: no cycle of objects remains, so memory stays flat although hubs hardly ever collect garbage."""

    async def body() -> None:
        async with port(seconds=0.02) as links:
            left = await find_left(links, fail, COUNT)
            assert left[ServerProtocol.__name__] == left[_LinkSocket.__name__] == 0
            assert left.total() < COUNT, left.most_common(9)  # a leak leaves several objects of each

    run(body())


def test_a_hub_that_opens_no_link_leaves_nothing_in_memory() -> None:
    """G8.23: neither does its WebSocket, which TLS let it have."""

    async def body() -> None:
        async with port(seconds=0.2) as links:
            left = await find_left(links, fail_without_upgrade, 8)
            assert left[ServerProtocol.__name__] == left[_LinkSocket.__name__] == 0

    run(body())


async def find_left(links: Port, fail: Failing, count: int) -> Counter[str]:
    """The objects that remain of so many failed connections, by type."""
    await fail(links)  # some objects are created only once
    await until_idle(links)
    gc.collect()
    before = count_objects()
    gc.disable()
    try:
        for start in range(0, count, MAX_HANDSHAKES_PER_ADDRESS):
            async with asyncio.TaskGroup() as failing:
                for _ in range(start, min(count, start + MAX_HANDSHAKES_PER_ADDRESS)):
                    failing.create_task(fail(links))
            await until_idle(links)
        return count_objects() - before
    finally:
        gc.enable()


def count_objects() -> Counter[str]:
    return Counter(type(one).__name__ for one in gc.get_objects())


async def until_idle(port: Port) -> None:
    await until(lambda: not port.acceptor.connections and len(asyncio.all_tasks()) == 1)


def test_a_hub_is_let_in_while_other_addresses_hold_every_handshake() -> None:
    """G8.23"""

    async def body() -> None:
        async with port() as links:
            others = [
                connect(links, source=(f"127.0.0.{2 + number // MAX_HANDSHAKES_PER_ADDRESS}", 0))
                for number in range(MAX_HANDSHAKES)
            ]
            await until(lambda: len(links.acceptor.pending) == MAX_HANDSHAKES)
            assert await links.is_linked()
            assert links.metrics.limited == {"link handshakes": 1}
            await until_ended(others[0])
            for other in others[1:]:
                other.close()

    run(body())


def test_a_hub_is_let_in_from_an_address_that_holds_too_many() -> None:
    """G8.23: the hubs of a fleet may all be behind one address, and somebody else with them."""

    async def body() -> None:
        async with port() as links:
            others = [connect(links) for _ in range(2 * MAX_HANDSHAKES_PER_ADDRESS)]
            await until(lambda: links.metrics.limited["link handshakes"] == MAX_HANDSHAKES_PER_ADDRESS)
            assert len(links.acceptor.pending) == MAX_HANDSHAKES_PER_ADDRESS
            assert await links.is_linked()
            for other in others:
                other.close()

    run(body())


def test_the_oldest_handshake_of_the_largest_crowd_ends_for_a_newcomer() -> None:
    """G8.23"""

    async def body() -> None:
        pending = PendingHandshakes(total=4, per_address=3)
        async with Tasks() as tasks:
            a, b, c, d, e, f, g = (tasks.start(name, asyncio.sleep(0)) for name in "abcdefg")
            assert [pending.add("one", task) for task in (a, b, c)] == [None] * 3
            assert pending.add("one", d) is a
            assert pending.add("two", e) is None
            assert pending.add("three", f) is b
            pending.remove("one", a)
            assert len(pending) == 4
            pending.remove("one", c)
            assert pending.add("two", g) is None
            assert set(pending.clear()) == {d, e, f, g}
            assert len(pending) == 0

    run(body())


class FullTable(socket.socket):
    """A listening socket that has once no descriptor for a connection."""

    has_failed = False

    def accept(self) -> tuple[socket.socket, Any]:
        if not self.has_failed:
            self.has_failed = True
            raise OSError(errno.EMFILE, "Too many open files")
        return super().accept()


def test_links_are_accepted_again_once_there_are_descriptors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handshakes, "RETRY_SECONDS", 0.01)

    async def body() -> None:
        async with port() as links:
            links.acceptor.start(FullTable(fileno=links.acceptor.release().detach()))
            with capture_logs() as logs:
                assert await links.is_linked()
            (error,) = (line for line in logs if line["log_level"] == "error")
            assert error["event"] == "connections of other hubs cannot be accepted"

    run(body())
