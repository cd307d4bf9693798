"""The number of requests one network and one person may make (H11)."""

from __future__ import annotations

import pytest

from tests.net.http.world import (
    BEARER,
    NEW,
    World,
    asynchronous,
    refused,
)


@asynchronous
async def test_requests_per_address_are_limited() -> None:
    """H11"""
    world = World()
    async with world.client() as client:
        answers = [(await client.get("/api/rooms")).status_code for _ in range(300)]
        assert answers[:200] == [200] * 200
        assert answers[200:] == [429] * 100
        answer = await client.get("/api/rooms")
        refused(answer, 429, "SLOW_DOWN")
        assert answer.headers["retry-after"] == "1"
        world.time += 1
        assert (await client.get("/api/rooms")).status_code == 200
    assert (await world.get("/api/rooms", address="203.0.113.8")).status_code == 200


@asynchronous
async def test_addresses_of_one_ipv6_network_are_one() -> None:
    """H11"""
    world = World()
    for i in range(200):
        assert (await world.get("/api/rooms", address=f"2001:db8::{i:x}")).status_code == 200
    refused(await world.get("/api/rooms", address="2001:db8::ffff"), 429, "SLOW_DOWN")
    assert (await world.get("/api/rooms", address="2001:db8:0:1::1")).status_code == 200


@asynchronous
@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
async def test_this_machine_is_not_limited_by_address(address: str) -> None:
    """H11: such requests come from the operator, or from a proxy that does its own rate limiting."""
    world = World()
    async with world.client(address) as client:
        assert {(await client.get("/api/rooms")).status_code for _ in range(250)} == {200}


@asynchronous
async def test_tables_per_person_are_limited() -> None:
    """H11: the limit applies whichever addresses they use."""
    world = World()
    async with world.client("127.0.0.1") as client:
        statuses = [
            (await client.post("/api/rooms", json=NEW, headers=BEARER)).status_code for _ in range(21)
        ]
    assert statuses == [201] * 20 + [429]
    refused(await world.post("/api/rooms", NEW, headers=BEARER, address="203.0.113.8"), 429, "SLOW_DOWN")
