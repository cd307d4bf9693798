"""R8: any hub serves any table. Real hubs on one store, and people who reach the wrong one."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx
import pytest

from tests.chaos.talking_table import TALKING, check, proposes
from tests.conftest import BUNDLED
from tests.harness.plain_http import plain_http
from tests.harness.players import Player, Table, at_hub, everybody
from tests.harness.processes import HubProcess, StoreProcess

pytestmark = pytest.mark.asyncio

SECRET: Final = "s" * 32
FAULTS: Final = ("Traceback", '"exception"', "failed", '"level": "error"')


class Hubs(NamedTuple):
    one: HubProcess
    two: HubProcess
    store: StoreProcess


@pytest.fixture
def hubs() -> Iterator[Hubs]:
    with tempfile.TemporaryDirectory(prefix="parley-") as name:
        folder = Path(name)
        with StoreProcess(BUNDLED, folder) as store:
            settings: dict[str, Any] = {"redis_url": store.url, "secret": SECRET, "rate": "1000"}
            made = [HubProcess(folder / f"hub{i}", **settings) for i in range(2)]
            with made[0], made[1]:
                yield Hubs(made[0], made[1], store)
            for hub in made:
                assert [line for line in hub.lines if any(fault in line for fault in FAULTS)] == []


async def post(hub: HubProcess, path: str, player: Player) -> httpx.Response:
    async with plain_http(hub.url) as http:
        return await http.post(path, headers={"authorization": f"Bearer {player.token}"})


async def metric(hub: HubProcess, name: str) -> float:
    async with plain_http(hub.url) as http:
        text = (await http.get("/metrics")).text
    return sum(float(line.rpartition(" ")[2]) for line in text.splitlines() if line.startswith(name))


async def come_through(hub: HubProcess, *players: Player) -> None:
    """Have these people's sockets reach this hub from now on."""
    for player in players:
        player.address = at_hub(player.address, hub.url)
    await asyncio.gather(*(player.resume() for player in players))


async def test_people_play_through_any_hub(hubs: Hubs) -> None:
    """At a table of the first hub, one plays there, two through the second; one watches through it."""
    one, two, store = hubs
    async with await Table.made(one.url, options=TALKING) as table:
        here, *there = table.players
        await come_through(two, *there)
        eve = await newcomer(two, "Eve", table.room)
        await eve.resume()
        table.players.append(eve)
        await table.start()
        for player in (here, *there):
            await proposes(player, 1, 2, 3)
            await proposes(player, 4, 5, player.knows.seat or 0)
            await player.answered()
        await everybody(table.players, lambda knows: len(knows.lines) == len(here.knows.lines))
        assert {player.knows.run for player in table.players} == {here.knows.run}
        await check(store, table)
        assert await metric(two, 'parley_relayed_frames_total{direction="to_owner"}') > 0
        assert await metric(two, "parley_rooms") == 0
        assert await metric(one, "parley_links") == 0


async def newcomer(hub: HubProcess, name: str, room: str) -> Player:
    """Somebody who enters the room through this hub."""
    async with plain_http(hub.url) as http:
        person = (await http.post("/api/people", json={"name": name, "colour": 1})).json()
        player = Player(name, person["token"], {"socket": ""})
        place = (await post(hub, f"/api/rooms/{room}/enter", player)).json()
    player.address = place["socket"]
    player.knows.ticket = place["ticket"]
    return player


async def test_requests_are_answered_by_the_owner(hubs: Hubs) -> None:
    """Also those with a body, and those that are refused; the answer is the owner's own."""
    one, two, _ = hubs
    async with await Table.made(one.url, people=1) as table:
        host = table.players[0]
        bea = await newcomer(two, "Bea", table.room)
        sat = await post(two, f"/api/rooms/{table.room}/seats/1", bea)
        assert (sat.status_code, sat.json()["seat"]) == (200, 1)
        assert sat.json()["socket"].startswith(two.url.replace("http", "ws"))
        taken = await post(two, f"/api/rooms/{table.room}/seats/0", bea)
        local = await post(one, f"/api/rooms/{table.room}/seats/0", bea)
        assert (taken.status_code, taken.json()) == (local.status_code, local.json())
        names = [name for name in taken.headers if name != "date"]
        assert names == [name for name in local.headers if name != "date"]
        async with plain_http(two.url) as http:
            headers = {"authorization": f"Bearer {bea.token}"}
            report: dict[str, Any] = {"reason": "spam", "seat": 0}
            path = f"/api/rooms/{table.room}/reports"
            assert (await http.post(path, headers=headers, json=report)).status_code == 201
            assert (await http.post(path, headers=headers, json={"reason": "?"})).status_code == 422
        assert host.closed is None


async def test_people_go_on_when_the_owner_is_killed(hubs: Hubs) -> None:
    """Their sockets close at once, and the hub that remains takes the table over."""
    one, two, store = hubs
    async with await Table.made(one.url, options=TALKING) as table:
        await come_through(two, *table.players)
        await table.start()
        await asyncio.to_thread(one.kill)
        for player in table.players:
            assert await player.gone() == 4001
        await proposes(table.players[1], 1, 2, 3)
        await table.back()
        assert await metric(two, "parley_rooms") == 1
        await check(store, table)


async def test_people_go_on_when_the_owner_is_frozen(hubs: Hubs) -> None:
    one, two, store = hubs
    async with await Table.made(one.url, options=TALKING) as table:
        await come_through(two, *table.players)
        await table.start()
        one.freeze()
        for player in table.players:
            assert await player.gone() == 4001
        await table.back()
        one.thaw()
        await proposes(table.players[1], 1, 2, 3)
        await table.players[1].answered()
        await check(store, table)


async def test_people_go_on_when_the_hub_they_reached_is_gone(hubs: Hubs) -> None:
    """The owner lets their sockets go, and welcomes them when they come by another way."""
    one, two, store = hubs
    async with await Table.made(one.url, options=TALKING) as table:
        await come_through(two, *table.players)
        await table.start()
        await asyncio.to_thread(two.kill)
        for player in table.players:
            assert await player.gone() == 1006
        await come_through(one, *table.players)
        await proposes(table.players[1], 1, 2, 3)
        await table.players[1].answered()
        assert await metric(one, 'parley_sockets{kind="seat"}') == 3
        await check(store, table)


async def test_a_hub_that_leaves_sends_its_relayed_clients_away(hubs: Hubs) -> None:
    one, two, store = hubs
    async with await Table.made(one.url, options=TALKING) as table:
        await come_through(two, *table.players)
        assert await asyncio.to_thread(two.stop) == 0
        for player in table.players:
            assert await player.gone() == 4001
        await come_through(one, *table.players)
        await table.start()
        await check(store, table)


async def test_a_stale_label_costs_one_hop(hubs: Hubs) -> None:
    """The label in a socket's address is the owner's; whoever gets the socket serves it all the same."""
    one, two, _ = hubs
    async with await Table.made(one.url) as table:
        ann, bea, cy = table.players
        assert "/ws/" in ann.address
        label = ann.address.split("/")[-2]
        bea.address = ann.address.replace(f"/{label}/", "/gone/")
        cy.address = ann.address.replace(f"/{label}/", "/")
        await asyncio.gather(bea.resume(), cy.resume())
        ann.address = at_hub(ann.address.replace(f"/{label}/", "/gone/"), two.url)
        await ann.resume()
        await table.start()
