"""Races for prisoners in So Long Sucker, through two hubs' actors and a real store: 20,000 of each kind.

A transfer arrives as the rescue runs out; two holders rescue at once; chips are given away just as they are
killed. In other races a card kills or takes them, or everybody refuses and one seat changes its mind. The
sides of a race are sent in random order, within a tick in which windows end, and mixed with those of other
races. In between, tables move from hub to hub, as in `test_offers`: a command sent to one hub may be
processed by the other.

After each tick every verdict has the code and the rule that the rulings require (`reference_rescues.py`), the
state matches the reference version, and every client sees its chips, prompts and windows. Games start
mid-round, with prisoners everywhere.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import product
from typing import Final

import pytest

from tests.chaos.rescue_table import RescueSoak
from tests.chaos.sucker_midway import begin_midway
from tests.harness.processes import StoreProcess
from tests.harness.small_hub import SmallHub, manual_clock

pytestmark = [pytest.mark.asyncio, pytest.mark.timeout(900)]

SEATS: Final = (4, 5, 6)
PARTS: Final = 10
"""Parts for each number of seats; `pytest -m "" tests/chaos/test_rescues.py` plays them all."""
SOAKED: Final = 1
"""The number of these parts that `make soak` plays."""
ALL: Final = len(SEATS) * PARTS
ALWAYS: Final = 60 * ALL
"""An ordinary run plays the total divided by this, with four seats."""
MOST: Final = 100
"""A test gives up after this many events per required race of a given kind."""
TABLES: Final = 12
"""The number of tables open at once."""

COVERED: Final[Mapping[str, int]] = {
    "runs out": 20_000,
    "two holders": 20_000,
    "killed": 20_000,
    "runs out: rescue done": 2000,
    "runs out: rescue STALE_PROMPT GEN-4": 2000,
    "runs out: transfer done": 1500,
    "runs out: transfer DEFEATED SLS-12": 1200,
    "runs out: rescue done, rescue STALE_PROMPT GEN-4": 300,
    "two holders: rescue done, rescue STALE_PROMPT GEN-4": 2000,
    "two holders: rescue done, transfer done": 1200,
    "two holders: transfer done, rescue STALE_PROMPT GEN-4": 1500,
    "two holders: transfer done, transfer done": 1000,
    "killed: kill done, transfer NO_CHIP GEN-3": 4000,
    "killed: kill done, transfer STALE_PROMPT GEN-4": 4000,
    "killed: transfer done, kill NO_CHIP GEN-3": 4000,
    "killed: transfer done, kill STALE_PROMPT GEN-4": 4000,
    "killed: kill done, rescue NO_CHIP GEN-3": 300,
    "killed: kill done, rescue STALE_PROMPT GEN-4": 300,
    "killed: rescue done, kill NO_CHIP GEN-3": 300,
    "killed: rescue done, kill STALE_PROMPT GEN-4": 300,
    "return: return done, transfer NO_CHIP GEN-3": 150,
    "return: transfer done, return done": 150,
    "tribute: tribute done, transfer NO_CHIP GEN-3": 60,
    "tribute: transfer done, tribute NO_EFFECT SLS-24": 90,
    "in need: tribute done, kill STALE_PROMPT GEN-4": 30,
    "decided at both hubs": 300,
    "handed over": 3000,
    "taken over": 5000,
    "commit on its way": 2000,
    "answer on its way": 2000,
    "sent again": 7000,
    "repeated": 6000,
}
"""The total number of times each event must happen across all tests of a full run."""


@pytest.mark.parametrize(
    ("seats", "part", "of"),
    [
        (4, 0, ALWAYS),
        *(
            pytest.param(
                *case, ALL, marks=pytest.mark.at_length if case[1] <= SOAKED else pytest.mark.exhaustive
            )
            for case in product(SEATS, range(1, PARTS + 1))
        ),
    ],
)
async def test_rescues_end_as_the_reference_says(
    seats: int, part: int, of: int, store: StoreProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SLS-10 to SLS-15, SLS-23, SLS-24, SLS-36, GEN-3, GEN-4, G1.1, G2.1, G3.4, G5.1, G7.1, R8"""
    seed = 100 * seats + part
    monkeypatch.setattr("hub.runtime.creation.secrets.token_bytes", random.Random(seed).randbytes)
    begin_midway(monkeypatch)
    clock = manual_clock()
    one = await SmallHub("one", clock).open(store.url, "rescues:")
    two = await SmallHub("two", clock).open(store.url, "rescues:")
    try:
        soak = RescueSoak((one, two), clock, seats, seed)
        while shortfalls(soak, of) and soak.events * of < MOST * 20_000:
            await soak.fill(TABLES)
            await soak.tick()
        await soak.settled(every=5)
        assert shortfalls(soak, of) == {}
    finally:
        await one.close()
        await two.close()


def shortfalls(soak: RescueSoak, of: int) -> dict[str, int]:
    """The events that fell short of one test's share of the total, when `of` tests run."""
    met = soak.met
    return {what: met[what] for what, times in COVERED.items() if met[what] < times // of}
