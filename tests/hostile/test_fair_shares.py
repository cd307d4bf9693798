"""One person with many sockets, and many watchers, against a real hub: each gets only a share (G8.9, G8.11).

The budgets of this hub do not refill, so that every count is exact. Each test has its own tables.
"""

from __future__ import annotations

from typing import Any, Final

import httpx
import pytest

from tests.hostile.live_hub import LiveHub, Person, Socket, table

SETTINGS: Final = {
    "talk_per_seat": "0.0001/10",
    "talk_of_seats": "0.0001/25",
    "talk_per_watcher": "0.0001/3",
    "talk_of_watchers": "0.0001/7",
    "watchers_per_table": "12",
    "sockets_per_person": "20",
}
ASYNC = pytest.mark.asyncio


async def watch(live_hub: LiveHub, http: httpx.AsyncClient, room: str, name: str) -> dict[str, Any]:
    """A new person's place among the watchers."""
    return await (await Person.come(live_hub, http, name)).place(f"/api/rooms/{room}/enter")


async def say(sockets: list[Socket], channel: str, count: int) -> list[str | None]:
    """The verdicts on this many messages, each from the next socket."""
    verdicts = [
        await sockets[i % len(sockets)].command("say", channel=channel, text="x" * 500) for i in range(count)
    ]
    for verdict in verdicts:
        assert ("seconds" in verdict.get("args", {})) == (verdict.get("code") == "SLOW_DOWN"), verdict
    return [verdict.get("code") for verdict in verdicts]


@ASYNC
async def test_a_seat_says_no_more_through_eight_sockets(live_hub: LiveHub) -> None:
    """G8.11: its sockets share a budget, and all seats another; whispers and watchers have their own."""
    async with live_hub.http() as http:
        sitting = await table(live_hub, http, seats=4)
        tabs = [await Socket.sit(live_hub, sitting.places[1]) for _ in range(4)]
        before = await live_hub.figure('parley_limited_total{limit="seat talk"}')
        assert await say(tabs, "table", 14) == [None] * 10 + ["SLOW_DOWN"] * 4
        assert await say([sitting.sockets[2]], "table", 10) == [None] * 10
        assert await say([sitting.sockets[0]], "table", 6) == [None] * 5 + ["SLOW_DOWN"]
        assert await say([sitting.sockets[3]], "table", 1) == ["SLOW_DOWN"]
        assert await live_hub.figure('parley_limited_total{limit="seat talk"}') == before + 6
        watcher = await Socket.sit(live_hub, await watch(live_hub, http, sitting.room, "Eve"))
        assert await say([watcher], "watchers", 1) == [None]
        for socket in (*tabs, watcher):
            await socket.cut()
        await sitting.leave()


@ASYNC
async def test_watchers_share_what_they_may_say(live_hub: LiveHub) -> None:
    """G8.11: each person has a budget, and all of a table another; seats and other tables are unaffected."""
    async with live_hub.http() as http:
        sitting, other = await table(live_hub, http), await table(live_hub, http)
        sockets = []
        for name in ("Eve", "Fay", "Gil"):
            place = await watch(live_hub, http, sitting.room, name)
            sockets.append([await Socket.sit(live_hub, place) for _ in range(3)])
        before = await live_hub.figure('parley_limited_total{limit="watcher talk"}')
        assert await say(sockets[0], "watchers", 5) == [None] * 3 + ["SLOW_DOWN"] * 2
        assert await say(sockets[1], "watchers", 4) == [None] * 3 + ["SLOW_DOWN"]
        assert await say(sockets[2], "watchers", 2) == [None, "SLOW_DOWN"]
        assert await live_hub.figure('parley_limited_total{limit="watcher talk"}') == before + 4
        assert await say([sitting.sockets[0]], "table", 1) == [None]
        there = await Socket.sit(live_hub, await watch(live_hub, http, other.room, "Eve"))
        assert await say([there], "watchers", 1) == [None]
        for socket in (*(socket for group in sockets for socket in group), there):
            await socket.cut()
        await sitting.leave()
        await other.leave()


@ASYNC
async def test_sockets_of_a_watcher_and_watchers_of_a_table_are_limited(live_hub: LiveHub) -> None:
    """G8.9: a person's ninth socket closes their first; at a full table, the error says to come back
    later."""
    async with live_hub.http() as http:
        sitting = await table(live_hub, http)
        eve = await watch(live_hub, http, sitting.room, "Eve")
        tabs = [await Socket.sit(live_hub, eve) for _ in range(9)]
        assert await tabs[0].until_closed() == 4011
        fay = await watch(live_hub, http, sitting.room, "Fay")
        others = [await Socket.sit(live_hub, fay) for _ in range(4)]
        full = await Socket.open(live_hub, sitting.room)
        await full.say(t="hello", ticket=fay["ticket"])
        assert await full.until_closed() == 4013
        assert [(message["t"], message["code"]) for message in full.heard] == [("error", "TABLE_FULL")]
        assert "try again" in full.heard[0]["advice"]
        seat = await Socket.sit(live_hub, sitting.places[0])
        assert await say([seat], "table", 1) == [None]
        await others.pop().cut()
        await live_hub.settled('parley_sockets{kind="watcher"}', 11)
        others.append(await Socket.sit(live_hub, fay))
        assert await live_hub.figure('parley_limited_total{limit="place sockets"}') == 1
        assert await live_hub.figure('parley_limited_total{limit="watchers"}') == 1
        for socket in (*tabs, *others, full, seat):
            await socket.cut()
        await sitting.leave()


@ASYNC
async def test_a_persons_sockets_on_a_hub_are_limited(live_hub: LiveHub) -> None:
    """G8.9: beyond it, their oldest closes, at whichever table it is."""
    async with live_hub.http() as http:
        sitting = [await table(live_hub, http) for _ in range(3)]
        eve = await Person.come(live_hub, http, "Eve")
        places = [await eve.place(f"/api/rooms/{at.room}/enter") for at in sitting]
        tabs = [await Socket.sit(live_hub, place) for place in places for _ in range(7)]
        assert await tabs[0].until_closed() == 4011
        await tabs[1].ping()
        assert await live_hub.figure('parley_limited_total{limit="person sockets"}') == 1
        for tab in tabs:
            await tab.cut()
        for at in sitting:
            await at.leave()
