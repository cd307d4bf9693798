"""Bots that play Share and Share Alike in tests: whole tables, and decisions in a position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from games.shares.bot.bot import BOT
from games.shares.rules.game import SHARES as GAME
from games.shares.rules.options import SharesOptions
from games.testing import random_play
from tests.games.selfplay import SelfPlay

PLAYERS = SelfPlay(GAME, BOT, lambda state: len(state.hands), limit=5_000)
whole_table, win_share = PLAYERS.whole_table, PLAYERS.win_share
observe, decisions = PLAYERS.observe, PLAYERS.decisions


def positions(name: bytes, seats: int, options: Mapping[str, Any] = {}) -> Iterator[random_play.Position]:
    """The positions of a random game."""
    converted = msgspec.convert(options, SharesOptions)
    yield from random_play.play(GAME, seats, converted, name, random_play.STYLES[0], 500)
