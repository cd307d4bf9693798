"""Request bodies that are read, and bodies that are refused (H8)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from hub.net.http.requests import MAX_BODY_BYTES
from tests.net.http.world import (
    BEARER,
    World,
    asynchronous,
    refused,
)


@asynchronous
@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": "Ann"},
        {"name": "Ann", "colour": 12},
        {"name": "Ann", "colour": -1},
        {"name": "Ann", "colour": "1"},
        {"name": "Ann", "colour": 1.5},
        {"name": "Ann", "colour": True},
        {"name": 7, "colour": 1},
        {"name": None, "colour": 1},
        {"name": "x" * 300, "colour": 1},
        {"name": "Ann", "colour": 1, "person": "p-bea"},
        {"name": "Ann", "colour": 1, "x" * 5000: 1},
        [],
        "Ann",
        7,
    ],
    ids=lambda body: repr(body)[:60],
)
async def test_bad_fields(body: Any) -> None:
    """H8"""
    advice = refused(await World().post("/api/people", body), 422, "BAD_FIELD")["advice"]
    assert "x" * 61 not in advice


@asynchronous
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b'{"name":"Ann","colour":NaN}',
        b"\xff\xfe",
        b'{"name":"\xff","colour":1}',
        b'{"name":"Ann","colour":1}{}',
    ],
    ids=lambda body: repr(body[:20]),
)
async def test_invalid_json(body: bytes) -> None:
    """H8"""
    answer = await World().post("/api/people", content=body, headers={"content-type": "application/json"})
    refused(answer, 400, "BAD_JSON")


@asynchronous
@pytest.mark.parametrize(
    "options", [b'{"a":1,"a":1}', b'{"a":{"b":[{"c":1,"c":2}]}}', b'{"a":1,"\\u0061":2}', b'{"":1,"":1}']
)
async def test_a_key_twice(options: bytes) -> None:
    """H8"""
    body = b'{"game":"toy","seats":2,"options":%b}' % options
    headers = {**BEARER, "content-type": "application/json"}
    refused(await World().post("/api/rooms", content=body, headers=headers), 400, "DUPLICATE_KEY")


@asynchronous
async def test_numbers_too_long_for_python() -> None:
    """H8: Python itself refuses to read an integer of more than 4300 digits."""
    body = b'{"game":"toy","seats":2,"options":{"sides":%b}}' % (b"9" * 9000)
    headers = {**BEARER, "content-type": "application/json"}
    answer = await World().post("/api/rooms", content=body, headers=headers)
    assert answer.status_code in (201, 422), answer.text


@asynchronous
@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "application/jsonp"])
async def test_another_content_type(kind: str) -> None:
    """H8: a form on another site's page cannot send the required type without a preflight request (CORS)."""
    answer = await World().post("/api/people", content=b"{}", headers={"content-type": kind})
    refused(answer, 415, "NOT_JSON")


@asynchronous
async def test_large_bodies() -> None:
    """H8: a body is refused for its declared length or, if none is declared, for the bytes that arrive."""
    world = World()
    headers = {"content-type": "application/json; charset=utf-8"}
    fits = b'{"name":"Ann","colour":1}'.ljust(MAX_BODY_BYTES)
    assert (await world.post("/api/people", content=fits, headers=headers)).status_code == 201
    refused(await world.post("/api/people", content=fits + b" ", headers=headers), 413, "TOO_LARGE")
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while True:
            sent += 1000
            yield b" " * 1000

    refused(await world.post("/api/people", content=endless(), headers=headers), 413, "TOO_LARGE")
    assert sent <= MAX_BODY_BYTES + 2000
    for length in ("x", "-1", "1e3", "9" * 30, "0" * 5000 + "2"):
        answer = await world.post("/api/people", content=b"{}", headers={**headers, "content-length": length})
        refused(answer, 413, "TOO_LARGE")


@asynchronous
async def test_a_body_that_does_not_come() -> None:
    """H8"""
    world = World(body_seconds=0)

    async def never() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.Event().wait()

    answer = await world.post("/api/people", content=never(), headers={"content-type": "application/json"})
    assert "send it again" in refused(answer, 408, "TOO_SLOW")["advice"]
