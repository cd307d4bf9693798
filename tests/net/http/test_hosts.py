"""The names by which a hub may be addressed, against pages whose own name points at it (DNS rebinding)."""

from __future__ import annotations

import pytest

from hub.net.http.hosts import KnownHosts
from tests.net.http.world import BEARER, BROKEN_HOSTS, NEW, ROOM, World, asynchronous, refused

OURS = (
    *("localhost", "LocalHost:8420", "play.localhost", "games.local:8420", "hub.example", "HUB.EXAMPLE:8420"),
    *("127.0.0.1", "192.168.7.7:8420", "203.0.113.9", "[::1]:8420", "[2001:db8::1]"),
)
OTHERS = (
    *("rebound.example", "rebound.example:8420", "localhost.rebound.example", "127.0.0.1.rebound.example"),
    *("local", "notlocal", "hub", "www.hub.example", "hub.example.rebound.example", "1.2.3", "[::g]"),
    *("evil..com", "localhost:0", "localhost:99999", "localhost."),
)
PATHS = ("/", "/api/games", "/api/rooms", "/metrics", "/healthz", "/nothing")


@asynchronous
@pytest.mark.parametrize("host", OTHERS)
async def test_no_request_is_answered_under_another_name(host: str) -> None:
    """H14: neither pages nor tables nor metrics; the advice names the setting."""
    world = World()
    for path in PATHS:
        error = refused(await world.get(path, headers={"host": host}), 400, "BAD_HOST")
        assert "PARLEY_PUBLIC_URL" in error["advice"] or "Host" in error["advice"]
    refused(await world.post("/api/rooms", NEW, headers={**BEARER, "host": host}), 400, "BAD_HOST")
    assert world.rooms.asked == []


@asynchronous
async def test_the_hubs_own_names_are_answered() -> None:
    """H14"""
    for host in OURS:
        world = World()
        place = (await world.post(f"/api/rooms/{ROOM}/enter", headers={**BEARER, "host": host})).json()
        assert place["socket"] == f"ws://{host}/ws/{ROOM}"


@asynchronous
async def test_two_host_headers_are_refused() -> None:
    """H14, RFC 9112 section 3.2: a proxy may have used the other header."""
    world = World()
    headers = [("host", "localhost"), ("host", "localhost")]
    refused(await world.get("/api/games", headers=headers), 400, "BAD_HOST")


@asynchronous
async def test_with_a_public_url_a_proxy_may_use_any_name() -> None:
    """H14: its answers name only the public URL."""
    world = World(public_url="https://play.example.org")
    for host in ("upstream", "rebound.example", *BROKEN_HOSTS):
        headers = {**BEARER, "host": host.encode("latin-1")}
        place = (await world.post(f"/api/rooms/{ROOM}/enter", headers=headers)).json()
        assert place["socket"] == f"wss://play.example.org/ws/{ROOM}"


def test_known_names() -> None:
    """H14: for the origin of a page that opens a socket, a public URL adds only its own name."""
    hosts = KnownHosts("https://play.example.org", ("box",))
    assert all(map(hosts.is_known, ("play.example.org", "box", "localhost", "10.0.0.7", "::1", "box.local")))
    assert not any(map(hosts.is_known, (None, "", "rebound.example", "example.org", "box.rebound.example")))
    assert hosts.is_allowed("rebound.example")
    assert not KnownHosts(None, ("box",)).is_allowed("rebound.example")
    assert KnownHosts.of_this_machine(None).is_known("localhost")
