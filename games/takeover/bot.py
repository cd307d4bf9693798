"""A bot for Takeover: legal moves, chosen at random."""

from __future__ import annotations

from typing import Final

import msgspec

from games.api import Bot, Decision, Dice, Sight
from games.kit import choosing
from games.takeover.values import TakeoverMove


class TakeoverBot(Bot[TakeoverMove]):
    levels = ("easy", "normal", "hard")

    def decide(self, sight: Sight, level: str, dice: Dice) -> Decision[TakeoverMove] | None:
        due = {
            ask: found for ask, found in sight.choices.items() if ask.startswith(("draft", "flip", "turn"))
        }
        found = choosing.some(due, sight.seats, dice)
        if found is None:
            return None
        ask, raw = found
        return Decision(ask, msgspec.convert(raw, TakeoverMove))


BOT: Final = TakeoverBot()
