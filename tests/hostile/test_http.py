"""Hostile HTTP against a real hub: requests that are too large, too slow, or never end (G8, H8)."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator
from typing import Any

import pytest

from hub.net.http.protocol import HEAD_BYTES
from tests.hostile.live_hub import PATIENCE, LiveHub, Person, Socket, table
from tests.net.http.world import BROKEN_HOSTS, ELSEWHERE, LOOPBACK, PROXIED
from tests.wire_client import WireClient, handshake

ASYNC = pytest.mark.asyncio


async def answer(live_hub: LiveHub, request: bytes) -> bytes:
    """Everything the hub sends until it ends the connection."""
    async with await WireClient.connect(live_hub.port) as client:
        await client.say(request)
        return await client.end()


async def pour(live_hub: LiveHub, head: bytes, part: bytes, most: int) -> tuple[int, bytes]:
    """Send the head, then the part until the hub ends it; return the bytes sent and the hub's response."""
    async with await WireClient.connect(live_hub.port) as client:
        sent, got = 0, b""
        with contextlib.suppress(ConnectionError):
            await client.say(head)
            while sent < most and not client.reader.at_eof():
                await client.say(part)
                sent += len(part)
        with contextlib.suppress(ConnectionError):
            got = await client.end()
        return sent, got


POST = b"POST /api/people HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
BODIES: dict[str, bytes] = {
    "deep lists": b"[" * 16_000,
    "deep maps": b'{"a":' * 3_000,
    "a huge number": b'{"name":"A","colour":' + b"9" * 15_000 + b"}",
    "a lone surrogate": b'{"name":"\\ud800","colour":1}',
    "not UTF-8": b'{"name":"\xff\xfe","colour":1}',
    "a nul": b'{"name":"a\\u0000b","colour":1}',
    "very many fields": json.dumps({f"f{i}": 0 for i in range(1_000)}).encode(),
    "one field twice": b'{"name":"A","name":"B","colour":1,"colour":2}',
    "nothing": b"",
    "infinity": b'{"name":"A","colour":1e999}',
    "a name of marks": json.dumps({"name": "\u0301" * 24, "colour": 1}).encode(),
}


@ASYNC
async def test_bad_bodies_are_refused_with_advice(live_hub: LiveHub) -> None:
    """H8: each gets a response with a code and advice, and none causes a defect."""
    async with live_hub.http() as http:
        person = await Person.come(live_hub, http, "Judge")
        bearer = {"authorization": f"Bearer {person.token}", "content-type": "application/json"}
        for name, body in BODIES.items():
            for path in ("/api/people", "/api/rooms"):
                got = await http.post(path, headers=bearer, content=body)
                assert 400 <= got.status_code < 500, (name, got.text)
                assert set(got.json()) >= {"code", "advice"}


WRONG: tuple[Any, ...] = (None, -1, 0, 10**30, "x" * 5_000, [], {}, True, 1.5)


def wrong_tables() -> Iterator[dict[str, Any]]:
    for value in WRONG:
        for field in ("game", "seats", "options", "open", "play_now", "bots"):
            yield {"game": "almost", "seats": 3, field: value}
        yield {"game": "almost", "seats": 3, "options": {"target": value}}
        yield {"game": "almost", "seats": 3, "options": {"mode": value}}
        yield {"game": "almost", "seats": 3, "options": {"timers": value, "x": value}}


@ASYNC
async def test_tables_with_wrong_fields_get_advice(live_hub: LiveHub) -> None:
    """H3, H8"""
    async with live_hub.http() as http:
        people = [await Person.come(live_hub, http, f"Maker {i}") for i in range(5)]
        for i, wanted in enumerate(wrong_tables()):
            got = await people[i % 5].prompt("/api/rooms", **wanted)
            assert got.status_code in (201, 400, 422, 429), (wanted, got.text)
            assert got.status_code == 201 or set(got.json()) >= {"code", "advice"}


REFUSED_OPTIONS: tuple[tuple[dict[str, Any], str, str], ...] = (
    (
        {"game": "almost", "seats": 3, "options": {"target": 100}},
        "OUT_OF_REACH",
        "With this many seats, nobody could ever reach that many points. Lower the points or add seats.",
    ),
    (
        {"game": "subdivision", "seats": 3, "options": {"parks": "hostDraws", "pattern": "a1"}},
        "PATTERN",
        "Name 4 different squares on the board.",
    ),
    (
        {"game": "almost", "seats": 3, "options": {"target": 101}},
        "BAD_OPTIONS",
        "The option target must be a whole number, 1-100.",
    ),
    (
        {"game": "almost", "seats": 3, "options": {"mode": "x" * 5_000}},
        "BAD_OPTIONS",
        'The option mode must be one of "almost", "banbury".',
    ),
    (
        {"game": "takeover", "seats": 3, "options": {"x" * 5_000: 1}},
        "BAD_OPTIONS",
        f"Takeover has no option {'x' * 59}…: it has draftSuits, holdings, trading, tradeLog, "
        "voluntaryCashOut, exactPay, timers.",
    ),
    (
        {"game": "almost", "seats": 3, "x" * 5_000: 1},
        "BAD_FIELD",
        f"Object contains unknown field `{'x' * 59}….",
    ),
)


GET = b"GET /api/rooms HTTP/1.1\r\nHost: localhost\r\n\r\n"
UNREADABLE: dict[str, bytes] = {
    "garbage": b"\x00\x01\x02\r\n\r\n",
    "a version of its own": b"GET / HTTP/9.9\r\n\r\n",
    "a strange method": b"FETCH / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a bad header": b"GET / HTTP/1.1\r\nHost: localhost\r\nb\xe4d\r\n\r\n",
    "two lengths": POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
}


@ASYNC
async def test_requests_that_cannot_be_read_are_answered_and_counted(live_hub: LiveHub) -> None:
    """H8: with a code and advice, and without a line in the log for each (see the fixture)."""
    name = 'parley_http_requests_total{status="400"}'
    before = await live_hub.figure(name)
    for what, request in UNREADABLE.items():
        head, _, body = (await answer(live_hub, request)).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 400 Bad Request\r\n"), what
        assert b"content-type: application/json" in head
        assert b"x-content-type-options: nosniff" in head
        assert json.loads(body)["code"] == "BAD_REQUEST"
    assert await live_hub.figure(name) == before + len(UNREADABLE)


@ASYNC
async def test_a_head_that_is_too_large_gets_advice(live_hub: LiveHub) -> None:
    """H8"""
    request = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * HEAD_BYTES
    head, _, body = (await answer(live_hub, request)).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 431 Request Header Fields Too Large\r\n")
    assert json.loads(body)["code"] == "HEAD_TOO_LARGE"


@ASYNC
async def test_pipelined_requests_cut_off_by_garbage_cause_no_defect(live_hub: LiveHub) -> None:
    """G8.1: nothing more is written for any of them once the connection has ended (see the fixture)."""
    for requests in (GET * 3 + b"\x00\r\n\r\n", GET * 12):
        async with await WireClient.connect(live_hub.port) as client:
            await client.say(requests)
            await client.end()


@ASYNC
async def test_a_socket_does_not_open_before_an_earlier_request_is_answered(live_hub: LiveHub) -> None:
    """G8.1: the response would be written into the socket. The request for it counts as any other."""
    async with await WireClient.connect(live_hub.port) as client, asyncio.timeout(PATIENCE):
        await client.say(GET + handshake(live_hub.port, "/ws/none"))
        for status in (b"200", b"404"):
            await client.reader.readuntil(b"HTTP/1.1 ")
            assert await client.reader.readexactly(3) == status


@ASYNC
async def test_duplicate_keys_are_refused(live_hub: LiveHub) -> None:
    """H8: refused at any depth and however it is spelled, since two readers might use different values."""
    bodies = {
        "/api/people": (b'{"name":"A","name":"A","colour":1}', b'{"name":"A","\\u006eame":"B","colour":1}'),
        "/api/rooms": (
            b'{"game":"almost","seats":3,"options":{},"seats":4}',
            b'{"game":"almost","seats":3,"options":{"target":9,"target":10}}',
            b'{"game":"almost","seats":3,"options":{"target":[{"":1,"":2}]}}',
        ),
    }
    async with live_hub.http() as http:
        person = await Person.come(live_hub, http, "Doubler")
        headers = {"authorization": f"Bearer {person.token}", "content-type": "application/json"}
        for path, wrong in bodies.items():
            for body in wrong:
                got = await http.post(path, headers=headers, content=body)
                assert (got.status_code, got.json()["code"]) == (400, "DUPLICATE_KEY"), body
        fine = b'{"game":"almost","seats":3,"options":{"target":9},"bots":null}'
        assert (await http.post("/api/rooms", headers=headers, content=fine)).status_code == 201


@ASYNC
async def test_refused_options_get_advice(live_hub: LiveHub) -> None:
    """H3: with a sentence that says what to do, and that repeats no long text."""
    async with live_hub.http() as http:
        person = await Person.come(live_hub, http, "Chooser")
        for body, code, advice in REFUSED_OPTIONS:
            got = (await person.prompt("/api/rooms", **body)).json()
            assert (got["code"], got["advice"]) == (code, advice)


@ASYNC
async def test_metrics_are_served_only_to_this_machine(live_hub: LiveHub) -> None:
    """G4.11, H13: not for a page that resolves its own name to this machine, nor through a proxy on it."""

    async def status(*headers: str) -> bytes:
        head = "".join(f"{header}\r\n" for header in ("GET /metrics HTTP/1.1", *headers, "Connection: close"))
        got = await answer(live_hub, head.encode() + b"\r\n")
        return got.split(b" ")[1]

    for host in LOOPBACK:
        assert await status(f"Host: {host}") == b"200", host
    for host in ELSEWHERE:
        assert await status(f"Host: {host}") in (b"400", b"403"), host
    assert await status() == b"403"
    for name in PROXIED:
        for value in ("127.0.0.1", "", "http"):
            assert await status("Host: 127.0.0.1", f"{name}: {value}") == b"403", name


@ASYNC
async def test_invalid_hosts_are_refused(live_hub: LiveHub) -> None:
    """H8: a Host that cannot be part of a URL is refused, and appears in no address of a socket."""
    async with live_hub.http() as http:
        person = await Person.come(live_hub, http, "Forger")
        room = (await person.place("/api/rooms", game="almost", seats=3))["room"]

        async def enter(host: str) -> bytes:
            head = f"POST /api/rooms/{room}/enter HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n"
            bearer = f"Authorization: Bearer {person.token}\r\nContent-Length: 0\r\n\r\n"
            return await answer(live_hub, (head + bearer).encode("latin-1"))

        for host in BROKEN_HOSTS:
            assert b'"code":"BAD_HOST"' in await enter(host), host
        for host in ("games.local", "box.localhost:80", "192.168.7.7:8420", "[2001:db8::1]:8420", "[::1]"):
            assert f'"socket":"ws://{host}/ws/{room}"'.encode() in await enter(host), host


@ASYNC
async def test_strange_paths_get_an_ordinary_response(live_hub: LiveHub) -> None:
    """H8: each gets an ordinary response, and nothing from outside the site."""
    paths = ["/%00", "/..%2f..%2fetc/passwd", "/" + "a" * 8_000, "/api/rooms/" + "%f0%9f%90%99" * 50, "//x"]
    paths += [
        "/api/rooms/BCDFG%7D",
        "/api/rooms/%7Broom:x%7D:head",
        "/api/rooms/x/seats/99999999999999999999",
    ]
    async with live_hub.http() as http:
        person = await Person.come(live_hub, http, "Wanderer")
        bearer = {"authorization": f"Bearer {person.token}"}
        for path in paths:
            for method in ("GET", "POST", "DELETE"):
                got = await http.request(method, path, headers=bearer)
                assert got.status_code < 500, (method, path, got.text)
                assert "root:" not in got.text


@ASYNC
async def test_endless_requests_are_cut_off(live_hub: LiveHub) -> None:
    """G8.9, H8: endless heads and bodies are cut off, and use no memory."""
    before = live_hub.memory()
    mega = b"x" * 2**20
    endless = {
        "many header fields": (POST, b"X-Field: value\r\n" * 1_000),
        "one header field": (POST + b"X-Field: ", mega),
        "an address": (b"GET /", mega),
        "before the address": (b"", b"\r\n" * 10_000),
        "a body": (POST + b"Content-Length: 1000000000\r\n\r\n", mega),
        "a body in chunks": (POST + b"Transfer-Encoding: chunked\r\n\r\n", b"100000\r\n" + mega + b"\r\n"),
        "a body nobody reads": (b"GET /healthz HTTP/1.1\r\nContent-Length: 1000000000\r\n\r\n", mega),
        "after a handshake": (handshake(live_hub.port, "/ws/x") + b"\x82\xff" + b"\x7f" * 8, mega),
    }
    for name, (head, part) in endless.items():
        sent, got = await pour(live_hub, head, part, 64 * 2**20)
        assert sent < 64 * 2**20, name
        assert not got or b"HTTP/1.1" in got[:10], (name, got[:100])
    assert live_hub.memory() - before < 32 * 2**20


@ASYNC
async def test_unfinished_requests_are_cut_off(live_hub: LiveHub) -> None:
    """G8.6, H8: sockets without a hello, and heads and bodies that trickle, are all cut off within seconds,
    while people create a table and talk."""
    trickling = {
        "nothing": b"",
        "half a head": b"GET /healthz HTTP/1.1\r\nHost",
        "blank lines": b"\r\n",
        "half a body": POST + b"Content-Length: 100\r\n\r\n{",
        "half a chunk": POST + b"Transfer-Encoding: chunked\r\n\r\n10\r\n{",
        "a second head": b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /",
        "blank lines after a request": b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n\r\n",
        "a body nobody reads": b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx",
        "half a handshake": handshake(live_hub.port, "/ws/x")[:-4],
        "no hello": handshake(live_hub.port, "/ws/x"),
        "half a frame": handshake(live_hub.port, "/ws/x") + b"\x82\xfe",
    }
    ended = await asyncio.gather(
        *(answer(live_hub, request) for request in trickling.values() for _ in range(30)), talk(live_hub)
    )
    answers = dict(zip(trickling, ended[::30], strict=False))
    assert b"408" in answers["half a body"].split(b"\r\n")[0]
    for name in ("no hello", "half a frame"):
        assert b"HELLO_FIRST" in answers[name]
        assert b"\x0f\xa0" in answers[name]  # 4000


async def talk(live_hub: LiveHub) -> bytes:
    async with live_hub.http() as http:
        sitting = await table(live_hub, http)
        for socket in sitting.sockets * 10:
            assert "code" not in await socket.command("say", channel="table", text="no trouble at all")
        await sitting.leave()
    return b""


@ASYNC
async def test_sockets_cut_while_connecting_leave_nothing_behind(live_hub: LiveHub) -> None:
    """G8.9: nothing is left of sockets that were cut at any point while connecting."""
    async with live_hub.http() as http:
        sitting = await table(live_hub, http)
        seats = await live_hub.figure('parley_sockets{kind="seat"}')
        hello = Socket(await WireClient.open(live_hub.port, f"/ws/{sitting.room}"))
        for turn in range(60):
            async with await WireClient.connect(live_hub.port) as client:
                await client.say(handshake(live_hub.port, f"/ws/{sitting.room}"))
                if turn % 3:
                    await client.answer()
                if turn % 3 == 2:
                    await Socket(client).say(t="hello", ticket=sitting.places[turn % 2]["ticket"])
        await hello.hello(sitting.places[2]["ticket"])
        await hello.until(lambda: hello.sections["presence"]["connected"] == [True, True, True])
        await hello.cut()
        assert await live_hub.settled('parley_sockets{kind="seat"}', seats) == seats
        await sitting.leave()
