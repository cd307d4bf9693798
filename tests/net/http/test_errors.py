"""Every error is a code with advice (H8)."""

from __future__ import annotations

import io

import pytest

from hub.telemetry import log
from tests.net.http.world import (
    BEARER,
    NEW,
    ROOM,
    World,
    asynchronous,
    refused,
)


@asynchronous
@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nothing", 404, "NOT_FOUND"),
        ("POST", "/nothing", 404, "NOT_FOUND"),
        ("GET", "/api", 404, "NOT_FOUND"),
        ("GET", "/api/nothing", 404, "NOT_FOUND"),
        ("DELETE", "/api/nothing", 404, "NOT_FOUND"),
        ("GET", "/api/games/", 404, "NOT_FOUND"),
        ("GET", "/api/people", 405, "METHOD_NOT_ALLOWED"),
        ("DELETE", "/api/rooms", 405, "METHOD_NOT_ALLOWED"),
        ("PUT", f"/api/rooms/{ROOM}", 405, "METHOD_NOT_ALLOWED"),
        ("GET", f"/api/rooms/{ROOM}/enter", 405, "METHOD_NOT_ALLOWED"),
        ("POST", "/", 405, "METHOD_NOT_ALLOWED"),
        ("POST", "/healthz", 405, "METHOD_NOT_ALLOWED"),
        ("BREW", "/api/games", 405, "METHOD_NOT_ALLOWED"),
    ],
)
async def test_wrong_addresses_and_methods(method: str, path: str, status: int, code: str) -> None:
    """H8"""
    answer = await World().prompt(method, path)
    refused(answer, status, code)
    if status == 405:
        assert answer.headers["allow"]
        if path == "/api/rooms":
            assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD", "POST"}


@asynchronous
async def test_a_defect_is_logged_but_not_sent_to_the_client() -> None:
    """H8"""
    world = World()
    world.rooms.answer = KeyError("bid 7")
    said = io.StringIO()
    log.configure(stream=said, pretty=False)
    answer = await world.post("/api/rooms", NEW, headers=BEARER)
    refused(answer, 500, "DEFECT")
    assert "bid 7" not in answer.text
    assert "KeyError" in said.getvalue()
    assert "bid 7" not in said.getvalue()


@asynchronous
@pytest.mark.parametrize("host", ["", "[", "a b", "evil.example", "x:y", "x" * 3000, "\u00e4"])
async def test_strange_hosts(host: str) -> None:
    """H8"""
    headers = {**BEARER, "host": host.encode("latin-1")}
    answer = await World().post(f"/api/rooms/{ROOM}/enter", headers=headers)
    assert answer.status_code in (200, 400)
