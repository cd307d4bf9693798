"""A primary that dies while people play: its Sentinels promote a replica, and the hub follows."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.chaos.conftest import BUNDLED, Hubs
from tests.chaos.talking_table import TALKING, check, proposes
from tests.harness.plain_http import plain_http
from tests.harness.players import Table
from tests.harness.sentinels import watched

pytestmark = pytest.mark.asyncio


async def test_a_failover_costs_nobody_the_connection(hubs: Hubs, folder: Path) -> None:
    """G6.4, G1.4, G2.6: each command under way gets its verdict once, from the replica that is promoted."""
    async with watched(BUNDLED, folder, replicas=2) as store:
        hub = hubs(store.url, ack="replica")
        async with await Table.made(hub.url, options=TALKING) as table:
            await table.start()
            for player in table.players:
                await proposes(player, 1, 1, 1 + (player.knows.seat or 0))
            await asyncio.gather(*(player.answered() for player in table.players))
            store.primary.freeze()
            for player in table.players:
                await proposes(player, 2, 1, 1 + (player.knows.seat or 0))
                await player.ping()  # the hub has received it, and still answers
            store.primary.kill()
            await asyncio.gather(*(player.answered() for player in table.players))
            await check(await store.find_promoted(), table)
            assert [player.closed for player in table.players] == [None] * 3
            assert {len(player.knows.runs) for player in table.players} == {1}


async def test_the_hub_says_that_the_next_failover_stops_verdicts(hubs: Hubs, folder: Path) -> None:
    async with watched(BUNDLED, folder, replicas=1) as store:
        hub = hubs(store.url, ack="replica:1")
        async with plain_http(hub.url) as http:
            ready = await http.get("/readyz")
        assert ready.status_code == 200
        assert "no move would be confirmed" in ready.json()["caution"]
