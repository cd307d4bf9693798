"""Almost's part of the tables whose bots hear one another (tests/games/talking_table.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games import GAMES
from games.almost.rules.values import AlmostOptions, AlmostState
from games.api import Character
from games.simulate.talk import TICK_MS
from tests.games import talking_table

ENTRY: Final = GAMES["almost"]
GAME, BOT = ENTRY.game, ENTRY.bot
OPTIONS: Final = AlmostOptions()


class TalkingTable(talking_table.TalkingTable[AlmostState]):
    """A game between characters. `people` are seats that a test plays; `tick_ms` is how long a turn takes."""

    def __init__(
        self,
        characters: Sequence[Character],
        seed: bytes,
        options: AlmostOptions = OPTIONS,
        people: Sequence[int] = (),
        tick_ms: int = TICK_MS,
    ) -> None:
        self.turn_ms = tick_ms
        super().__init__(ENTRY, characters, seed, options)
        self.bots = [seat for seat in self.seats if seat not in people]
