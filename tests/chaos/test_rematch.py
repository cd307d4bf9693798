"""Playing again while hubs die: one next table, with everybody's own seat in it."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from tests.chaos.conftest import Hubs
from tests.chaos.test_closed_records import play
from tests.chaos.test_takeover import end_lease, switch_hub
from tests.harness.plain_http import plain_http
from tests.harness.players import Player, Table
from tests.harness.processes import StoreProcess
from tests.store.contents import raw_client

pytestmark = pytest.mark.asyncio

OPTIONS = {"discussion": "none", "timers": "fast"}


async def ask(url: str, player: Player, path: str, **body: Any) -> httpx.Response:
    """Asks this hub, and once the one that it names; tries again while the table has no live owner."""
    method = "GET" if path.count("/") == 3 else "POST"
    async with plain_http(url) as http:
        bearer = {"authorization": f"Bearer {player.token}"}
        while True:
            answer = await http.request(method, path, headers=bearer, json=body)
            if answer.status_code == 409 and answer.json()["code"] == "MOVED":
                try:
                    return await http.request(method, answer.json()["url"] + path, headers=bearer, json=body)
                except httpx.TransportError:
                    continue  # that hub is dead, and this one will learn it
            if answer.status_code != 503:
                return answer


async def press(url: str, player: Player, room: str, **wish: Any) -> str:
    answer = await ask(url, player, f"/api/rooms/{room}/rematch", **wish)
    assert answer.status_code == 200, answer.text
    following: str = answer.json()["room"]
    return following


async def list_rooms(store: StoreProcess) -> set[str]:
    """The ids of all rooms in the store."""
    async with raw_client(store) as client:
        heads: list[Any] = await client.keys("*}:head")
    return {head.decode().partition("{room:")[2].partition("}")[0] for head in heads}


@pytest.mark.parametrize(
    ("point", "survives"), [("before creating", False), ("before creating", True), ("created", False)]
)
async def test_killed_while_the_next_table_is_created(
    point: str, survives: bool, hubs: Hubs, store: StoreProcess
) -> None:
    """R17, G6.1: what the first press chose holds, whoever creates it; `survives`: another hub does."""
    one, two = hubs(), hubs()
    async with await Table.made(one.url, options=OPTIONS) as old:
        await old.start()
        await play(old.players)
        ann, bea, cy = old.players
        one.arm(point)
        with pytest.raises(httpx.TransportError):
            await press(one.url, bea, old.room, game="shares", rotated=True)
        await asyncio.to_thread(one.ended)
        assert len(await list_rooms(store)) == (2 if point == "created" else 1)
        if survives:
            await end_lease(store, one)
            url = two.url
        else:
            await asyncio.to_thread(one.start)
            url = one.url
        rooms = await asyncio.gather(*(press(url, player, old.room) for player in (cy, ann, cy, bea)))
        (room,) = set(rooms)
        assert await list_rooms(store) == {old.room, room}

        described = (await ask(url, ann, f"/api/rooms/{room}")).json()
        assert (described["game"], described["host"], described["taken"]) == ("shares", "Player A", 3)
        for player, seat in ((bea, 0), (cy, 1), (ann, 2)):
            place = (await ask(url, player, f"/api/rooms/{room}/enter")).json()
            assert place["seat"] == seat


async def test_an_old_link_creates_the_next_table(hubs: Hubs, store: StoreProcess) -> None:
    """R17: somebody who only follows the old link finds the next table, though its hub died before it was
    created; so does a hub that does not own the old one."""
    one, two = hubs(), hubs()
    async with await Table.made(one.url, options=OPTIONS) as old:
        await old.start()
        await play(old.players)
        one.arm("before creating")
        with pytest.raises(httpx.TransportError):
            await press(one.url, old.players[0], old.room)
        await asyncio.to_thread(one.ended)
        await end_lease(store, one)
        for player in old.players:
            await player.gone()
        await switch_hub(old.players[1], two)
        room = old.players[1].knows.sections["rematch"]["room"]
        assert await list_rooms(store) == {old.room}
        late = await ask(two.url, old.players[2], f"/api/rooms/{old.room}/enter")
        assert late.status_code == 200
        assert await list_rooms(store) == {old.room, room}
