"""One network and one person get only their share of a hub's tables (G8.13)."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from tests.harness.plain_http import plain_http
from tests.harness.processes import HubProcess
from tests.hostile.live_hub import LiveHub, Person, Socket


@pytest.mark.asyncio
async def test_tables_of_one_network_and_person(tmp_path: Path) -> None:
    """Over the limit, the answer says what to do and when to come back; others can still create tables."""
    with HubProcess(tmp_path, rooms="35", person_rooms="2") as hub:
        live_hub = LiveHub(hub.url, hub.pid, tmp_path)

        async def come(http: httpx.AsyncClient, network: str) -> Person:
            http.headers["x-forwarded-for"] = network
            return await Person.come(live_hub, http, "Maker")

        table = {"game": "almost", "seats": 3, "play_now": True, "bots": "hard"}
        async with plain_http(hub.url) as http:
            ann = await come(http, "203.0.113.7")
            places = [await ann.place("/api/rooms", **table) for _ in range(2)]
            refusals = [await ann.prompt("/api/rooms", **table)]
            bea = await come(http, "203.0.113.7")
            await bea.place("/api/rooms", **table)
            refusals.append(await bea.prompt("/api/rooms", **table))
            for refused in refusals:
                assert (refused.status_code, refused.json()["code"]) == (429, "TOO_MANY_TABLES")
                assert refused.headers["retry-after"] == "60"
            cat = await come(http, "198.51.100.8")
            await cat.place("/api/rooms", **table)
            for place in places:
                socket = await Socket.sit(live_hub, place)
                await socket.ping()
                await socket.cut()
        assert await live_hub.figure('parley_limited_total{limit="person rooms"}') == 1
        assert await live_hub.figure('parley_limited_total{limit="network rooms"}') == 1
        assert await live_hub.figure("parley_rooms") == 4
        assert hub.stop() == 0
