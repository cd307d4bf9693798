"""Races in Share and Share Alike, through two hubs' actors and a real store: 20,000 of each kind.

Two market acceptances for one share; a peek that is stopped as it expires; a mark that is changed as the last
seat locks. Whole games with 3 to 6 seats go through the same ticks, with time advanced by the test; a tick
processes a few of a table's commands, in random order, before and after a span of time in which peeks and
markets end. In between, tables move from hub to hub (tests/chaos/table_soak.py).

After each tick every verdict, and everything that seats see, matches `reference_races.py`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import product
from typing import Final

import pytest

from tests.chaos.racing_table import RacingSoak
from tests.harness.processes import StoreProcess
from tests.harness.small_hub import SmallHub, manual_clock

pytestmark = [pytest.mark.asyncio, pytest.mark.timeout(600)]

SEATS: Final = range(3, 7)
PARTS: Final = 5
"""Parts for each number of seats, shared out among the workers in a full run."""
SOAKED: Final = 1
"""The number of these parts that `make soak` plays; the others are `exhaustive`."""
ALL: Final = len(SEATS) * PARTS
ALWAYS: Final = 8 * ALL
"""An ordinary run plays the total divided by this."""
MOST: Final = 40
"""A test gives up after this many events per required race of a given kind."""

COVERED: Final[Mapping[str, int]] = {
    "races of shares": 20_000,
    "races of looks": 20_000,
    "races of marks": 20_000,
    "accept": 10_000,
    "accept: accepted before": 4000,  # the same offer
    "accept: traded before": 3000,  # another offer of the same share
    "accept: gave it away before": 3000,  # the share the offer asks for
    "accept: lapsed before": 2000,
    "accept: cancelled before": 240,
    "accept: declined before": 160,
    "accept: countered before": 240,
    "stop in time": 4000,
    "stop in the last second": 1600,
    "stop after it lapsed": 1600,
    "stop after it stopped": 3000,
    "last lock": 1600,
    "unlock before the last lock": 2000,
    "unlock after the last lock": 2000,
    "select before the last lock": 240,
    "select after the last lock": 80,
    "lock after the last lock": 400,
    "handed over": 1600,
    "taken over": 2000,
    "commit on its way": 400,
    "answer on its way": 400,
    "sent again": 2000,
    "repeated": 2000,
}
"""The total number of times each event must happen across all tests: commands that met, and their results.

For shares: acceptances that succeeded, or lost within a tick. For peeks: stops and expiries. For marks:
commands that change one, or try to, in the tick in which the last seat may lock."""


@pytest.mark.parametrize(
    ("seats", "part", "of"),
    [
        (4, 0, ALWAYS),
        *(
            pytest.param(
                *case, ALL, marks=pytest.mark.at_length if case[1] < SOAKED else pytest.mark.exhaustive
            )
            for case in product(SEATS, range(PARTS))
        ),
    ],
)
async def test_races_end_as_the_reference_says(
    seats: int, part: int, of: int, store: StoreProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SSA-7, SSA-28, SSA-32 to SSA-34, GEN-4, GEN-5, G1.1, G1.3, G2.1, G2.5, G3.4, G5.1, G5.2, G6.1, R8"""
    seed = 100 * seats + part + of
    monkeypatch.setattr("hub.runtime.creation.secrets.token_bytes", random.Random(seed).randbytes)
    clock = manual_clock()
    one = await SmallHub("one", clock).open(store.url, "races:")
    two = await SmallHub("two", clock).open(store.url, "races:")
    try:
        soak = RacingSoak((one, two), clock, seats, seed)
        while shortfalls(soak, of) and soak.events * of < MOST * 20_000:
            await soak.fill(20 if of == ALWAYS else 40)
            await soak.tick()
        await soak.settled(every=5)
        assert shortfalls(soak, of) == {}
    finally:
        await one.close()
        await two.close()


def shortfalls(soak: RacingSoak, of: int) -> dict[str, int]:
    """The events that fell short of one test's share of the total, when `of` tests run."""
    met = soak.met
    met["races of looks"] += sum(table.races.ended["spy"] for table in (*soak.ended, *soak.tables))
    return {what: met[what] for what in COVERED if met[what] * of < COVERED[what]}
