"""100,000 interleavings of offers and conflicting commands, through two hubs' actors and a real store.

An interleaving is one command (propose, counter, accept, decline, cancel, merge, pass, cash out a stock) or
the end of one window, in random order. Tables of Takeover with 2 to 6 seats and every trading option go
through the same ticks, with time advanced by the test; a tick processes one or many of a table's commands,
before and after a span of time in which windows end. In between, tables move from hub to hub: handed over, or
taken from a hub that hung past its lease while a commit or the store's answer to it was on its way.

After each tick every verdict, line and section matches the reference market, which was written from the
rulings (`reference_market.py`); both seats in an offer were sent the same data, and other seats nothing; no
coin is lost.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import product
from typing import Final

import pytest

from tests.chaos.trading_soak import TradingSoak
from tests.harness.processes import StoreProcess
from tests.harness.small_hub import SmallHub, manual_clock

pytestmark = [pytest.mark.asyncio, pytest.mark.timeout(600)]

SEATS: Final = range(2, 7)
PARTS: Final = 5
"""Parts for each number of seats; `pytest -m "" tests/chaos/test_offers.py` plays them all."""
SOAKED: Final = 1
"""The number of these parts that `make soak` plays, in about a minute."""
EACH: Final = 100_000 // (len(SEATS) * PARTS)
ALWAYS: Final = EACH // 8
"""The number of events in every run."""
TABLES: Final = 20
"""The number of tables open at once."""

COVERED: Final[Mapping[tuple[str, ...], int]] = {
    ("accept",): 10_000,
    ("accept: accepted before",): 2000,  # the same offer
    ("accept: traded before",): 1000,  # another offer of the same coin
    ("accept: covered before",): 2000,
    ("accept: spent before",): 2000,
    ("accept: lapsed before", "accept: lapsed after"): 2000,
    ("accept: lapsed before",): 500,
    ("accept: lapsed after",): 250,
    ("accept: cannot fulfil the wish",): 2000,
    ("accept: cancelled before",): 500,
    ("accept: declined before",): 100,
    ("accept: countered before",): 100,
    ("other seats sent nothing",): 1000,
    ("handed over",): 150,
    ("taken over",): 300,
    ("commit on its way",): 100,
    ("answer on its way",): 100,
    ("sent again",): 1000,
    ("repeated",): 300,
}
"""The total number of times each event must happen across all tests; acceptances that lost their race within
one tick are listed by the event that came before."""


def shortfalls(soak: TradingSoak, events: int) -> dict[tuple[str, ...], int]:
    """What happened less often than in as many events of all tests together."""
    counts = {what: sum(soak.met[event] for event in what) for what in COVERED}
    return {what: times for what, times in counts.items() if times * 100_000 < COVERED[what] * events}


@pytest.mark.parametrize(
    ("seats", "part", "events"),
    [
        (5, 0, ALWAYS),
        *(
            pytest.param(
                *case, EACH, marks=pytest.mark.at_length if case[1] < SOAKED else pytest.mark.exhaustive
            )
            for case in product(SEATS, range(PARTS))
        ),
    ],
)
async def test_offers_end_as_the_reference_market_says(
    seats: int, part: int, events: int, store: StoreProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TKO-22 to TKO-25, GEN-3, GEN-4, G1.1, G1.3, G2.1, G2.5, G3.4, G4.1, G5.1, G5.2, G6.1, G7.1, R8"""
    seed = 100 * seats + part
    monkeypatch.setattr("hub.runtime.creation.secrets.token_bytes", random.Random(seed).randbytes)
    clock = manual_clock()
    one = await SmallHub("one", clock).open(store.url, "offers:")
    two = await SmallHub("two", clock).open(store.url, "offers:")
    try:
        soak = TradingSoak((one, two), clock, seats, seed)
        while soak.events < events or (shortfalls(soak, events) and soak.events < events * 3 // 2):
            await soak.fill(TABLES)
            await soak.tick()
        await soak.settled(every=5)
        assert shortfalls(soak, events) == {}
    finally:
        await one.close()
        await two.close()
