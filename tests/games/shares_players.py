"""Players of Share and Share Alike for tests: whole tables of bots, and what one does in a position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from games import trials
from games.shares.bot import BOT
from games.shares.options import SharesOptions
from games.shares.rules import SHARES as GAME
from tests.games.selfplay import SelfPlay

PLAYERS = SelfPlay(GAME, BOT, lambda state: len(state.hands), limit=5_000)
whole_table, win_share = PLAYERS.whole_table, PLAYERS.win_share
seen, decisions = PLAYERS.seen, PLAYERS.decisions


def positions(name: bytes, seats: int, options: Mapping[str, Any] = {}) -> Iterator[trials.Position]:
    """A game by chance."""
    taken = msgspec.convert(options, SharesOptions)
    yield from trials.play(GAME, seats, taken, name, trials.STYLES[0], 500)
