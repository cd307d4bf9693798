"""Tables whose rules this hub does not have are refused with a code of their own, and never with "try
again"."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import redis.asyncio
from msgspec.structs import replace

from games import GAMES
from hub.table.room import Snapshots, unpack
from tests.chaos.conftest import Hubs
from tests.harness.plain_http import plain_http
from tests.harness.players import Table
from tests.harness.processes import StoreProcess

pytestmark = pytest.mark.asyncio

RULES = {key: registration.game for key, registration in GAMES.items()}


@pytest.mark.parametrize("changed", [{"game": "chess"}, {"version": 1_000}], ids=["game", "version"])
async def test_a_table_with_rules_of_another_version(
    hubs: Hubs, store: StoreProcess, changed: dict[str, Any]
) -> None:
    """H8, G8.1: every request answers 410, and its sockets are closed with 4012; the lobby drops it."""
    hub = hubs()
    async with await Table.made(hub.url, seats=3, people=1, open=True) as table:
        (player,) = table.players
        await table.start()
        await lists(hub.url, [table.room])
        await asyncio.to_thread(hub.kill)
        async with redis.asyncio.Redis.from_url(store.url) as client:
            head = f"parley:{{room:{table.room}}}:head"
            snapshot = await client.hget(head, "snapshot")
            assert isinstance(snapshot, bytes)
            room = unpack(snapshot, RULES)
            written = Snapshots().pack(replace(room, table=replace(room.table, **changed)))
            await client.hset(head, "snapshot", written)
        await asyncio.to_thread(hub.start)
        async with plain_http(hub.url, headers={"authorization": f"Bearer {player.token}"}) as http:
            path = f"/api/rooms/{table.room}"
            for answer in [
                await http.get(path),
                await http.get(f"{path}/record"),
                await http.post(f"{path}/enter"),
                await http.post(f"{path}/seats/1"),
                await http.get(f"/api/rooms/{room.table.code}"),
            ]:
                assert (answer.status_code, answer.json()["code"]) == (410, "OTHER_VERSION")
            assert not await player.open()
            assert (player.closed, player.heard[-1]["code"]) == (4012, "OTHER_VERSION")
        await lists(hub.url, [])


async def lists(url: str, rooms: list[str]) -> None:
    """Wait until the hub's lobby lists these rooms."""
    async with plain_http(url) as http:
        listed: list[str] | None = None
        while listed != rooms:
            listed = [room["room"] for room in (await http.get("/api/rooms")).json()["rooms"]]
