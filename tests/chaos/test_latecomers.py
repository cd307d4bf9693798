"""Latecomers, and people who watch late, while hubs die: one holder of a seat, and nobody steps back."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from tests.chaos.conftest import Hubs
from tests.chaos.test_rematch import ask
from tests.chaos.test_takeover import end_lease, switch_hub
from tests.harness.faults import Clock
from tests.harness.follower import Follower
from tests.harness.plain_http import plain_http
from tests.harness.players import Player, Table, at_hub
from tests.harness.processes import StoreProcess

pytestmark = pytest.mark.asyncio
OPTIONS = {"discussion": "untilReady", "timers": "off"}


async def come(url: str, name: str) -> Player:
    """A person who has no place yet."""
    async with plain_http(url) as http:
        answer = await http.post("/api/people", json={"name": name, "colour": 5})
    return Player(name, answer.json()["token"], {"socket": ""})


@pytest.mark.parametrize("point", ["before the commit", "commit sent", "store has answered", "verdict made"])
async def test_killed_while_two_take_over_a_seat(point: str, hubs: Hubs, store: StoreProcess) -> None:
    """R2, R16, G6.1: whoever the store has gets in, at the other hub, too, and the log says it once."""
    one, two = hubs(), hubs()
    async with await Table.made(one.url, options=OPTIONS) as table:
        await table.start()
        ann, bea, cy = table.players
        await bea.do("manage", act={"do": "free_seat", "seat": 1})
        assert await bea.gone() == 4010
        late = [await come(one.url, name) for name in ("Dan", "Eve")]
        path = f"/api/rooms/{table.room}/seats/1"
        one.arm(point)
        answers = await asyncio.gather(
            *(ask(one.url, player, path) for player in late), return_exceptions=True
        )
        assert any(isinstance(answer, httpx.TransportError) for answer in answers)
        await asyncio.to_thread(one.ended)
        await end_lease(store, one)
        for player in (ann, cy):
            await player.gone()
            await switch_hub(player, two)
        again = await asyncio.gather(*(ask(two.url, player, path) for player in late))
        codes = sorted(answer.json().get("code", "") for answer in again)
        assert codes in (["", "SEAT_TAKEN"], ["ALREADY_SEATED", "SEAT_TAKEN"])
        entered = [(await ask(two.url, player, f"/api/rooms/{table.room}/enter")).json() for player in late]
        (holder,) = [i for i, place in enumerate(entered) if place["seat"] == 1]
        player = late[holder]
        player.address = at_hub(ann.address, two.url)
        player.knows = Follower(entered[holder]["ticket"])
        await player.resume()
        await player.do("note", text="mine")
        assert player.knows.sections["table"]["seats"][1]["name"] == player.name
        await ann.until(lambda: ann.knows.sections["table"]["seats"][1]["name"] == player.name)
        lines = [line for line in ann.knows.lines.values() if line[1] == "table.took_over"]
        assert [line[2]["name"] for line in lines] == [player.name]
        await player.drop()


async def test_a_delayed_watcher_never_steps_back(hubs: Hubs, store: StoreProcess, clock: Clock) -> None:
    """G4.13: also if the hub is killed in a pause; the next one has the watcher wait until it knows."""
    one, two = hubs(clock=clock), hubs(clock=clock)
    async with await Table.made(one.url, options=OPTIONS) as table:
        ann = table.players[0]
        await ann.do("manage", act={"do": "delay_watching", "delay": "30s"})
        await table.start()
        eve = await come(one.url, "Eve")
        place = (await ask(one.url, eve, f"/api/rooms/{table.room}/enter")).json()
        eve.address = place["socket"]
        eve.knows = Follower(place["ticket"])
        await eve.resume()
        table.players.append(eve)
        for step in range(1, 6):
            await ann.move("plan:1", "propose", bids=[step, 1, 1])
            await asyncio.to_thread(clock.advance, 2_000, one, two)
        await ann.do("manage", act={"do": "pause"})
        await asyncio.to_thread(clock.advance, 10_000, one, two)
        await ann.do("manage", act={"do": "resume"})
        await asyncio.to_thread(clock.advance, 22_000, one, two)
        before, lines = await eve.ping(), max(eve.knows.lines)
        assert eve.knows.sections["table"]["status"] == "paused"
        await asyncio.to_thread(one.kill)
        await end_lease(store, one)
        await eve.gone()
        for player in table.players[:3]:
            await switch_hub(player, two)
        refusals = 0
        eve.address = at_hub(eve.address, two.url)
        while True:
            if await eve.open():
                break
            assert eve.closed == 1013
            refusals += 1
            await asyncio.to_thread(clock.advance, 1_000, two)
        assert 0 < refusals < 60
        assert await eve.ping() >= before
        assert max(eve.knows.lines) >= lines
        assert {line[1] for line in eve.knows.lines.values()} >= {"table.paused"}
