"""A bot for Share and Share Alike: legal moves, chosen at random."""

from __future__ import annotations

from typing import Final

import msgspec

from games.api import Bot, Decision, Dice, Sight
from games.kit import choosing
from games.shares.moves import SharesMove

RESTLESS: Final = frozenset({"select", "bid", "unlock", "propose", "counter", "cancel"})
"""Left out: what could be done for ever without the game going on, or says nothing when done at random."""


class SharesBot(Bot[SharesMove]):
    levels = ("easy", "normal", "hard")

    def decide(self, sight: Sight, level: str, dice: Dice) -> Decision[SharesMove] | None:
        kinds = {ask.id: ask.kind for ask in sight.asks}
        due = {
            ask: tuple(choice for choice in found if choice.move not in RESTLESS)
            for ask, found in sight.choices.items()
            if kinds[ask] not in ("show", "extend", "lastCall")
        }
        found = choosing.some({ask: choices for ask, choices in due.items() if choices}, sight.seats, dice)
        return None if found is None else Decision(found[0], msgspec.convert(found[1], SharesMove))


BOT: Final = SharesBot()
