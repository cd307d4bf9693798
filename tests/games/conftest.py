"""Fixtures shared by the tests of games: a table that a test drives move by move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import pytest
from hypothesis import settings

from games import GAMES
from games.api import Millis
from games.dice import Dice
from games.sucker.bot import bot as sucker_bot
from games.testing.random_play import AnyGame
from tests.games.hand_table import HandTable

settings.register_profile("games", deadline=None)  # a slow machine is not a failure
settings.load_profile("games")


class Table(HandTable[Any]):
    """A game from its start, given by key or as an object."""

    def __init__(self, game: str | AnyGame, seats: int, options: Mapping[str, Any]) -> None:
        rules = GAMES[game].game if isinstance(game, str) else game
        assert rules.refuse_options(seats, msgspec.convert(options, rules.Options)) is None
        super().__init__(rules, seats, options, Dice(b"table"), at=Millis(0))
        self.seats = seats


@pytest.fixture
def brief_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes slow bots think briefly, for tests that play many games."""
    hard = sucker_bot.SKILL_LEVELS["hard"]
    monkeypatch.setitem(sucker_bot.SKILL_LEVELS, "hard", hard._replace(positions=50, steps=0))


@pytest.fixture
def table() -> Callable[..., Table]:
    """Makes a table of a game, given by key or as an object: `table("almost", 4, mode="banbury")`."""

    def make(game: str | AnyGame, seats: int, **options: Any) -> Table:
        return Table(game, seats, options)

    return make
