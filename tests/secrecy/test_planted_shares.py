"""Share and Share Alike's lockstep test, run against planted leaks; it must find each of them."""

from __future__ import annotations

import inspect
import random
from typing import Any, Final

import pytest

from games.api import Seat
from games.shares.rules.game import SHARES, ShareAlike
from hub.telemetry.tasks import Tasks
from tests.secrecy import leaky_shares as leaky
from tests.secrecy.pair import Leak, new_table
from tests.secrecy.shares_lockstep import SharesLockstep

OPTIONS: Final = {
    "rounds": "5",
    "talk": "wholeTruth",
    "openMarket": True,
    "lowball": True,
    "chance3Source": "either",
    "timers": "fast",
}
LEAKS: Final = [
    kind
    for name, kind in inspect.getmembers(leaky, inspect.isclass)
    if issubclass(kind, ShareAlike) and kind not in (ShareAlike, leaky.Telling) and not name.startswith("_")
]
LATE: Final = (
    leaky.BackByNoting,
    leaky.CardDrawn,
    leaky.CardTaken,
    leaky.LongestObservation,
    leaky.PreviewsOfOthers,
    leaky.ShowsForAll,
    leaky.TradesInFull,
    leaky.TradeTold,
    leaky.WishDies,
    leaky.WishToldOf,
)
"""Leaks that only long runs find."""
TRIED: Final = [
    pytest.param(kind, id=kind.__name__, marks=[pytest.mark.at_length] if kind in LATE else [])
    for kind in LEAKS
]
FIRST: Final[dict[type[ShareAlike], int]] = {
    leaky.DraftsCounted: 1,
    leaky.ObservationsForAll: 13,
    leaky.OffersCounted: 13,
    leaky.RandomMarks: 1,
}
"""The game to begin with, to find a leak soon that the earlier ones do not show; the others follow."""
VIEWERS: Final = (Seat(0), None, Seat(1))


async def hunt(tasks: Tasks, game: Any, most: int, first: int = 0) -> None:
    """Plays games in lockstep, as seats and watchers see them, some with a seat away, until one leaks."""
    for seed in (*range(first, most), *range(first)):
        lazy = frozenset({3} if seed % 2 else ())
        lockstep = SharesLockstep(
            game, VIEWERS[seed % 3], tasks, random.Random(seed), salted=seed % 3 == 0, lazy=lazy
        )
        await lockstep.play(new_table(game, 4, OPTIONS), 300)


@pytest.mark.parametrize("game", TRIED)
@pytest.mark.asyncio
async def test_leaks_in_the_rules_are_found(game: type[ShareAlike], tasks: Tasks) -> None:
    """G4.1, G4.2, SSA-8, SSA-31, SSA-33"""
    with pytest.raises(Leak):
        await hunt(tasks, game(), 60, FIRST.get(game, 0))


@pytest.mark.at_length
@pytest.mark.asyncio
async def test_the_sound_rules_of_shares_leak_nothing(tasks: Tasks) -> None:
    """The real rules pass, so the tests above find nothing but the planted leaks.

    (Every run plays with them in test_shares.py.)
    """
    assert len(LEAKS) > 15
    await hunt(tasks, SHARES, 1)
