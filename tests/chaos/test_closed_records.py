"""The record of a table that may not be watched is for those who played, at every hub and after a kill."""

from __future__ import annotations

import asyncio

import pytest

from games import GAMES
from hub.table.records import Verified, verify
from tests.chaos.conftest import Hubs
from tests.harness.plain_http import plain_http
from tests.harness.players import Player, Table, everybody

pytestmark = pytest.mark.asyncio


@pytest.fixture
def hubs(passive_hubs: Hubs) -> Hubs:
    return passive_hubs


async def test_the_record_of_a_table_closed_to_watchers(hubs: Hubs) -> None:
    """H6: only with the token of somebody who played."""
    one, other = hubs(), hubs()
    async with await Table.made(one.url, options={"discussion": "none", "timers": "fast"}) as table:
        host = table.players[0]
        await table.start()
        await host.do("manage", act={"do": "close_watching", "closed": True})
        await play(table.players)
        assert await answers(one.url, table.room, None) == (401, "NO_TOKEN")
        for url in (one.url, other.url):
            await only_players(url, table)
        await asyncio.to_thread(one.kill)
        await only_players(other.url, table)
        await asyncio.to_thread(one.start)
        await host.resume()
        await only_players(one.url, table)
        await host.do("manage", act={"do": "close_watching", "closed": False})
        assert (await answers(other.url, table.room, None))[0] == 200


async def only_players(url: str, table: Table) -> None:
    assert await answers(url, table.room, None) == (401, "NO_TOKEN")
    async with plain_http(url) as http:
        stranger = (await http.post("/api/people", json={"name": "Eve", "colour": 0})).json()["token"]
    assert await answers(url, table.room, stranger) == (403, "RECORD_CLOSED")
    for player in table.players:
        assert await answers(url, table.room, player.token) == (200, None)


async def answers(url: str, room: str, token: str | None) -> tuple[int, str | None]:
    headers = {} if token is None else {"authorization": f"Bearer {token}"}
    async with plain_http(url) as http:
        answer = await http.get(f"/api/rooms/{room}/record", headers=headers)
    if answer.status_code == 200:
        assert isinstance(verify(answer.content, GAMES), Verified)
        return 200, None
    assert "Player" not in answer.text
    return answer.status_code, answer.json()["code"]


async def play(players: list[Player]) -> None:
    """A whole game, in which the first player scores in both rounds."""
    for round in range(2):
        for seat, player in enumerate(players):
            await player.move(await prompt(player, "bid"), "lock", number=1 + seat + round)
        for player in players:
            await player.move(await prompt(player, "continue"), "continue")
    await everybody(players, lambda knows: knows.status == "finished")


async def prompt(player: Player, kind: str) -> str:
    """The id of a prompt of this kind, once it is open to this player."""
    opened: list[str] = []

    def is_open() -> bool:
        opened[:] = [
            prompt["id"]
            for prompt in player.knows.sections.get("prompts", {"prompts": []})["prompts"]
            if prompt["kind"] == kind and player.knows.seat in prompt["seats"]
        ]
        return bool(opened)

    await player.until(is_open)
    return opened[0]
