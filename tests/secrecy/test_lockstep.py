"""G4 through the whole hub: tables that differ only in hidden facts send the same bytes."""

from __future__ import annotations

import random
from itertools import product
from typing import Any, Final

import pytest

from games.almost.rules.game import ALMOST
from games.api import Seat
from hub.telemetry.tasks import Tasks
from tests.secrecy.almost_lockstep import AlmostLockstep
from tests.secrecy.pair import Pair, new_table

ASYNC = pytest.mark.asyncio

TABLES: Final[dict[str, tuple[int, dict[str, Any]]]] = {
    "almost": (3, {"discussionSeconds": 30, "timers": "fast"}),
    "almost, talking all the time": (
        4,
        {"talkWhileBidding": True, "whispers": True, "maxBid": 4, "target": 5},
    ),
    "almost, until all are ready": (5, {"discussion": "untilReady", "whispers": True, "timers": "relaxed"}),
    "almost, without clocks": (3, {"timers": "off", "discussion": "none", "maxBid": 100, "target": 99}),
    "banbury": (4, {"mode": "banbury", "banburyRounds": 2}),
    "banbury, with talk": (
        3,
        {"mode": "banbury", "banburyRounds": 2, "discussion": "timed", "whispers": True},
    ),
    "banbury, by sums": (10, {"mode": "banbury", "scoring": "sumOfEntries", "banburyRounds": 2}),
}
VIEWERS: Final = {"watcher": None, "host": Seat(0), "seat 2": Seat(2)}
SEEDS: Final = ((3, False), (2, True))
"""Games, and whether their salts differ."""
CASES: Final = [
    pytest.param(name, viewer, seeds, id=f"{name}-{viewer}-{'some' if not marks else 'all'}", marks=marks)
    for number, (name, viewer) in enumerate(product(TABLES, VIEWERS))
    for seeds, marks in (((SEEDS[number % 2],), ()), (SEEDS, pytest.mark.at_length))
]
"""Every viewer at every table; a run plays one of the two games, and every other viewer sees other salts."""


async def played(
    tasks: Tasks, game: Any, name: str, viewer: Seat | None, *, salted: bool, seed: int
) -> set[str]:
    seats, options = TABLES[name]
    lockstep = AlmostLockstep(Pair(game, viewer, tasks), random.Random(seed), salted=salted)
    await lockstep.play(new_table(game, seats, options), 600)
    assert lockstep.pair.compared > 100
    return lockstep.visited


@pytest.mark.parametrize(("name", "viewer", "seeds"), CASES)
@ASYNC
async def test_almost_looks_the_same_with_other_secrets(
    name: str, viewer: str, seeds: tuple[tuple[int, bool], ...], tasks: Tasks
) -> None:
    """G4.1-G4.3, G4.5-G4.8: whole games, with different drafts, bids, notes, whispers and salts."""
    visited = set()
    for seed, salted in seeds:
        visited |= await played(tasks, ALMOST, name, VIEWERS[viewer], salted=salted, seed=seed)
    options = TABLES[name][1]
    expected = {
        "waiting",
        "running",
        "paused",
        "finished",
        "bid",
        "reveal",
        "end",
        "bid: other numbers",
        "restart",
    }
    if options.get("discussion", "timed" if "mode" not in options else "none") != "none":
        expected.add("discuss")
    assert expected - visited == set()
