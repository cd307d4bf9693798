"""Takeover's lockstep test, run against planted leaks; it must find each of them."""

from __future__ import annotations

import inspect
import random
from typing import Any, Final

import pytest

from games.api import Seat
from games.takeover.rules.game import TAKEOVER, Takeover
from games.testing.random_play import Table
from hub.telemetry.tasks import Tasks
from tests.secrecy import leaky_takeover as leaky
from tests.secrecy.pair import Leak, new_table
from tests.secrecy.takeover_lockstep import TakeoverLockstep

CONCEALED: Final = Table(3, {"voluntaryCashOut": True})
FACES: Final = Table(4, {"holdings": "faces"})
LEAKS: Final[dict[type[Takeover], Table]] = {
    leaky.SuitOnTheTable: CONCEALED,
    leaky.StocksCounted: CONCEALED,
    leaky.OffersCounted: CONCEALED,
    leaky.SpentSuits: FACES,
    leaky.MarksCounted: CONCEALED,
    leaky.FacesInOrder: FACES,
    leaky.OffersNumbered: CONCEALED,
    leaky.DeathWithReason: CONCEALED,
    leaky.WishToldOf: CONCEALED,
    leaky.WishDies: CONCEALED,
    leaky.OwnerOfTheSubsumed: CONCEALED,
    leaky.PaidInOrder: FACES,
    leaky.BackByMarking: CONCEALED,
    leaky.TradesInFull: CONCEALED,
    leaky.WindowsOfAll: CONCEALED,
    leaky.PreviewsOfOthers: CONCEALED,
    leaky.EndByHands: CONCEALED,
}
"""Each leak, with a table at which it shows."""
FIRST: Final[dict[type[Takeover], int]] = {
    leaky.SuitOnTheTable: 9,
    leaky.SpentSuits: 11,
    leaky.MarksCounted: 5,
    leaky.DeathWithReason: 2,
    leaky.WishDies: 23,
    leaky.PaidInOrder: 13,
    leaky.BackByMarking: 54,
    leaky.TradesInFull: 1,
    leaky.WindowsOfAll: 3,
    leaky.EndByHands: 15,
}
"""The game to begin with, to find a leak soon that the earlier ones do not show; the others follow."""
VIEWERS: Final = (Seat(0), None, Seat(1))


async def hunt(tasks: Tasks, game: Any, table: Table, most: int, first: int = 0) -> None:
    """Plays games in lockstep, as seats and watchers see them, some with a seat away, until one leaks."""
    seats, options = table
    for seed in (*range(first, most), *range(first)):
        lazy = frozenset({seats - 1} if seed % 2 == 0 else ())
        chance = random.Random(seed)
        lockstep = TakeoverLockstep(game, VIEWERS[seed % 3], tasks, chance, salted=seed % 3 == 0, lazy=lazy)
        await lockstep.play(new_table(game, seats, options), 300)


@pytest.mark.parametrize(("game", "table"), LEAKS.items(), ids=[game.__name__ for game in LEAKS])
@pytest.mark.asyncio
async def test_leaks_in_the_rules_are_found(game: type[Takeover], table: Table, tasks: Tasks) -> None:
    """G4.1, G4.2, TKO-17, TKO-22 to TKO-24, TKO-28"""
    with pytest.raises(Leak):
        await hunt(tasks, game(), table, 60, FIRST.get(game, 0))


def test_every_leak_is_tried() -> None:
    kinds = {kind for _, kind in inspect.getmembers(leaky, inspect.isclass) if issubclass(kind, Takeover)}
    assert kinds - {Takeover, leaky.Telling} == set(LEAKS)


@pytest.mark.at_length
@pytest.mark.asyncio
async def test_the_sound_rules_of_takeover_leak_nothing(tasks: Tasks) -> None:
    """The real rules pass, so the tests above find nothing but the planted leaks.

    (Every run plays with them in test_takeover.py.)
    """
    for table in (CONCEALED, FACES):
        await hunt(tasks, TAKEOVER, table, 2)
