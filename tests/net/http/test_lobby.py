"""The lobby over HTTP: pages, each built at most once a second for all readers."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from starlette.requests import Request

from hub.net.http.lobby import Lobby
from hub.net.http.request_delay import RequestDelay
from hub.runtime.overload import Level, Overload
from hub.runtime.placement import LobbyPage, Rooms, Unavailable
from tests.net.http.world import World, asynchronous, refused


def builds(world: World) -> list[int]:
    """The pages requested from the rooms, in order."""
    return [asked[1] for asked in world.rooms.asked if asked[0] == "lobby"]


@asynchronous
async def test_one_build_a_second_for_all_requests() -> None:
    """Concurrent requests share a build, and so do all those of the next second."""
    world = World()
    answers = await asyncio.gather(*(world.get("/api/rooms") for _ in range(50)))
    assert {answer.status_code for answer in answers} == {200}
    world.time += 0.9
    for _ in range(50):
        assert (await world.get("/api/rooms")).status_code == 200
    assert builds(world) == [1]
    world.time += 0.2
    await world.get("/api/rooms")
    assert builds(world) == [1, 1]


@asynchronous
async def test_under_overload_pages_are_built_less_often_and_answers_wait() -> None:
    """G8.20: and all is as ever once it is over."""
    world, overload = World(), Overload()
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    lobby = Lobby(cast(Rooms, world.rooms), overload, RequestDelay(overload, sleep), lambda: world.time)
    request = Request({"type": "http", "method": "GET", "headers": [], "query_string": b""})
    await lobby.response(request)
    overload.level = Level.SLOW_LOBBY
    world.time += 4.9
    await lobby.response(request)
    assert (builds(world), waits) == ([1], [1.0])
    assert overload.spared[Level.SLOW_LOBBY] > 0
    overload.level = Level.THIN_WATCHERS
    await lobby.response(request)
    assert (builds(world), waits) == ([1, 1], [1.0])


@asynchronous
async def test_each_page_is_kept_by_itself() -> None:
    world = World()
    for path in ("/api/rooms", "/api/rooms?page=2", "/api/rooms?page=1", "/api/rooms?page=02"):
        assert (await world.get(path)).status_code == 200
    assert builds(world) == [1, 2]


@asynchronous
@pytest.mark.parametrize("page", ["0", "-1", "201", "9999", "", "two", "1.0", "²", "٣"])
async def test_pages_that_do_not_exist(page: str) -> None:
    world = World()
    refused(await world.get("/api/rooms", params={"page": page}), 422, "BAD_FIELD")
    assert builds(world) == []


@asynchronous
async def test_an_unchanged_lobby_is_not_sent_again() -> None:
    world = World()
    world.rooms.answer = LobbyPage([{"room": f"room {n}"} for n in range(50)], 2_000)
    answer = await world.get("/api/rooms")
    assert answer.json()["total"] == 2_000
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["cache-control"] == "no-cache"
    known = {"if-none-match": answer.headers["etag"]}
    world.time += 1
    again = await world.get("/api/rooms", headers=known)
    assert (again.status_code, again.content) == (304, b"")
    world.rooms.answer = LobbyPage([], 0)
    world.time += 1
    assert (await world.get("/api/rooms", headers=known)).json() == {"rooms": [], "total": 0}


@asynchronous
async def test_a_build_that_fails_is_tried_again() -> None:
    """All requests that share it get its error."""
    world = World()
    begun, held = asyncio.Event(), asyncio.Event()
    lobby = world.rooms.lobby

    async def fail_late(page: int) -> Any:
        begun.set()
        await held.wait()
        return await lobby(page)

    world.rooms.lobby = fail_late  # type: ignore[method-assign]
    world.rooms.answer = Unavailable("away.")
    asking = [asyncio.ensure_future(world.get("/api/rooms")) for _ in range(3)]
    await begun.wait()
    held.set()
    for answer in await asyncio.gather(*asking):
        refused(answer, 503, "UNAVAILABLE")
    world.rooms.answer = None
    assert (await world.get("/api/rooms")).status_code == 200
