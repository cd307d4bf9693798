"""So Long Sucker bots for tests: whole tables, and decisions in a position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from games.sucker.bot import bot
from games.sucker.bot.bot import BOT
from games.sucker.bot.search_state import SearchState
from games.sucker.rules.game import SUCKER as GAME
from games.sucker.rules.values import SuckerOptions, SuckerState
from games.testing import random_play
from tests.games.selfplay import SelfPlay

PLAYERS = SelfPlay(GAME, BOT, lambda state: len(state.stage.alive))
whole_table, win_share = PLAYERS.whole_table, PLAYERS.win_share
observe, decisions = PLAYERS.observe, PLAYERS.decisions


def search_state_of(state: SuckerState, seat: int) -> SearchState:
    """The position as this seat's bot models it."""
    return bot.read_state(observe(state, seat))


def positions(name: bytes, seats: int, options: Mapping[str, Any] = {}) -> Iterator[random_play.Position]:
    """The positions of a random game in which a seat has the move."""
    converted = msgspec.convert(options, SuckerOptions)
    for step in random_play.play(GAME, seats, converted, name, random_play.STYLES[0], 400):
        if step.state.stage.mover is not None:
            yield step
