"""Takeover's part of the tables whose bots hear one another (tests/games/talking_table.py)."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

import msgspec

from games import GAMES
from games.api import Decision, Observation, Seat
from games.kit.characters import cast_levels
from games.takeover.rules.values import TakeoverOptions, TakeoverState
from tests.games import talking_table

ENTRY: Final = GAMES["takeover"]


class TalkingTable(talking_table.TalkingTable[TakeoverState]):
    """A game between characters of these levels. Its sayings have what their seat sees just after them."""

    turn_ms = 0
    decision_ms = 1_500

    def __init__(self, levels: Sequence[str], name: str, **options: str) -> None:
        seed = sha256(name.encode()).digest()
        super().__init__(ENTRY, cast_levels(levels, seed), seed, msgspec.convert(options, TakeoverOptions))

    def carry_out(self, seat: Seat, observation: Observation, decision: Decision[Any]) -> None:
        said = len(self.sayings)
        super().carry_out(seat, observation, decision)
        self.sayings[said:] = [one._replace(observation=self.observe(seat)) for one in self.sayings[said:]]
