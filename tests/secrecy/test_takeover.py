"""G4 through the whole hub, in Takeover: suits, coins, sides, spent coins, offers and how they end, and the
end of the game."""

from __future__ import annotations

import random
from itertools import product
from typing import Final

import pytest

from games.api import Seat
from games.takeover.rules.game import TAKEOVER
from games.testing.random_play import Table
from hub.telemetry.tasks import Tasks
from tests.games.tables import tables
from tests.secrecy.pair import new_table
from tests.secrecy.takeover_lockstep import TakeoverLockstep

MORE: Final = (
    Table(3, {"voluntaryCashOut": True}),
    Table(4, {"voluntaryCashOut": True, "draftSuits": "shown"}),
)
"""Tables at which an offer may end for a reason that nobody else can see."""
VIEWERS: Final = {"watcher": None, "host": Seat(0), "seat 1": Seat(1)}
ALWAYS: Final = {("watcher", True), ("host", False), ("seat 1", True)}
"""The cases in every run."""
EVERY: Final = {"watcher": 12, "host": 12, "seat 1": 3}
"""Every run plays one table in this many: most happens to a seat that can be asked to trade."""
CASES: Final = [
    pytest.param(
        *case,
        every,
        id=f"{case[0]}-{'other salts' if case[1] else 'the same salts'}-{'some' if every > 1 else 'all'}",
        marks=() if case in ALWAYS and every > 1 else pytest.mark.at_length,
    )
    for case in product(VIEWERS, (False, True))
    for every in ((EVERY[case[0]], 1) if case in ALWAYS else (1,))
]
SECRETS: Final = {
    "draft: other coins",
    "flip: other coins",
    "flip: other marks",
    "play: other coins",
    "play: other sides",
    "play: other offers",
    "play: other spent suits",
    "merges with other coins",
    "trades with other coins",
}
"""Hidden facts that must have differed while bytes were compared."""
TO_A_SEAT: Final = {
    "offers the viewer something",
    "accepts an offer of the viewer",
    "declines an offer of the viewer",
    "takes an offer back",
    "gone for one reason or another",
    "a wish for what is at one table alone",
}


@pytest.mark.parametrize(("viewer", "salted", "every"), CASES)
@pytest.mark.asyncio
async def test_takeover_looks_the_same_with_other_secrets(
    viewer: str, salted: bool, every: int, tasks: Tasks
) -> None:
    """G4.1-G4.3, G4.5-G4.8, TKO-17, TKO-22 to TKO-24, TKO-28: whole games with different secrets.

    Each case plays one in `every` tables of a half; the halves cover every pair of options and seats.
    """
    visited = set()
    for turn, (seats, options) in enumerate((*tables("takeover")[salted::2][::every], *MORE)):
        idle = turn % 3 == 0 and options.get("timers") != "off"
        lazy = frozenset({seats - 1} if idle else ())
        chance = random.Random(f"{viewer} {turn}")
        lockstep = TakeoverLockstep(TAKEOVER, VIEWERS[viewer], tasks, chance, salted=salted, lazy=lazy)
        await lockstep.play(new_table(TAKEOVER, seats, options), 700)
        assert lockstep.pair.compared > 200
        assert lockstep.pair.room.table.status == "finished"
        visited |= lockstep.visited
    expected = {"waiting", "running", "paused", "draft", "flip", "play", "end", "restart", *SECRETS}
    assert expected | (TO_A_SEAT if VIEWERS[viewer] is not None else set()) <= visited
