"""The number of requests one network and one person may make (H11)."""

from __future__ import annotations

import contextlib
from collections import Counter
from pathlib import Path

import pytest

from hub.net.http.errors import ApiError
from hub.runtime.overload import Level, Overload
from hub.runtime.placement import NoSuchRoom
from hub.wire.tickets import Person
from tests.harness.defaults import make_request_limits
from tests.net.http.world import (
    ANN,
    BEARER,
    CODE,
    NEW,
    ROOM,
    SIGNER,
    WALL,
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


@asynchronous
async def test_under_overload_whoever_creates_tables_waits_even_for_a_refusal() -> None:
    """G8.20: otherwise whoever asks again at once takes what everybody else gives up."""
    overload = Overload()
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    world = World(overload=overload, sleep=sleep)
    await world.post("/api/rooms", NEW, headers=BEARER)
    assert not waits
    overload.level = Level.SLOW_LOBBY
    statuses = [(await world.post("/api/rooms", NEW, headers=BEARER)).status_code for _ in range(20)]
    assert (statuses, waits) == ([201] * 19 + [429], [1.0] * 20)
    refused(await world.post("/api/lessons", {"game": "almost"}, headers=BEARER), 429, "SLOW_DOWN")
    assert (await world.get(f"/api/rooms/{ROOM}")).status_code == 200  # somebody is going to play there
    assert len(waits) == 21


@asynchronous
async def test_a_rematch_counts_as_a_new_table() -> None:
    """H11, R17: for the person who is the first to press."""
    world = World()
    path = f"/api/rooms/{ROOM}/rematch"
    async with world.client("127.0.0.1") as client:
        statuses = [(await client.post(path, json={}, headers=BEARER)).status_code for _ in range(21)]
    assert statuses == [200] * 20 + [429]
    assert world.metrics.limited == {"tables": 1}


@asynchronous
async def test_tables_per_network_are_limited() -> None:
    """H11: one network may fill no store: one table in five seconds, however many people it has."""
    world = World()
    statuses = [
        (await world.post("/api/rooms", NEW, headers=bearer(number))).status_code for number in range(63)
    ]
    assert statuses == [201] * 60 + [429] * 3
    assert world.metrics.limited == {"network tables": 3}
    assert (await world.post("/api/rooms", NEW, headers=bearer(0), address="203.0.113.8")).status_code == 201
    world.time += 10
    statuses = [(await world.post("/api/rooms", NEW, headers=bearer(70))).status_code for _ in range(3)]
    assert statuses == [201, 201, 429]


@asynchronous
async def test_only_valid_bodies_count_as_tables_and_reports() -> None:
    """H11: a client with a mistake in its body can correct it."""
    world = World()
    path = f"/api/rooms/{ROOM}/reports"
    for _ in range(25):
        refused(await world.post("/api/rooms", {**NEW, "seats": "many"}, headers=BEARER), 422, "BAD_FIELD")
        refused(await world.post(path, {"reason": "rain"}, headers=BEARER), 422, "BAD_FIELD")
    assert (await world.post("/api/rooms", NEW, headers=BEARER)).status_code == 201
    assert (await world.post(path, {"reason": "spam"}, headers=BEARER)).status_code == 201
    assert world.metrics.limited == {}


@asynchronous
async def test_a_person_changes_seats_slowly() -> None:
    """G8.15: everybody reads it each time; other people may still sit down, and this person may enter."""
    world = World()
    path = f"/api/rooms/{ROOM}"
    statuses = [
        (await world.post(f"{path}/seats/{i % 2}", headers=BEARER, address="127.0.0.1")).status_code
        for i in range(25)
    ]
    assert statuses == [200] * 20 + [429] * 5
    assert world.metrics.limited == {"seats": 5}
    assert (await world.post(f"{path}/seats/1", headers=bearer(1))).status_code == 200
    assert (await world.post(f"{path}/enter", headers=BEARER)).status_code == 200


def bearer(number: int) -> dict[str, str]:
    return {"authorization": f"Bearer {SIGNER.person_token(Person(f'p-{number}', 'Ann', 1, int(WALL)))}"}


@asynchronous
@pytest.mark.parametrize(
    "path", ["/", "/t/BCDFGH", "/api/games", "/api/key", "/metrics", "/nothing", "/api/x"]
)
async def test_every_path_is_limited(path: str) -> None:
    """H11: even paths that need no token, and paths that do not exist."""
    world = World()
    async with world.client() as client:
        statuses = [(await client.get(path)).status_code for _ in range(203)]
    assert set(statuses[:200]) <= {200, 403, 404, 503}
    assert statuses[200:] == [429] * 3
    assert world.metrics.limited == {"requests": 3}


@asynchronous
async def test_health_and_files_are_not_limited(tmp_path: Path) -> None:
    """H11: a supervisor gets an answer, and a page its scripts, however many requests a network makes."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "index.js").write_text("1")
    world = World(web=tmp_path)
    async with world.client() as client:
        for path in ("/healthz", "/readyz", "/assets/index.js"):
            assert {(await client.get(path)).status_code for _ in range(250)} == {200}
    assert world.metrics.limited == {}


@asynchronous
async def test_wrong_codes_of_the_whole_hub_slow_down_strangers_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """R14: private codes are then refused, right or wrong, unless the person is at the table."""
    world = World()
    right, wrong = "BBBBBBBC", "BBBBBBBB"

    async def describe(room: str, person: str | None = None) -> dict[str, object]:
        if room not in (right, ROOM, CODE):
            raise NoSuchRoom(room)
        return {"room": ROOM} if person == ANN.id or room != right else {"closed": True}

    monkeypatch.setattr(world.rooms, "describe", describe)
    for i in range(1000):
        refused(await world.get(f"/api/rooms/{wrong}", address=f"203.0.{i // 20}.7"), 404, "NO_SUCH_ROOM")
    for code in (right, wrong):
        for path, method in ((f"/api/rooms/{code}", world.get), (f"/api/rooms/{code}/enter", world.post)):
            bearer = {"authorization": f"Bearer {SIGNER.person_token(Person('p-eve', 'Eve', 1, int(WALL)))}"}
            refused(await method(path, headers=bearer), 429, "SLOW_DOWN")
    assert (await world.get(f"/api/rooms/{right}", headers=BEARER)).json() == {"room": ROOM}
    assert (await world.post(f"/api/rooms/{right}/enter", headers=BEARER)).status_code == 200
    for name in (ROOM, CODE):
        assert (await world.get(f"/api/rooms/{name}")).status_code == 200
    world.time += 4
    assert (await world.get(f"/api/rooms/{right}")).json() == {"closed": True}


@asynchronous
async def test_one_site_cannot_use_up_the_hubs_wrong_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    """R14, G8: a /48 or a /24 gets a tenth, whatever its networks; strangers elsewhere notice nothing."""
    world = World()
    right, wrong = "BBBBBBBC", "BBBBBBBB"

    async def describe(room: str, person: str | None = None) -> dict[str, object]:
        if room != right:
            raise NoSuchRoom(room)
        return {"closed": True}

    monkeypatch.setattr(world.rooms, "describe", describe)
    for address in ("2001:db8:5:{:x}::7", "198.51.100.{}"):
        statuses = [
            (await world.get(f"/api/rooms/{wrong}", address=address.format(i % 250))).status_code
            for i in range(150)
        ]
        assert statuses == [404] * 100 + [429] * 50
        refused(await world.get(f"/api/rooms/{right}", address=address.format(251)), 429, "SLOW_DOWN")
        refused(await world.get("/api/rooms/BCDFGH", address=address.format(251)), 404, "NO_SUCH_ROOM")
    assert (await world.get(f"/api/rooms/{right}", address="203.0.113.7")).json() == {"closed": True}
    assert (await world.get(f"/api/rooms/{right}", address="2001:db8:6::7")).json() == {"closed": True}
    assert world.metrics.limited == {"wrong codes": 102}


def test_one_site_cannot_use_up_the_hubs_reports() -> None:
    """R15, G8"""
    limits = make_request_limits(lambda: 0.0)
    for number in range(20):
        with contextlib.suppress(ApiError):
            limits.report(f"p-{number}", f"2001:db8:5:{number:x}::7")
    limits.report("p-bea", "2001:db8:6::7")
    with pytest.raises(ApiError):
        limits.report("p-eve", "2001:db8:5:99::7")


def test_reports_are_limited_by_person_network_and_hub() -> None:
    """R15, H11: a flood of reports would push out the others from the store."""
    limited = Counter[str]()
    limits = make_request_limits(lambda: 0.0, limited)

    def sent(networks: int, people: int, reports: int) -> int:
        count = 0
        for number in range(networks):
            for person in range(people):
                for _ in range(reports):
                    with contextlib.suppress(ApiError):
                        limits.report(f"{networks}-{number}-{person}", f"198.{networks}.{number}.7")
                        count += 1
        return count

    assert sent(1, 1, 9) == 5
    assert sent(2, 6, 5) == 20
    assert sent(90, 1, 5) == 75
    assert set(limited) == {"reports", "network reports", "hub reports"}
