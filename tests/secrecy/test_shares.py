"""G4 through the whole hub, in Share and Share Alike: cards, marks, bids, peeks, markets, trackers, end."""

from __future__ import annotations

import random
from typing import Final

import pytest

from games.api import Seat
from games.shares.rules.game import SHARES
from games.testing.random_play import Table
from hub.telemetry.tasks import Tasks
from tests.games.tables import tables
from tests.secrecy.pair import new_table
from tests.secrecy.shares_lockstep import SharesLockstep

EVERYTHING: Final = {"talk": "wholeTruth", "openMarket": True, "lowball": True, "chance3Source": "either"}
BUSY: Final = (Table(4, EVERYTHING), Table(3, {"openMarket": True, "chance4Draw": True, "timers": "fast"}))
"""The tables at which most happens; every run plays at the first."""
VIEWERS: Final = {"watcher": None, "host": Seat(0), "seat 1": Seat(1)}
KINDS: Final = (
    "select", "lowball", "turn", "hearts", "spades", "peek", "clubs", "adjust",
    "chance1", "take", "chance2", "chance4", "chance6", "draw", "market",
)  # fmt: skip
STATUSES: Final = {"waiting", "running", "paused", "select", "lowball", "action", "end", "restart"}
SECRETS: Final = {
    *(f"{kind}: other {secret}" for kind in KINDS for secret in ("cards", "deck")),
    *(f"{kind}: other marks" for kind in ("select", "lowball", "turn", "peek", "draw", "market")),
    "select: other drafts",
    "lowball: other bids",
    "market: other offers",
    "market, paused: other cards",
    "peek: other sights",
    "peek, paused: other sights",
    "take: other sights",
    "turn: other trackers shown",
    "locks, another",
    "trades, another",
    "time is up",
}
"""Hidden facts that must have differed while bytes were compared."""
OF_A_SEAT: Final = {
    "the viewer's own peek: other cards",
    "the viewer's own take: other cards",
    "the viewer proposes",
    "accepts what the viewer offered",
    "a wish for what is at one table alone",
    "offers the viewer something",
}


async def play(viewer: str, tasks: Tasks, tables: tuple[Table, ...], salted: int = 0) -> set[str]:
    """Plays a short game per table, every other one with different salts; returns which facts differed."""
    visited: set[str] = set()
    for turn, (seats, options) in enumerate(tables):
        idle = turn % 3 == 1 and options.get("timers") != "off"
        lockstep = SharesLockstep(
            SHARES,
            VIEWERS[viewer],
            tasks,
            random.Random(f"{viewer} {turn} {salted} b"),
            salted=turn % 2 == salted,
            lazy=frozenset({seats - 1} if idle else ()),
        )
        await lockstep.play(new_table(SHARES, seats, {**options, "rounds": "5"}), 900)
        assert lockstep.pair.compared > 200
        assert lockstep.pair.room.table.status == "finished"
        visited |= lockstep.visited
    return visited


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.asyncio
async def test_shares_looks_the_same_with_other_secrets(viewer: str, tasks: Tasks) -> None:
    """G4.1-G4.3, G4.5-G4.8, SSA-8, SSA-28, SSA-31, SSA-33: whole games with different secrets, to the end."""
    expected = {"select: other drafts", "turn: other cards", "peek: other cards", "market: other marks"}
    assert STATUSES | expected <= await play(viewer, tasks, BUSY[:1])


@pytest.mark.at_length
@pytest.mark.timeout(600)
@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.asyncio
async def test_shares_looks_the_same_with_other_secrets_at_every_table(viewer: str, tasks: Tasks) -> None:
    """Covers every pair of options and numbers of seats, and each kind of difference in every phase."""
    playable = (*BUSY, *BUSY, *tables("shares"))
    visited = await play(viewer, tasks, playable) | await play(viewer, tasks, playable, 1)
    assert STATUSES | SECRETS | (OF_A_SEAT if VIEWERS[viewer] is not None else set()) <= visited
