"""A store that hangs while people play and watch: everybody sees it, and nothing is lost or shown too
early."""

from __future__ import annotations

import asyncio

import pytest

from tests.chaos.conftest import Hubs
from tests.chaos.test_time import BIDDING, WITHIN, pass_time, time_left
from tests.harness.faults import Clock
from tests.harness.follower import Follower
from tests.harness.plain_http import plain_http
from tests.harness.players import Player, Table, everybody
from tests.harness.processes import StoreProcess

pytestmark = pytest.mark.asyncio


async def watcher(url: str, room: str) -> Player:
    """Somebody who watches this table."""
    async with plain_http(url) as http:
        person = (await http.post("/api/people", json={"name": "Watcher", "colour": 9})).json()
        bearer = {"authorization": f"Bearer {person['token']}"}
        place = (await http.post(f"/api/rooms/{room}/enter", headers=bearer)).json()
    player = Player("Watcher", person["token"], place)
    await player.resume()
    return player


def stands_still(knows: Follower) -> bool:
    windows = knows.sections["windows"]
    return not windows["live"] and windows.get("stopped_by") == "store"


async def test_everybody_is_told_that_the_hub_cannot_reach_its_store(
    hubs: Hubs, store: StoreProcess, clock: Clock
) -> None:
    """G1.2, G5.4, G5.5: SIGSTOP; a move made meanwhile has no verdict and is not seen until SIGCONT."""
    hub = hubs(clock=clock)
    async with await Table.made(hub.url, seats=3, people=2, options=BIDDING) as table:
        table.players.append(await watcher(hub.url, table.room))
        await table.start()
        await pass_time(clock, 3000, hub)
        before = await time_left(table.players[0])
        store.freeze()
        move = await table.players[1].send("do", prompt="bid:1", move={"move": "lock", "number": 3})
        clock.jump(2_000)  # later, the hub could not know whether it still has the table
        await asyncio.to_thread(hub.beat)
        await everybody(table.players, stands_still)
        clock.jump(18_000)
        await asyncio.to_thread(hub.beat)
        assert move in table.players[1].knows.pending
        assert await time_left(table.players[0]) == before - WITHIN
        store.thaw()
        await pass_time(clock, 1, hub)
        await table.players[1].answered()
        assert table.players[1].knows.applied(move)
        await everybody(table.players, lambda knows: knows.sections["windows"]["live"])
        for player in table.players:
            assert "stopped_by" not in player.knows.sections["windows"]
            assert player.closed is None
        assert before - WITHIN - 1 <= await time_left(table.players[0]) <= before - WITHIN


async def test_whoever_asks_for_a_seat_meanwhile_is_answered(
    hubs: Hubs, store: StoreProcess, clock: Clock
) -> None:
    """H8: SIGSTOP; 503 says when to come back, and that the seat may be theirs; after SIGCONT it is."""
    hub = hubs(clock=clock)
    async with (
        await Table.made(hub.url, seats=3, people=2, options=BIDDING) as table,
        plain_http(hub.url) as http,
    ):
        person = (await http.post("/api/people", json={"name": "Latecomer", "colour": 9})).json()
        bearer = {"authorization": f"Bearer {person['token']}"}
        store.freeze()
        request = asyncio.create_task(http.post(f"/api/rooms/{table.room}/seats/2", headers=bearer))
        while not request.done():
            clock.jump(6000)
            await asyncio.to_thread(hub.beat)
        answer = request.result()
        assert (answer.status_code, answer.json()["code"]) == (503, "UNAVAILABLE")
        assert int(answer.headers["retry-after"]) > 0
        assert "may or may not" in answer.json()["advice"]
        store.thaw()
        await pass_time(clock, 1, hub)
        await everybody(
            table.players, lambda knows: knows.sections["table"]["seats"][2]["name"] == "Latecomer"
        )
        again = await http.post(f"/api/rooms/{table.room}/seats/2", headers=bearer)
        assert (again.status_code, again.json()["seat"]) == (200, 2)


async def test_a_report_that_may_have_been_stored_is_not_called_lost(
    hubs: Hubs, store: StoreProcess, clock: Clock
) -> None:
    """H8: the store is killed; nobody knows whether it has the report."""
    hub = hubs(clock=clock)
    async with (
        await Table.made(hub.url, seats=3, people=2, options=BIDDING) as table,
        plain_http(hub.url) as http,
    ):
        bearer = {"authorization": f"Bearer {table.players[1].token}"}
        store.kill()
        path = f"/api/rooms/{table.room}/reports"
        answer = await http.post(path, headers=bearer, json={"reason": "spam", "seat": 0})
        assert (answer.status_code, answer.json()["code"]) == (503, "UNAVAILABLE")
        assert "the report may or may not have been stored" in answer.json()["advice"]
        store.start()
