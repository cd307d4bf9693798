"""A bot for So Long Sucker: legal moves, chosen at random."""

from __future__ import annotations

from typing import Final

import msgspec

from games.api import Bot, Decision, Dice, Sight
from games.kit import choosing
from games.sucker.values import SuckerMove


class SuckerBot(Bot[SuckerMove]):
    levels = ("easy", "normal", "hard")

    def decide(self, sight: Sight, level: str, dice: Dice) -> Decision[SuckerMove] | None:
        kinds = {ask.id: ask.kind for ask in sight.asks}
        due = {
            ask: tuple(choice for choice in found if choice.move != "relent")
            for ask, found in sight.choices.items()
            if kinds[ask] not in ("prisoners", "extend", "lastCall")
        }
        found = choosing.some({ask: choices for ask, choices in due.items() if choices}, sight.seats, dice)
        return None if found is None else Decision(found[0], msgspec.convert(found[1], SuckerMove))


BOT: Final = SuckerBot()
