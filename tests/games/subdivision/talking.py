"""Subdivision's part of the tables whose bots hear one another (tests/games/talking_table.py)."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from games import GAMES
from games.api import Character, Seat
from games.subdivision.rules.values import SubdivisionOptions, SubdivisionState
from tests.games import talking_table

ENTRY: Final = GAMES["subdivision"]
GAME, BOT = ENTRY.game, ENTRY.bot
NORMAL: Final = SubdivisionOptions()


class TalkingTable(talking_table.TalkingTable[SubdivisionState]):
    """A game in which everybody who was spoken to answers before the next move."""

    turn_ms = 2_500
    answer_ms = 3_000
    """How long a bot takes over a move, and over an answer."""

    def __init__(
        self, characters: Sequence[Character], name: str, options: SubdivisionOptions = NORMAL
    ) -> None:
        super().__init__(ENTRY, characters, sha256(name.encode()).digest(), options)

    def turn(self) -> bool:
        seat = self.state.stage.turn
        assert seat is not None
        self.pass_time(self.turn_ms)
        moved = self.ask(seat)
        while self.outcome is None and sum(self.answer(seat) for seat in self.seats):
            pass  # an answer may be answered
        return moved

    def answer(self, seat: Seat) -> bool:
        """Lets a seat answer that was spoken to; returns whether it does."""
        answered = self.is_spoken_to(seat) and self.ask(seat, may_move=False)
        if answered:
            self.pass_time(self.answer_ms)
        return answered
