"""Connections are limited by network and in all; those over a limit are answered or closed (G8.12).

The clients connect from different addresses of this machine; only 127.0.0.1 counts as local.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import TypeAlias

import pytest
import uvicorn
from structlog.testing import capture_logs

from hub.net import connection_limits, open_sockets
from hub.net.connection_limits import FORWARDING_HEADERS, REFUSAL_SLOTS, find_trusted_proxies
from hub.telemetry.metrics import Metrics
from tests.harness.defaults import make_connection_limits
from tests.net.serving import Hub, on_both_loops, serving, until
from tests.wire_client import Refused, WireClient

GET = b"GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n"
LAPTOP, PHONE, PROXY = "127.0.0.2", "127.0.0.3", "127.0.0.4"
THIS_MACHINE = "127.0.0.1"


@pytest.fixture(autouse=True)
def networks(monkeypatch: pytest.MonkeyPatch) -> None:
    def network(address: str | None) -> str | None:
        return None if address == THIS_MACHINE else address

    for module in (connection_limits, open_sockets):
        monkeypatch.setattr(module, "network", network)


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


class HttpConnection:
    """An HTTP connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def prompt(self, request: bytes = GET) -> int:
        """The status of the hub's answer; 0 if it closes the connection instead."""
        try:
            self.writer.write(request)
            return int((await self.reader.readuntil(b"\r\n\r\n")).split(b" ")[1])
        except (asyncio.IncompleteReadError, ConnectionError):
            return 0

    async def end(self) -> bytes:
        """Everything the hub sends before it closes the connection."""
        try:
            return await self.reader.read()
        except ConnectionError:
            return b""

    async def cut(self) -> None:
        self.writer.transport.abort()
        with suppress(ConnectionError):
            await self.writer.wait_closed()


Connect: TypeAlias = Callable[..., Awaitable[HttpConnection]]


@asynccontextmanager
async def connecting(hub: Hub) -> AsyncIterator[Connect]:
    """Opens connections from an address, and cuts them all at the end."""
    connections: list[HttpConnection] = []

    async def connect(address: str = LAPTOP) -> HttpConnection:
        connections.append(
            HttpConnection(*await asyncio.open_connection("127.0.0.1", hub.port, local_addr=(address, 0)))
        )
        return connections[-1]

    yield connect
    for connection in connections:
        await connection.cut()


def test_a_site_cannot_take_every_connection(metrics: Metrics) -> None:
    """G8.12: an IPv6 /48 has 65,536 networks, each with a limit of its own."""
    limits = make_connection_limits(metrics, total=100, per_network=3)
    keys = [limits.key(f"2001:db8:5:{number // 3:x}::7") for number in range(11)]
    for number, key in enumerate(keys[:10]):
        assert limits.refuse(key, number + 1) is None
        limits.add(key)
    refusal = limits.refuse(keys[10], 11)
    assert refusal is not None
    assert refusal.code == "TOO_MANY_CONNECTIONS"
    assert limits.refuse(limits.key("2001:db8:6::7"), 11) is None
    limits.remove(keys[0])
    assert limits.refuse(keys[10], 11) is None
    assert metrics.limited == {"network connections": 1}


@on_both_loops
async def test_connections_of_a_network_are_limited(metrics: Metrics) -> None:
    """G8.12: HTTP and sockets count together, also while one becomes the other; other networks get in."""
    limits = make_connection_limits(metrics, per_network=3)
    async with serving(limits=limits) as hub, connecting(hub) as connect:
        connections = [await connect() for _ in range(2)]
        assert [await connection.prompt() for connection in connections] == [404, 404]
        socket = await WireClient.open(hub.port, local=LAPTOP)
        refused = await connect()
        refused.writer.write(GET)
        answer = await refused.end()
        head, _, body = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 429 ")
        assert b"retry-after: 10" in head.lower()
        assert b"connection: close" in head.lower()
        assert json.loads(body)["code"] == "TOO_MANY_CONNECTIONS"
        with pytest.raises(Refused) as closed:
            await WireClient.open(hub.port, local=LAPTOP)
        assert closed.value.status == 429
        assert metrics.limited == {"network connections": 2}
        others = [await connect(address) for address in (PHONE, THIS_MACHINE)]
        assert [await connection.prompt() for connection in others] == [404, 404]
        await socket.cut()
        await until(lambda: not limits.is_full(LAPTOP))
        assert await (await connect()).prompt() == 404
        assert limits.is_full(LAPTOP)
    assert not limits._by_network


@on_both_loops
async def test_this_machine_and_proxies_have_any_number(metrics: Metrics) -> None:
    limits = make_connection_limits(metrics, per_network=1, trusted={PROXY})
    async with serving(limits=limits) as hub, connecting(hub) as connect:
        connections = [await connect(address) for address in (THIS_MACHINE, PROXY) for _ in range(3)]
        assert [await connection.prompt() for connection in connections] == [404] * 6
    assert not metrics.limited


@on_both_loops
async def test_connections_of_a_hub_are_limited(metrics: Metrics) -> None:
    """G8.12: also this machine's; a health check is answered all the same, then its connection is closed."""
    limits = make_connection_limits(metrics, total=3)
    async with serving(limits=limits) as hub, connecting(hub) as connect:
        connections = [await connect(address) for address in (LAPTOP, PHONE, THIS_MACHINE)]
        assert [await connection.prompt() for connection in connections] == [404] * 3
        for address in (PROXY, THIS_MACHINE):
            assert await (await connect(address)).prompt() == 503
            health = await connect(address)
            assert await health.prompt(GET.replace(b"nothing", b"healthz?x")) == 404  # from the application
            await health.end()
        assert metrics.limited == {"connections": 4}
        await connections[0].cut()
        await until(lambda: len(hub.connections) < 3)
        assert await (await connect()).prompt() == 404


@on_both_loops
async def test_refused_connections_take_few_descriptors(metrics: Metrics) -> None:
    """G8.12: silent ones are closed as others arrive, so everybody else still gets an answer."""
    limits = make_connection_limits(metrics, total=1)
    async with serving(limits=limits) as hub, connecting(hub) as connect:
        assert await (await connect()).prompt() == 404
        silent = [await connect() for _ in range(3 * REFUSAL_SLOTS)]
        await until(lambda: metrics.limited["connections"] == len(silent))
        await until(lambda: len(hub.connections) <= 1 + REFUSAL_SLOTS)
        assert [await connection.end() for connection in silent[:-REFUSAL_SLOTS]] == [b""] * 2 * REFUSAL_SLOTS
        assert [await connection.prompt() for connection in silent[-REFUSAL_SLOTS:]] == [503] * REFUSAL_SLOTS
        more = [await connect() for _ in range(REFUSAL_SLOTS)]
        assert await (await connect(THIS_MACHINE)).prompt() == 503
        assert [await connection.prompt() for connection in more] == [503] * REFUSAL_SLOTS


@on_both_loops
async def test_proxies_that_are_not_trusted_are_noticed(metrics: Metrics) -> None:
    """They appear in the metrics and once in the log, which names no address."""
    limits = make_connection_limits(metrics, trusted={PROXY})
    with capture_logs() as logs:
        async with serving(limits=limits) as hub, connecting(hub) as connect:
            for header in sorted(FORWARDING_HEADERS):
                request = GET.replace(b"\r\n\r\n", b"\r\n%b: 203.0.113.7\r\n\r\n" % header)
                for address in (PHONE, PROXY, THIS_MACHINE):
                    assert await (await connect(address)).prompt(request) == 404
            assert await (await connect(PHONE)).prompt() == 404
    assert metrics.untrusted_forwarding == len(FORWARDING_HEADERS) == 8
    (logged,) = logs
    assert (logged["header"], logged["setting"]) == ("cf-connecting-ip", "FORWARDED_ALLOW_IPS")
    assert set(logged) == {"header", "setting", "event", "log_level"}


def test_trusted_proxies_are_those_of_uvicorn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Addresses and networks in FORWARDED_ALLOW_IPS; by default only this machine."""

    def trusts(*peers: str) -> list[bool]:
        trusted = find_trusted_proxies(uvicorn.Config("none:none", log_config=None))
        return [peer in trusted for peer in peers]

    monkeypatch.delenv("FORWARDED_ALLOW_IPS", raising=False)
    assert trusts(THIS_MACHINE, "192.0.2.1") == [True, False]
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "192.0.2.1, 2001:db8::/32")
    assert trusts("192.0.2.1", "2001:db8::7", "192.0.2.2") == [True, True, False]
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    assert trusts("192.0.2.2") == [True]
