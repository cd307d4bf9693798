"""Votes while hubs die: each person counts once, and what was decided happens once (R20)."""

from __future__ import annotations

import asyncio

import pytest

from tests.chaos.conftest import Hubs
from tests.chaos.test_takeover import end_lease, switch_hub
from tests.harness.players import Table, everybody
from tests.harness.processes import StoreProcess

pytestmark = pytest.mark.asyncio
OPTIONS = {"discussion": "none", "timers": "off"}


@pytest.mark.parametrize("point", ["before the commit", "store has answered", "verdict made", "all told"])
async def test_killed_at_the_last_votes(point: str, hubs: Hubs, store: StoreProcess) -> None:
    """R20, R21, G2.1, G6.1: two people end the game at once; their votes are sent again to another hub."""
    one, two = hubs(), hubs()
    async with await Table.made(one.url, seats=4, options=OPTIONS, open=True) as table:
        await table.start()
        caller, *voters = table.players
        await caller.do("manage", act={"do": "call_vote", "kind": "end"})
        await everybody(voters, lambda knows: "vote" in knows.sections)
        one.arm(point)
        votes = [await voter.send("manage", act={"do": "vote", "number": 1, "yes": True}) for voter in voters]
        await asyncio.to_thread(one.ended)
        await end_lease(store, one)
        for player in table.players:
            await player.gone()
            await switch_hub(player, two)
        for player in table.players:
            await player.answered()
        await everybody(table.players, lambda knows: knows.status == "finished")
        codes = [voter.knows.code(n) for voter, n in zip(voters, votes, strict=True)]
        assert set(codes) <= {None, "NO_SUCH_VOTE"}
        assert codes.count(None) >= 2, "three of four decide"
        for knows in table.followers:
            assert knows.sections["table"]["abandoned"]
            keys = [line[1] for line in knows.lines.values()]
            assert [keys.count(f"table.{key}") for key in ("vote_called", "vote_passed", "abandoned")] == [
                1
            ] * 3
