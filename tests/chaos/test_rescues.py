"""20,000 races for prisoners of So Long Sucker, through two hubs' actors and a real store.

A transfer arrives as the rescue runs out; two holders rescue at once; chips are given away that are killed
just now, by their holder or by a card; all refuse, and somebody has another thought. The sides of a race are
said in an order drawn by chance, within a tick in which windows end, and mixed with those of other races. In
between tables go from hub to hub, as in `test_offers`: what was said to one may be decided by the other.

After each tick the code and the rule of every verdict are those read from the rulings (`slow_rescues.py`),
the state is that of the slow version, and every client sees its chips, asks and windows. Rounds begin midway,
with prisoners everywhere.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

import pytest

from tests.chaos.rescue_table import RescueFloor
from tests.chaos.sucker_midway import begin_midway
from tests.harness.processes import StoreProcess
from tests.harness.small_hub import HandTime, SmallHub

pytestmark = [pytest.mark.asyncio, pytest.mark.timeout(900)]

SEATS: Final = (4, 5, 6)
RACES: Final = 20_000
PARTS: Final = 5
"""For each number of seats; all are played by `pytest -m "" tests/chaos/test_rescues.py`."""
EACH: Final = -(-RACES // (len(SEATS) * PARTS))
ALWAYS: Final = 120
"""Races of each number of seats in every run."""
TABLES: Final = 12
"""At a time."""

COVERED: Final[Mapping[str, int]] = {
    "runs out: rescue done": 300,
    "runs out: rescue STALE_ASK GEN-4": 300,
    "runs out: transfer done": 150,
    "runs out: transfer DEFEATED SLS-12": 80,
    "runs out: rescue done, rescue STALE_ASK GEN-4": 20,
    "two holders: rescue done, rescue STALE_ASK GEN-4": 200,
    "two holders: rescue done, transfer done": 120,
    "two holders: transfer done, rescue STALE_ASK GEN-4": 120,
    "two holders: transfer done, transfer done": 100,
    "killed: kill done, transfer NO_CHIP 2b": 1500,
    "killed: kill done, transfer STALE_ASK GEN-4": 1000,
    "killed: transfer done, kill NO_CHIP 2b": 1500,
    "killed: transfer done, kill STALE_ASK GEN-4": 1000,
    "killed: kill done, rescue NO_CHIP 2b": 150,
    "killed: kill done, rescue STALE_ASK GEN-4": 100,
    "killed: rescue done, kill NO_CHIP 2b": 100,
    "killed: rescue done, kill STALE_ASK GEN-4": 100,
    "return: return done, transfer NO_CHIP 2b": 20,
    "return: transfer done, return done": 20,
    "tribute: tribute done, transfer NO_CHIP 2b": 10,
    "tribute: transfer done, tribute NO_EFFECT SLS-24": 10,
    "in need: tribute done, kill STALE_ASK GEN-4": 5,
    "decided at both hubs": 50,
    "handed over": 300,
    "taken over": 500,
    "commit on its way": 150,
    "answer on its way": 150,
    "sent again": 500,
    "repeated": 300,
}
"""How often what must have happened in all tests at length together."""


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize(
    ("races", "part"),
    [
        (ALWAYS, 0),
        *(pytest.param(EACH, part, marks=pytest.mark.at_length) for part in range(1, PARTS + 1)),
    ],
)
async def test_rescues(
    seats: int, races: int, part: int, store: StoreProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SLS-10 to SLS-15, SLS-23, SLS-24, SLS-36, GEN-3, GEN-4, G1.1, G2.1, G3.4, G5.1, G7.1, R8"""
    seed = 100 * seats + part
    monkeypatch.setattr("hub.rooms.secrets.token_bytes", random.Random(seed).randbytes)
    begin_midway(monkeypatch)
    time = HandTime()
    one = await SmallHub("one", time).open(store.url, "rescues:")
    two = await SmallHub("two", time).open(store.url, "rescues:")
    try:
        floor = RescueFloor((one, two), time, seats, seed)
        while floor.met["races"] < races:
            await floor.fill(TABLES)
            await floor.tick()
        await floor.settled(every=5)
        met = floor.met
        due = {what: times * races // RACES // 2 for what, times in COVERED.items()}
        assert {what: met[what] for what in due if met[what] < due[what]} == {}
    finally:
        await one.close()
        await two.close()
