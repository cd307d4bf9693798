"""The exchange of salts before a game, over real sockets: one round trip, one silent seat, one killed hub."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from games import GAMES
from hub.table.records import Verified, verify
from hub.table.salt_exchange import REVEAL_TIMEOUT_MS, hash_salt
from tests.chaos.conftest import Hubs
from tests.chaos.test_closed_records import play
from tests.harness.faults import Clock
from tests.harness.plain_http import plain_http
from tests.harness.players import Player, Table, everybody

pytestmark = pytest.mark.asyncio

SALTS = ("a1" * 32, "b2" * 32, "c3" * 32)
NEXT = ("d4" * 32, "e5" * 32, "f6" * 32)
OPTIONS = {"discussion": "none", "timers": "fast"}


async def commit(table: Table) -> None:
    for player, salt in zip(table.players, SALTS, strict=True):
        await player.do("manage", act={"do": "commit_salt", "salt_hash": hash_salt(salt)})


async def start(table: Table) -> None:
    await table.players[0].do("manage", act={"do": "start"})
    await everybody(table.players, lambda knows: section(knows)["salt_hashes"] is not None)


async def reveal(player: Player, seat: int, salts: tuple[str, ...] = SALTS) -> None:
    act = {"do": "reveal_salt", "salt": salts[seat], "next_hash": hash_salt(NEXT[seat])}
    await player.do("manage", act=act)


def section(knows: Any) -> dict[str, Any]:
    table: dict[str, Any] = knows.sections["table"]
    return table


async def read_record(table: Table, url: str) -> Verified:
    async with plain_http(url) as http:
        answer = await http.get(f"/api/rooms/{table.room}/record")
    report = verify(answer.content, GAMES)
    assert isinstance(report, Verified), report
    return report


async def test_every_client_adds_to_the_dice(hubs: Hubs) -> None:
    """G7.3: hashes first, then salts, then the game; at the end all of it can be checked."""
    hub = hubs()
    async with await Table.made(hub.url, options=OPTIONS) as table:
        await commit(table)
        await start(table)
        shown = section(table.players[1].knows)
        assert shown["salt_hashes"] == [hash_salt(salt) for salt in SALTS]
        assert shown["status"] == "waiting"
        for seat in (1, 2, 0):
            assert section(table.players[2].knows)["salts"] is None
            await reveal(table.players[seat], seat)
        await everybody(table.players, lambda knows: knows.status == "running")
        await play(table.players)
        ended = section(table.players[1].knows)
        assert ended["salts"] == list(SALTS)
        assert hash_salt(ended["seed"]) == shown["seed_hash"]
        report = await read_record(table, hub.url)
        assert (report.salts, report.restarts) == (SALTS, 0)


async def test_a_killed_hub_and_a_silent_seat(hubs: Hubs, clock: Clock) -> None:
    """G6.1, G7.3: the next owner goes on with the salts that are stored, and leaves out who is silent."""
    one, other = hubs(clock=clock), hubs(clock=clock)
    async with await Table.made(one.url, options=OPTIONS) as table:
        host, silent, third = table.players
        await commit(table)
        await start(table)
        await reveal(host, 0)
        seed_hash = section(third.knows)["seed_hash"]
        await asyncio.to_thread(one.kill)
        await asyncio.to_thread(one.start)
        await table.back()
        assert section(third.knows)["salt_hashes"] == [hash_salt(salt) for salt in SALTS]
        await reveal(third, 2)
        assert third.knows.status == "waiting"
        await asyncio.to_thread(clock.advance, REVEAL_TIMEOUT_MS + 1, one, other)
        await everybody(table.players, lambda knows: section(knows)["restarts"] == 1)
        shown = section(silent.knows)
        assert shown["salt_hashes"] == [hash_salt(NEXT[0]), "", hash_salt(NEXT[2])]
        assert shown["seed_hash"] != seed_hash
        for seat, player in ((2, third), (0, host)):
            await reveal(player, seat, NEXT)
        await everybody(table.players, lambda knows: knows.status == "running")
        await play(table.players)
        report = await read_record(table, other.url)
        assert (report.salts, report.restarts) == ((NEXT[0], "", NEXT[2]), 1)
