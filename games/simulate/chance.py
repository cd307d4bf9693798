"""The bot of every game, for want of a better: it moves by chance, and never touches the clock."""

from __future__ import annotations

from typing import Any

from games.api import Bot, Decision, Dice, Sight
from games.kit import choices as kit_choices
from games.kit import time_control as pacing


class Chance(Bot[Any]):
    """Any legal move of its seat, each ask and each kind of move as likely as the next."""

    levels = ("random",)

    def __init__(self, move: Any) -> None:
        self._move = move

    def decide(self, sight: Sight, level: str, dice: Dice) -> Decision[Any] | None:
        kinds = {ask.id: ask.kind for ask in sight.asks}
        choices = {ask: found for ask, found in sight.choices.items() if kinds.get(ask) not in pacing.ASKS}
        found = kit_choices.sample(choices, sight.seats, self._move, dice)
        return None if found is None else Decision(*found)
