"""The clients that may open a socket; all others are refused with a reason, and leave nothing behind (G8)."""

from __future__ import annotations

import pytest
import starlette.websockets
from starlette.datastructures import Headers

from hub.net.endpoint import is_same_host
from hub.net.websocket import WebSocketTransport
from hub.telemetry.metrics import Metrics
from hub.wire.messages import SUBPROTOCOL
from tests.harness.defaults import make_connection_limits
from tests.net.serving import RecordingListener, on_both_loops, serving, until
from tests.wire_client import Refused, WireClient, handshake

ELSEWHERE = "https://play.example.org"


@pytest.mark.parametrize("origin", [None, "http://127.0.0.1:{port}", ELSEWHERE, ELSEWHERE.upper()])
@on_both_loops
async def test_may_connect(origin: str | None) -> None:
    async with serving(origins=[ELSEWHERE + "/"]) as hub:
        same_origin = origin and origin.replace("{port}", str(hub.port))
        async with await WireClient.open(hub.port, origin=same_origin) as client:
            await client.send(b"x")
            assert await client.receive() == b"x"


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://127.0.0.1",
        "http://127.0.0.1:1",
        "https://127.0.0.1:{port}.evil.example",
        "https://play.example.org.evil.example",
        "http://play.example.org",
        "null",
        "",
        "file://",
        "127.0.0.1:{port}",
        "chrome-extension://127.0.0.1:{port}",
        "http://127.0.0.1:99999",
        "http://[::1",
        "http://\xff",
    ],
)
@on_both_loops
async def test_foreign_origin(origin: str, caplog: pytest.LogCaptureFixture) -> None:
    async with serving(origins=[ELSEWHERE]) as hub:
        with pytest.raises(Refused) as refused:
            await WireClient.open(hub.port, origin=origin.replace("{port}", str(hub.port)))
        assert refused.value.status == 403
        assert "origin" in refused.value.body
        assert hub.listeners == []
    assert [record.message for record in caplog.records if record.levelname != "INFO"] == []


@on_both_loops
async def test_too_many_from_one_network() -> None:
    """G8.9: sockets over the limit are refused with advice; other networks get in, and so does this one
    after one of its sockets has closed."""
    metrics = Metrics()
    limits = make_connection_limits(metrics, per_network=2)

    def coming(address: str) -> list[tuple[str, str]]:
        return [("x-forwarded-for", address)]

    async with serving(limits=limits) as hub:
        first = await WireClient.open(hub.port, headers=coming("2001:db8::1"))
        second = await WireClient.open(hub.port, headers=coming("2001:db8::2"))
        with pytest.raises(Refused) as refused:
            await WireClient.open(hub.port, headers=coming("2001:db8::3"))
        assert refused.value.status == 429
        assert "close some" in refused.value.body
        assert metrics.limited == {"network connections": 1}
        clients = [await WireClient.open(hub.port) for _ in range(3)]
        await first.cut()
        await until(lambda: len(hub.sockets) == 4)
        third = await WireClient.open(hub.port, headers=coming("2001:db8::3"))
        for client in (second, third, *clients):
            await client.cut()


@pytest.mark.parametrize(
    ("origin", "host", "same"),
    [
        ("http://hub.local", "hub.local", True),
        ("http://hub.local", "hub.local:80", True),
        ("http://hub.local:80", "hub.local", True),
        ("https://hub.local", "hub.local", True),
        ("https://hub.local", "hub.local:443", True),
        ("https://hub.local", "hub.local:80", False),
        ("http://hub.local:8000", "hub.local:8000", True),
        ("http://hub.local:8000", "HUB.local:8000", True),
        ("http://hub.local:8000", "hub.local", False),
        ("http://hub.local", "hub.local:8000", False),
        ("http://[::1]:8000", "[::1]:8000", True),
        ("http://[::1]:8000", "[::2]:8000", False),
        ("http://hub.local", "", False),
        ("http://", "", False),
        ("http://hub.local", "hub.local:x", False),
        ("ftp://hub.local", "hub.local", False),
    ],
)
def testis_same_host(origin: str, host: str, same: bool) -> None:
    scope = {"type": "websocket", "headers": Headers({"host": host}).raw}
    websocket = starlette.websockets.WebSocket(scope, None, None)  # type: ignore[arg-type]
    assert is_same_host(origin, websocket) is same


@pytest.mark.parametrize("asked", [None, "parley.v2.msgpack", "PARLEY.V1.MSGPACK", "json, xml"])
@on_both_loops
async def test_wrong_subprotocol(asked: str | None, caplog: pytest.LogCaptureFixture) -> None:
    async with serving() as hub:
        with pytest.raises(Refused) as refused:
            await WireClient.open(hub.port, subprotocol=asked)
        assert refused.value.status == 400
        assert SUBPROTOCOL in refused.value.body
        assert hub.listeners == []
    assert [record.message for record in caplog.records if record.levelname != "INFO"] == []


@on_both_loops
async def test_the_subprotocol_among_others_and_nothing_more() -> None:
    """Our subprotocol is chosen; deflate is never accepted (STACK: memory, and lengths that leak content)."""
    async with serving() as hub, await WireClient.connect(hub.port) as client:
        extensions = [("Sec-WebSocket-Extensions", "permessage-deflate; client_max_window_bits")]
        await client.say(handshake(hub.port, subprotocol=f"json, {SUBPROTOCOL}", headers=extensions))
        headers = await client.answer()
        assert headers["sec-websocket-protocol"] == SUBPROTOCOL
        assert "sec-websocket-extensions" not in headers


@on_both_loops
async def test_a_session_that_cannot_be_made(caplog: pytest.LogCaptureFixture) -> None:
    """That is a bug: uvicorn logs it, and the socket is cut off."""

    def fail(transport: WebSocketTransport) -> RecordingListener:
        raise ZeroDivisionError

    async with serving(fail) as hub, await WireClient.open(hub.port) as client:
        assert await client.end() == b""
        await until(lambda: not hub.connections)
    assert [record.exc_info[0] for record in caplog.records if record.exc_info] == [ZeroDivisionError]


@on_both_loops
async def test_the_address_a_session_sees() -> None:
    """It is the client's own, or the one a trusted proxy names (uvicorn trusts 127.0.0.1)."""
    async with serving() as hub:
        async with await WireClient.open(hub.port):
            assert hub.listeners[0].transport.remote == "127.0.0.1"
        async with await WireClient.open(hub.port, headers=[("X-Forwarded-For", "203.0.113.7")]):
            assert hub.listeners[1].transport.remote == "203.0.113.7"
