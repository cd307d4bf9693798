"""Players of So Long Sucker for tests: whole tables of bots, and what one does in a position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from games import trials
from games.sucker import bot
from games.sucker.bot import BOT
from games.sucker.rules import SUCKER as GAME
from games.sucker.scene import Scene
from games.sucker.values import SuckerOptions, SuckerState
from tests.games.selfplay import SelfPlay

PLAYERS = SelfPlay(GAME, BOT, lambda state: len(state.stage.alive))
whole_table, win_share = PLAYERS.whole_table, PLAYERS.win_share
seen, decisions = PLAYERS.seen, PLAYERS.decisions


def scene_of(state: SuckerState, seat: int) -> Scene:
    """The position as the bot of this seat has it."""
    return bot.seen(seen(state, seat))


def positions(name: bytes, seats: int, options: Mapping[str, Any] = {}) -> Iterator[trials.Position]:
    """A game by chance, as far as somebody has the move."""
    taken = msgspec.convert(options, SuckerOptions)
    for here in trials.play(GAME, seats, taken, name, trials.STYLES[0], 400):
        if here.state.stage.mover is not None:
            yield here
