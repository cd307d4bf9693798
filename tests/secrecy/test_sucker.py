"""G4 through the whole hub, in So Long Sucker: others' rows, the stack, cards, the end of a round."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product
from typing import Final

import pytest

from games.api import Seat
from games.sucker.rules.game import SUCKER
from games.testing.random_play import Table
from hub.telemetry.tasks import Tasks
from tests.games.tables import tables
from tests.secrecy.pair import new_table
from tests.secrecy.sucker_lockstep import SuckerLockstep

TABLES: Final = (
    Table(4, {"rounds": 2}),
    Table(5, {"deadCards": "keepCapture", "selfBlackmail": True, "rounds": 2}),
    Table(6, {"blackmailFaces": "public", "timers": "fast"}),
    Table(4, {"timers": "off", "deadCards": "keepCapture"}),
)
PAIRED: Final = [Table(seats, {**options, "rounds": 2}) for seats, options in tables("sucker")]
"""Tables with every pair of options and numbers of seats, except for the number of rounds."""
VIEWERS: Final = {"watcher": None, "host": Seat(0), "seat 2": Seat(2)}
ALWAYS: Final = {("watcher", True), ("host", False), ("seat 2", True)}
"""The cases in every run."""
CASES: Final = [
    pytest.param(
        *case,
        id=f"{case[0]}-{'other salts' if case[1] else 'the same salts'}",
        marks=() if case in ALWAYS else pytest.mark.at_length,
    )
    for case in product(VIEWERS, (False, True))
]
SECRETS: Final = {
    f"{phase}: other {what}"
    for phase in ("turn", "choose", "kill", "rescue")
    for what in ("rows", "cards held", "cards void")
} | {"turn: other stack", "choose: other stack", "a card was to be shown"}
"""Hidden facts that must have differed while bytes were compared."""
BY_A_SEAT: Final = {
    *(f"{move} of the viewer" for move in ("place", "giveMove", "kill", "continue")),
    "the viewer looks ahead",
    "the viewer is refused",
}


async def played(viewer: str, salted: bool, some: Sequence[Table], tasks: Tasks, first: int = 0) -> set[str]:
    """Plays games numbered from `first` at these tables, and returns where something hidden differed."""
    visited = set()
    for turn, (seats, options) in enumerate(some, first):
        chance = random.Random(f"table {viewer} {salted} {turn}")
        lockstep = SuckerLockstep(SUCKER, VIEWERS[viewer], tasks, chance, salted=salted)
        await lockstep.play(new_table(SUCKER, seats, options), 4000)
        assert lockstep.pair.compared > 200
        assert lockstep.pair.room.table.status == "finished"
        visited |= lockstep.visited
    return visited


@pytest.mark.parametrize(("viewer", "salted"), CASES)
@pytest.mark.asyncio
async def test_sucker_looks_the_same_with_other_secrets(viewer: str, salted: bool, tasks: Tasks) -> None:
    """G4.1-G4.3, G4.5-G4.8, SLS-2, SLS-18, SLS-19, SLS-25: whole matches with different secrets."""
    visited = await played(viewer, salted, TABLES[salted::2], tasks)
    expected = {
        "waiting",
        "running",
        "paused",
        "turn",
        "choose",
        "kill",
        "rescue",
        "review",
        "end",
        "restart",
    }
    assert expected <= visited


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.at_length
@pytest.mark.asyncio
@pytest.mark.timeout(900)
async def test_sucker_looks_the_same_with_other_secrets_and_all_options(viewer: str, tasks: Tasks) -> None:
    """Covers every pair of options and numbers of seats; every kind of hidden fact must have differed."""
    visited = await played(viewer, False, PAIRED, tasks)
    expected = SECRETS | (BY_A_SEAT if VIEWERS[viewer] is not None else set())
    for turn in range(len(PAIRED), 2 * len(PAIRED)):  # a few kinds are rare: more games, while one is missing
        if expected <= visited:
            break
        visited |= await played(viewer, False, [PAIRED[turn % len(PAIRED)]], tasks, turn)
    assert expected - visited == set()
