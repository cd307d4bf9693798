"""So Long Sucker's lockstep test, run against planted leaks; it must find each of them."""

from __future__ import annotations

import inspect
import random
from typing import Any, Final

import pytest

from games.api import Seat
from games.sucker.rules.game import SUCKER, Sucker
from games.testing.random_play import Table
from hub.telemetry.tasks import Tasks
from tests.secrecy import leaky_sucker as leaky
from tests.secrecy.pair import Leak, new_table
from tests.secrecy.sucker_lockstep import SuckerLockstep

PLAIN: Final = Table(4, {})
KEPT: Final = Table(5, {"deadCards": "keepCapture"})
LEAKS: Final[dict[type[Sucker], Table]] = {
    leaky.AlliesOfMover: PLAIN,
    leaky.TopOfTheStack: PLAIN,
    leaky.CapturesLeft: PLAIN,
    leaky.VoidShown: KEPT,
    leaky.RowToTheNextSeat: PLAIN,
    leaky.KindToldToAll: PLAIN,
    leaky.ReturnsShown: PLAIN,
    leaky.OnlyCapturesKept: KEPT,
    leaky.WaitsForTribute: KEPT,
    leaky.SlowWithAllies: PLAIN,
    leaky.CardOfOthersRefused: PLAIN,
    leaky.LoyaltyTold: PLAIN,
    leaky.BegunWithRows: PLAIN,
    leaky.PreviewOfTheStack: PLAIN,
    leaky.ChoicesWithKinds: PLAIN,
}
"""Each leak, with a table at which it shows."""
FIRST: Final[dict[type[Sucker], int]] = {
    leaky.OnlyCapturesKept: 9,
    leaky.WaitsForTribute: 14,
    leaky.VoidShown: 14,
    leaky.CardOfOthersRefused: 9,
    leaky.PreviewOfTheStack: 1,
    leaky.ChoicesWithKinds: 1,
}
"""The game to begin with, to find a leak soon that the earlier ones do not show; the others follow."""
VIEWERS: Final = (Seat(0), Seat(1), None)


async def hunt(tasks: Tasks, game: Any, table: Table, most: int, first: int = 0) -> None:
    """Plays games in lockstep, as seats and watchers see them, until one leaks."""
    for seed in (*range(first, most), *range(first)):
        chance = random.Random(seed)
        lockstep = SuckerLockstep(game, VIEWERS[seed % 3], tasks, chance, salted=seed % 2 == 0)
        await lockstep.play(new_table(game, *table), 400)


@pytest.mark.parametrize(("game", "table"), LEAKS.items(), ids=[game.__name__ for game in LEAKS])
@pytest.mark.asyncio
async def test_leaks_in_the_rules_are_found(game: type[Sucker], table: Table, tasks: Tasks) -> None:
    """G4.1, G4.2, SLS-2, SLS-18, SLS-19, SLS-25, GEN-3"""
    with pytest.raises(Leak):
        await hunt(tasks, game(), table, 60, FIRST.get(game, 0))


def test_every_leak_is_tried() -> None:
    kinds = {kind for _, kind in inspect.getmembers(leaky, inspect.isclass) if issubclass(kind, Sucker)}
    assert kinds - {Sucker, leaky.Telling} == set(LEAKS)


@pytest.mark.at_length
@pytest.mark.asyncio
async def test_the_sound_rules_of_sucker_leak_nothing(tasks: Tasks) -> None:
    """The real rules pass, so the tests above find nothing but the planted leaks.

    (Every run plays with them in test_sucker.py.)
    """
    for table in (PLAIN, KEPT):
        await hunt(tasks, SUCKER, table, 1)
